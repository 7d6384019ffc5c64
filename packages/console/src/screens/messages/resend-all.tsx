import { api } from '../../api/client.ts';
import type { MessagesListQuery } from '../../api/generated.ts';
import type { BulkItem } from '../../context/bulk.ts';
import { BulkButton } from '../../parts/bulk.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { isResendable } from './resendable.ts';
import { texts } from './texts.ts';

interface ResendAllProps {
  readonly query: MessagesListQuery;
  /** The number of messages that match; 0 offers nothing. */
  readonly total: number;
}

/** Sends all messages of a list again, except those that wait or let somebody sign in. */
export function ResendAll({ query, total }: ResendAllProps) {
  const t = useTexts(texts).bulk;
  const locale = useLocale();
  async function* read(): AsyncGenerator<BulkItem> {
    const { cursor: _, ...all } = query;
    const matching = api.messages.list.all({ ...all, per_page: 100 });
    for await (const message of matching) {
      const { id, recipient, subject } = message;
      if (isResendable(message))
        yield { id, name: [subject, recipient].filter(Boolean).join(' · ') };
    }
  }
  return (
    <BulkButton
      name="resend-all"
      verb={t.resend(total.toLocaleString(locale))}
      text={t.text}
      isOffered={total > 1}
      read={read}
      run={(id, idempotencyKey) => api.messages.resend(id, { idempotencyKey })}
      of={['messages']}
    />
  );
}
