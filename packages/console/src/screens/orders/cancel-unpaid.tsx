import { api } from '../../api/client.ts';
import type { OrdersListQuery } from '../../api/generated.ts';
import type { BulkItem } from '../../context/bulk.ts';
import { BulkButton } from '../../parts/bulk.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface CancelUnpaidProps {
  readonly query: OrdersListQuery;
  /** The number of orders that match; 0 offers nothing. */
  readonly total: number;
}

/** Cancels all orders of a list that wait for their payment. */
export function CancelUnpaid({ query, total }: CancelUnpaidProps) {
  const t = useTexts(texts).bulk;
  const locale = useLocale();
  async function* read(): AsyncGenerator<BulkItem> {
    const { cursor: _, ...all } = query;
    for await (const { id, number } of api.orders.list.all({ ...all, per_page: 100 })) {
      yield { id, name: number };
    }
  }
  return (
    <BulkButton
      name="cancel-unpaid"
      verb={t.cancel(total.toLocaleString(locale))}
      text={t.text}
      isFinal
      isOffered={total > 1}
      read={read}
      run={(id, idempotencyKey) =>
        api.orders.update(id, { status: 'cancelled' }, { idempotencyKey })
      }
      of={['orders']}
    />
  );
}
