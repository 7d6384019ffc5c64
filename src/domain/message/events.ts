import { defineEvents } from '../../kernel/events/define.ts';
import { Message } from './schemas.ts';

export const messageEvent = defineEvents('messages:read', {
  'message.failed': { summary: 'A message could not be sent.', payload: Message },
  'message.bounced': {
    summary: 'A message bounced: no more are sent to its address.',
    payload: Message,
  },
});
