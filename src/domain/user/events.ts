import { defineEvents } from '../../kernel/events/define.ts';
import { DeletedRecord } from '../../kernel/schemas/replies.ts';
import { User } from './schemas.ts';

export const userEvent = defineEvents('users:read', {
  'user.created': { summary: 'A user was created.', payload: User },
  'user.updated': { summary: 'A user was changed.', payload: User },
  'user.group-updated': {
    summary: 'A user was moved to another group, or out of one.',
    payload: User,
  },
  'user.deleted': { summary: 'A user was deleted and anonymised.', payload: DeletedRecord },
});
