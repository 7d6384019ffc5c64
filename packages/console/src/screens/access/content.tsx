import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Content } from '../../api/generated.ts';
import { useList } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function ContentList({ state }: { readonly state: ListState }) {
  const { content: t } = useTexts(texts);
  const may = useMay();
  const columns = useColumns();
  const { cursor } = state.values;
  const list = useList('content', { cursor }, api.access.listContent);
  return (
    <RecordList
      list={list}
      state={state}
      empty={
        <EmptyState title={t.empty} text={t.emptyText}>
          {may('access:write') && (
            <Link className="button primary" href="/access/content/new">
              {t.new}
            </Link>
          )}
        </EmptyState>
      }
      label={t.back}
      columns={columns}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/access/content/${id}`}
      source={{ path: '/access/content', query: {} }}
    />
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
