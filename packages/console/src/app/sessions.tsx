import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConsoleSession } from '../api/generated.ts';
import { api } from '../api/client.ts';
import { useList } from '../api/list.ts';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ErrorView } from '../parts/error-view.tsx';
import { Page } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { useToast } from '../parts/toasts.tsx';
import { useTexts } from '../texts/texts.ts';
import { texts } from './texts.ts';

/** The browsers that are signed in: one's own, and to administrators everybody's. */
export default function Sessions() {
  const t = useTexts(texts).sessions;
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
  const t = useTexts(texts).sessions;
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

/** Ends a session; one's own leads to signing in. */
export function EndSession({
  session: { id, user, current },
}: {
  readonly session: ConsoleSession;
}) {
  const t = useTexts(texts).sessions;
  const client = useQueryClient();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () => api.console.sessions.delete(id),
    onSuccess: async () => {
      toast(t.ended);
      await client.invalidateQueries({ queryKey: [current ? 'session' : 'sessions'] });
    },
  });
  return (
    <Button
      busy={end.isPending}
      aria-label={t.endOf(user.display_name)}
      onClick={() => end.mutate()}
    >
      {t.end}
    </Button>
  );
}

/** Names the browser and system of a user agent; undefined if they aren't known. */
export function browserOf(
  userAgent: string,
  on: (browser: string, system: string) => string,
): string | undefined {
  const find = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find([
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ]);
  const system = find([
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'Mac'],
    ['Linux', 'Linux'],
  ]);
  return browser && system ? on(browser, system) : (browser ?? system);
}
