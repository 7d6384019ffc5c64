import type { MessageStatus } from '../../api/generated.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';

const tones: Readonly<Record<MessageStatus, Tone>> = {
  queued: 'wait',
  sent: 'good',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  suppressed: 'bad',
  cancelled: 'neutral',
  gathered: 'neutral',
};

export const MessageState = ({ status }: { readonly status: MessageStatus }) => (
  <Status tone={tones[status]}>{useTexts(messageWords).statuses[status]}</Status>
);
