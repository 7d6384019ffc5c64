import { api } from '../../api/client.ts';
import type { BulkItem } from '../../context/bulk.ts';
import { BulkButton } from '../../parts/bulk.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** Reads the waiting proofs with the amount of their order and without a duplicate. */
async function* matching(): AsyncGenerator<BulkItem> {
  const pending = api.confirmations.list.all({ status: 'pending', sort: 'id', per_page: 100 });
  for await (const { id, order, order_id, ...proof } of pending) {
    const { amount_matches, duplicate_of, similar } = proof;
    if (!amount_matches || duplicate_of !== null || similar.length > 0) continue;
    yield { id, name: order?.number ?? `#${order_id}` };
  }
}

/** Approves all waiting proofs without discrepancies. */
export function ApproveMatching({ total }: { readonly total: number }) {
  const t = useTexts(texts).bulk;
  return (
    <div className="toolbar">
      <BulkButton
        name="approve-matching"
        verb={t.approve}
        text={t.text}
        isOffered={total > 1}
        read={matching}
        run={(id, idempotencyKey) =>
          api.confirmations.review(id, { status: 'approved' }, { idempotencyKey })
        }
        of={['proofs', 'orders']}
      />
    </div>
  );
}
