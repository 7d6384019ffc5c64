import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { EndSession, browserOf, sessionTexts } from '../../parts/session.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function PersonSessions({ user }: { readonly user: User }) {
  const t = useTexts(texts);
  const words = useTexts(sessionTexts);
  const { data } = useQuery({
    queryKey: ['sessions', user.id],
    queryFn: async ({ signal }) =>
      (await api.console.sessions.list({ user_id: user.id }, { signal })).data,
  });
  if (!data) return null;
  return (
    <Section title={words.title} actions={data.length > 0 && <EndAll user={user} />}>
      {data.length === 0 && <p className="faint">{t.noSessions}</p>}
      <ul className="entries">
        {data.map((session) => (
          <li key={session.id}>
            <span className="entry-what">
              {browserOf(session.user_agent, words.on) ?? words.unknown}
              {session.current && <span className="faint"> ({words.current})</span>}
            </span>
            <span className="faint">
              <Time at={session.seen_at} as="distance" />
            </span>
            <EndSession session={session} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Ends all sessions of a person at once, including those of the store's apps. */
function EndAll({ user }: { readonly user: User }) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () => api.me.users.revokeSessions(user.id),
    onSuccess: async () => {
      toast(t.sessionsEnded(user.display_name));
      for (const queryKey of [['sessions'], ['session']]) {
        await client.invalidateQueries({ queryKey });
      }
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button busy={end.isPending} onClick={() => end.mutate()}>
      {t.endSessions}
    </Button>
  );
}
