import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Content } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Pager } from '../../parts/pager.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** The content that products open. */
export function ContentList({ state }: { readonly state: ListState }) {
  const { content: t } = useTexts(texts);
  const may = useMay();
  const columns = useColumns();
  const { cursor } = state.values;
  const { data, error, refetch, isPlaceholderData } = useList(
    'content',
    { cursor },
    api.access.listContent,
  );
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.data.length === 0) {
    return (
      <EmptyState title={t.empty} text={t.emptyText}>
        {may('access:write') && (
          <Link className="button primary" href="/access/content/new">
            {t.new}
          </Link>
        )}
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label={t.back}
        columns={columns}
        rows={data.data}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/access/content/${id}`}
        busy={isPlaceholderData}
      />
      <Pager state={state} next={data.meta.next_cursor} total={data.meta.pagination?.total} />
    </>
  );
}

function useColumns(): readonly Column<Content>[] {
  const { content: t } = useTexts(texts);
  const { columns } = t;
  const products = useProducts() ?? [];
  const titles = new Map(products.map(({ id, title }) => [id, title]));
  return [
    { id: 'title', name: columns.title, cell: ({ title }) => title },
    {
      id: 'products',
      name: columns.products,
      cell: ({ product_ids }) => product_ids.map((id) => titles.get(id) ?? `#${id}`).join(', '),
    },
    {
      id: 'opens',
      name: columns.opens,
      cell: ({ drip_day, release_at }) => (
        <>
          {drip_day === 0 ? t.atOnce : t.after(drip_day)}
          {release_at && (
            <span className="faint">
              {', '}
              <Time at={release_at} />
            </span>
          )}
        </>
      ),
    },
    {
      id: 'status',
      name: columns.status,
      end: true,
      cell: ({ status }) => (
        <Status tone={status === 'publish' ? 'good' : 'neutral'}>{t.statuses[status]}</Status>
      ),
    },
  ];
}
