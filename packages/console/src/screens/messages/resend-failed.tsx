import { api } from '../../api/client.ts';
import type { MessagesListQuery } from '../../api/generated.ts';
import type { BulkItem } from '../../context/bulk.ts';
import { BulkButton } from '../../parts/bulk.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface ResendFailedProps {
  readonly query: MessagesListQuery;
  /** The number of messages that match; 0 offers nothing. */
  readonly total: number;
}

/** Sends all failed messages of a list again. */
export function ResendFailed({ query, total }: ResendFailedProps) {
  const t = useTexts(texts).bulk;
  const locale = useLocale();
  async function* read(): AsyncGenerator<BulkItem> {
    const { cursor: _, ...all } = query;
    for await (const { id, recipient, subject } of api.messages.list.all({
      ...all,
      per_page: 100,
    })) {
      yield { id, name: [subject, recipient].filter(Boolean).join(' · ') };
    }
  }
  return (
    <BulkButton
      name="resend-failed"
      verb={t.resend(total.toLocaleString(locale))}
      text={t.text}
      isOffered={total > 1}
      read={read}
      run={(id, idempotencyKey) => api.messages.resend(id, { idempotencyKey })}
      of={['messages']}
    />
  );
}
