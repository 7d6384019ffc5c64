import * as z from 'zod';
import { Id } from '../../lib/schemas.ts';
import { AccessProduct } from '../../domain/access/schemas.ts';
import { UserGroup } from '../../domain/group/schemas.ts';
import { License } from '../../domain/license/schemas.ts';
import { Subscription } from '../../domain/subscription/schemas.ts';

/** Limits the subscriptions and the licences in a state, each. */
export const mostInState = 100;

/** The things that a user may use now, for programs that deliver them. */
export const UserState = z
  .object({
    id: Id.describe('Id of the user.').meta({ examples: [4] }),
    access: z.array(AccessProduct).describe('The products that they have access to now.'),
    subscriptions: z
      .array(Subscription)
      .nullable()
      .describe(
        `Active, paused and pending subscriptions, the newest ${mostInState}. Null unless the key has \`subscriptions:read\`.`,
      ),
    licenses: z
      .array(
        License.pick({ id: true, code: true, product_id: true, status: true, expires_at: true }),
      )
      .nullable()
      .describe(
        `Licences that are valid now, the newest ${mostInState}, with masked codes. Null unless the key has \`licenses:read\`.`,
      ),
    group: UserGroup.pick({ id: true, name: true })
      .nullable()
      .describe('Null without a group, and unless the key has `users:read`.'),
  })
  .meta({ id: 'UserState' });
export type UserState = z.output<typeof UserState>;
