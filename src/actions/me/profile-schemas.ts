import * as z from 'zod';
import { Id, Phone, requiredUpTo } from '../../lib/schemas.ts';
import { SessionContext } from '../../domain/session/schemas.ts';
import { PayeeAccount, bankFields, userLanguage } from '../../domain/user/schemas.ts';

/** The token's user. Every field is present; unknown ones are empty texts. */
export const Profile = z
  .object({
    id: Id.meta({ examples: [4] }),
    effective_user_id: Id,
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    bank: z
      .string()
      .describe('The bank account commissions are paid to. Update it as `bank_info`.')
      .meta({ examples: ['BCA 5501234700'] }),
    bank_account: PayeeAccount.nullable(),
    language: userLanguage.nullable(),
    can_affiliate: z.boolean(),
    can_affiliate_coupon: z.boolean(),
    is_admin: z.boolean(),
  })
  .meta({ id: 'Profile' });

export const ProfileReply = z
  .object({
    success: z.literal(true),
    data: Profile,
    session: SessionContext,
  })
  .meta({ id: 'ProfileReply' });

/** The fields that members may change themselves. */
export const ProfileUpdate = z
  .object({
    first_name: requiredUpTo(100).describe(
      'Also changes `display_name`, unless that was set separately.',
    ),
    phone: Phone,
    ...bankFields,
    language: userLanguage.nullable(),
  })
  .partial()
  .meta({ id: 'ProfileUpdate' });
