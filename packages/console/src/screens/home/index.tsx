import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Overview } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { FirstProduct, Missing } from './missing.tsx';
import { Figures } from './figures.tsx';
import { Health } from './health.tsx';
import { NewestOrders } from './newest-orders.tsx';
import { Plot } from './plot.tsx';
import { texts } from './texts.ts';
import { ToDo } from './to-do.tsx';
import { Tops } from './tops.tsx';

export default function Home() {
  const t = useTexts(texts);
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['overview'],
    queryFn: async ({ signal }) => (await api.overview.get({ signal })).data,
    enabled: may('orders:read'),
  });
  return (
    <Page title={t.title}>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data && <Shown overview={data} />}
      {!may('orders:read') && <p className="faint">{t.noFigures}</p>}
      <Health />
    </Page>
  );
}

function Shown({ overview }: { readonly overview: Overview }) {
  const { missing, all } = overview;
  return (
    <div className="home">
      <Missing needs={missing} />
      {all.lead === 0 ? (
        <NoOrders missing={missing} />
      ) : (
        <>
          <ToDo toDo={overview.to_do} inProgress={overview.orders_by_status['in-progress']} />
          <Figures overview={overview} />
          <Plot days={overview.days} />
          <NewestOrders orders={overview.recent_orders} />
          <Tops overview={overview} />
        </>
      )}
    </div>
  );
}

/** The next steps of a store without orders, by API: first a currency, then a product, then an order. */
function NoOrders({ missing }: Pick<Overview, 'missing'>) {
  const { empty } = useTexts(texts);
  if (missing.includes('currency')) return null;
  if (missing.includes('product')) return <FirstProduct />;
  const body = JSON.stringify({ product_id: 1, user_id: 1 });
  return (
    <EmptyState
      title={empty.title}
      text={empty.text}
      call={{ method: 'POST', path: '/orders', body }}
    >
      <Link className="button plain" href="/products">
        {empty.products}
      </Link>
    </EmptyState>
  );
}
