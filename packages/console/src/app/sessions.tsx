import type { ConsoleSession } from '../api/generated.ts';
import { api } from '../api/client.ts';
import { useList } from '../api/list.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ErrorView } from '../parts/error-view.tsx';
import { Page } from '../parts/page.tsx';
import { EndSession, browserOf, sessionTexts } from '../parts/session.tsx';
import { Time } from '../parts/time.tsx';
import { useTexts } from '../texts/texts.ts';

/** The signed-in browsers: one's own and, for administrators, everybody's. */
export default function Sessions() {
  const t = useTexts(sessionTexts);
  const { data, error, refetch } = useList('sessions', {}, async (_, options) => {
    const { data } = await api.console.sessions.list({}, options);
    return { data, meta: {} };
  });
  const columns = useColumns();
  return (
    <Page title={t.title} lead={t.text}>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data && (
        <DataTable label={t.title} columns={columns} rows={data.data} idOf={({ id }) => id} />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<ConsoleSession>[] {
  const t = useTexts(sessionTexts);
  return [
    { id: 'who', name: t.who, cell: ({ user }) => user.display_name },
    {
      id: 'browser',
      name: t.browser,
      cell: ({ user_agent, current }) => (
        <>
          {browserOf(user_agent, t.on) ?? t.unknown}
          {current && <span className="faint"> ({t.current})</span>}
        </>
      ),
    },
    { id: 'country', name: t.country, cell: ({ country }) => country, wideOnly: true },
    { id: 'since', name: t.since, cell: ({ authenticated_at }) => <Time at={authenticated_at} /> },
    { id: 'seen', name: t.seen, cell: ({ seen_at }) => <Time at={seen_at} as="distance" /> },
    { id: 'end', name: t.end, cell: (session) => <EndSession session={session} />, end: true },
  ];
}
