import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Overview } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { CodeBox } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Figures } from './figures.tsx';
import { NewestOrders } from './newest-orders.tsx';
import { Plot } from './plot.tsx';
import { texts } from './texts.ts';
import { ToDo } from './to-do.tsx';
import { Tops } from './tops.tsx';

/** The command that gives a store its currency. */
const currencyCommand = 'npm run settings -- currency=IDR';

/** The first screen: open tasks, and the store's sales. */
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
    </Page>
  );
}

function Shown({ overview }: { readonly overview: Overview }) {
  const { empty, noCurrency } = useTexts(texts);
  if (overview.currency === null) {
    return (
      <EmptyState title={noCurrency.title} text={noCurrency.text}>
        <CodeBox text={currencyCommand} label={noCurrency.command} />
      </EmptyState>
    );
  }
  if (overview.all.lead === 0) {
    const body = JSON.stringify({ product_id: 1, user_id: 1 });
    return (
      <EmptyState
        title={empty.title}
        text={empty.text}
        call={{ method: 'POST', path: '/orders', body }}
      />
    );
  }
  return (
    <div className="home">
      <ToDo toDo={overview.to_do} />
      <Figures overview={overview} />
      <Plot days={overview.days} />
      <NewestOrders orders={overview.recent_orders} />
      <Tops overview={overview} />
    </div>
  );
}
