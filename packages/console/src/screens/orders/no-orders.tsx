import { Link } from 'wouter';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function NoOrders({ isFiltered }: { readonly isFiltered: boolean }) {
  const { empty, nothing } = useTexts(texts);
  if (isFiltered) {
    return (
      <EmptyState title={nothing.title} text={nothing.text}>
        <Link className="button plain" href="/orders">
          {nothing.all}
        </Link>
      </EmptyState>
    );
  }
  const body = JSON.stringify({ product_id: 1, user_id: 1 });
  return (
    <EmptyState
      title={empty.title}
      text={empty.text}
      call={{ method: 'POST', path: '/orders', body }}
    />
  );
}
