import * as z from 'zod';
import { capabilities } from './capabilities.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import {
  metaValues,
  queryBoolean,
  queryId,
  queryIds,
  search,
} from '../../kernel/schemas/parameters.ts';
import { Email } from '../../lib/email.ts';
import {
  Id,
  Instant,
  Meta,
  Phone,
  changeFields,
  requiredLineUpTo,
  shortText,
  nameUpTo,
  textUpTo,
  trimmedUpTo,
} from '../../lib/schemas.ts';
import { languages, userRoles } from '../../schema/lists.ts';
import { GroupName } from '../../schema/group-parts.ts';

/** Anonymised users are not found. */
export const visibleStatuses = ['active', 'blocked'] as const;

const country = z
  .string()
  .regex(/^([A-Z]{2})?$/, 'must be an ISO 3166-1 code of two capitals, or empty')
  .meta({ examples: ['ID'] });

export const userLanguage = z
  .enum(languages)
  .describe("The language of messages to the user; null = the store's.")
  .meta({ examples: ['id'] });

const provider = textUpTo(64)
  .min(1)
  .meta({ examples: ['mobile_app'] });

export const PayeeAccount = z
  .object({
    bank_code: requiredLineUpTo(20)
      .describe("The bank's code: in Indonesia, the three digits of Bank Indonesia.")
      .meta({ examples: ['014'] }),
    bank_name: requiredLineUpTo(100).meta({ examples: ['BCA'] }),
    number: requiredLineUpTo(50).meta({ examples: ['5501234700'] }),
    holder: requiredLineUpTo(100).meta({ examples: ['Citra Wijaya'] }),
  })
  .meta({ id: 'PayeeAccount', description: 'The account that commissions are paid to.' });

export const bankFields = {
  bank_info: shortText.describe(
    'The bank account as text. It follows `bank_account`; if you send a different text instead, `bank_account` becomes null.',
  ),
  bank_account: PayeeAccount.nullable(),
};

const fields = {
  email: Email.describe('Unique; stored in lower case.'),
  phone: Phone,
  first_name: textUpTo(100),
  last_name: textUpTo(100),
  display_name: nameUpTo(200).describe(
    'By default, or if it has no visible character: first and last name, or, without these, `User` and the id.',
  ),
  address: shortText,
  postal_code: textUpTo(20),
  country,
  language: userLanguage.nullable(),
  affiliate_id: Id.nullable().describe(
    'The sponsor: the user directly above this one in the tree; null if none.',
  ),
  ...bankFields,
  roles: z
    .array(z.enum(userRoles))
    .max(userRoles.length)
    .describe(
      '`shop-manager` gives the built-in role of that name in the console; without it, that role is removed.',
    ),
  staff_role_id: Id.nullable().describe(
    'The role in the console, of `GET /staff-roles`; null = none. It decides whether `roles` contains `shop-manager`, whatever you send.',
  ),
  status: z.enum(visibleStatuses),
  meta: Meta,
  external_ids: z
    .record(provider, textUpTo(200).min(1))
    .refine((ids) => Object.keys(ids).length <= 50, 'at most 50 providers')
    .describe("The user's ids in other systems, by provider."),
};

export const User = z
  .object({
    id: Id,
    email: z.string(),
    phone: z.string(),
    first_name: z.string(),
    last_name: z.string().meta({ examples: ['Kartika'] }),
    display_name: z.string(),
    address: z.string().meta({ examples: ['Jl. Melati 8, Bandung'] }),
    postal_code: z.string().meta({ examples: ['40115'] }),
    country: z.string().meta({ examples: ['ID'] }),
    language: userLanguage.nullable(),
    group_id: Id.nullable(),
    group: GroupName.nullable(),
    affiliate_id: Id.nullable().describe(
      'The sponsor: the user directly above this one in the tree; null if none.',
    ),
    bank_info: z.string(),
    bank_account: PayeeAccount.nullable(),
    bank_changed_at: Instant.nullable()
      .describe('The last change of the bank account; the user is notified by e-mail.')
      .meta({ examples: ['2026-03-10T09:00:00.000Z'] }),
    roles: z.array(z.enum(userRoles)).meta({ examples: [['member']] }),
    staff_role_id: Id.nullable()
      .describe('The role in the console, of `GET /staff-roles`; null if none.')
      .meta({ examples: [null] }),
    capabilities: z
      .array(z.enum(capabilities))
      .describe('Derived from the roles and the role in the console.')
      .meta({ examples: [[]] }),
    can_affiliate: z
      .boolean()
      .describe('True if the user may promote products and earn commissions.'),
    can_affiliate_coupon: z
      .boolean()
      .describe('True if the user may create coupons from templates.'),
    is_admin: z.boolean(),
    status: z.enum(visibleStatuses),
    meta: z.record(z.string(), z.json()),
    external_ids: z.record(z.string(), z.string()).meta({ examples: [{ mobile_app: 'u-48213' }] }),
    ...changeFields,
  })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;

export const UserCreate = z
  .object({ ...fields, group_id: Id.nullable() })
  .partial()
  .required({ email: true })
  .meta({
    id: 'UserCreate',
    examples: [
      { email: 'ayu@example.com', first_name: 'Ayu', last_name: 'Lestari', affiliate_id: 3 },
    ],
  });
export type UserCreate = z.output<typeof UserCreate>;

export const UserUpdate = z
  .object(fields)
  .partial()
  .meta({ id: 'UserUpdate', examples: [{ phone: '+62 812 5550 147', roles: ['affiliate'] }] });
export type UserUpdate = z.output<typeof UserUpdate>;

export const UserQuery = z.object({
  ...changeParameters,
  search: search
    .optional()
    .describe(
      'Part of the name, e-mail address or phone number (in any spelling), or an id. For a complete e-mail address, only exact matches are returned.',
    ),
  role: z.enum(userRoles).optional(),
  staff: queryBoolean
    .optional()
    .describe(
      'True: only people with a role in the console, administrators included. False: only others.',
    ),
  group_id: queryId.optional(),
  affiliate_id: queryId.optional().describe('Only users whose sponsor is this user.'),
  status: z.enum(visibleStatuses).optional(),
  ids: queryIds.optional(),
  meta: metaValues,
});
export type UserQuery = z.output<typeof UserQuery>;

const lookupKeys = ['id', 'email', 'phone', 'external_id'] as const;

export const UserLookup = z
  .object({
    id: queryId.optional(),
    email: trimmedUpTo(254)
      .toLowerCase()
      .optional()
      .meta({ examples: ['dewi.kartika@demo.example'] }),
    phone: textUpTo(32).optional(),
    external_id: textUpTo(200).optional(),
    provider: textUpTo(64).optional().describe('The provider of `external_id`.'),
  })
  .superRefine((query, context) => {
    const given = lookupKeys.filter((key) => query[key] !== undefined);
    if (given.length === 1) return;
    const message = `give exactly one of ${lookupKeys.join(', ')}`;
    context.addIssue({ code: 'custom', path: [given[1] ?? 'id'], message });
  })
  .refine((query) => query.external_id === undefined || query.provider !== undefined, {
    path: ['provider'],
    message: 'is required with external_id',
  });
export type UserLookup = z.output<typeof UserLookup>;
