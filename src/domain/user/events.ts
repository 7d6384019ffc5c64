import * as z from 'zod';
import { type DomainEvent, defineEvents } from '../../kernel/events/define.ts';
import { DeletedRecord } from '../../kernel/schemas/replies.ts';
import { Id } from '../../lib/schemas.ts';
import { User } from './schemas.ts';

export const stateParts = ['access', 'subscriptions', 'licenses', 'group'] as const;
export type StatePart = (typeof stateParts)[number];

const StateChange = z
  .object({
    id: Id.describe('Id of the user.').meta({ examples: [4] }),
    changed: z
      .array(z.enum(stateParts))
      .describe('The parts of `GET /users/{id}/state` that changed.')
      .meta({ examples: [['access', 'subscriptions']] }),
  })
  .meta({ id: 'StateChange' });

export const userEvent = defineEvents('users:read', {
  'user.created': { summary: 'A user was created.', payload: User },
  'user.updated': { summary: 'A user was changed.', payload: User },
  'user.group-updated': {
    summary: 'A user was moved to another group, or out of one.',
    payload: User,
  },
  'user.state-changed': {
    summary:
      'What a user may use changed: access, subscriptions, licences or group, by a change or by time. Read `GET /users/{id}/state`.',
    payload: StateChange,
  },
  'user.deleted': { summary: 'A user was deleted and anonymised.', payload: DeletedRecord },
});

/** For changes that no other event reports. */
export const stateChanged = (user_id: number, ...changed: StatePart[]): DomainEvent =>
  userEvent('user.state-changed', { id: user_id, changed });
