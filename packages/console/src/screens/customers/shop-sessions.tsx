import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { AccountSession, User } from '../../api/generated.ts';
import { useMay, useStore, useTimeSetting } from '../../context/session.ts';
import { moment } from '../../lib/time.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface Of {
  readonly user: User;
}

export function ShopSessions({ user }: Of) {
  const t = useTexts(texts).sessions;
  const isAdministrator = useMay()('administrator');
  const hasShop = useStore().shop_url !== null;
  const { data = [] } = useQuery({
    queryKey: ['users', user.id, 'shop-sessions'],
    queryFn: async ({ signal }) =>
      (await api.console.accountSessions.list({ user_id: user.id }, { signal })).data,
    enabled: isAdministrator && hasShop,
  });
  if (data.length === 0) return null;
  return (
    <Section title={t.title}>
      <ul className="entries">
        {data.map((session) => (
          <li key={session.id}>
            <Session user={user} session={session} />
          </li>
        ))}
      </ul>
      <p className="hint">{t.hint}</p>
    </Section>
  );
}

function Session({ user, session }: Of & { readonly session: AccountSession }) {
  const t = useTexts(texts).sessions;
  const client = useQueryClient();
  const toast = useToast();
  const setting = useTimeSetting();
  const { id, acting, created_at, used_at } = session;
  const end = useMutation({
    mutationFn: () => api.console.accountSessions.delete(id),
    onSuccess: async () => {
      toast(t.ended);
      await client.invalidateQueries({ queryKey: ['users', user.id, 'shop-sessions'] });
    },
    onError: (error) => toast(error.message),
  });
  return (
    <>
      <span className="entry-what">
        {acting && `${t.acting(acting.display_name)}, `}
        {t.since} <Time at={created_at} as="moment" />
      </span>
      <span className="faint">
        {t.used} <Time at={used_at} as="distance" />
      </span>
      <Button
        busy={end.isPending}
        aria-label={t.endOf(moment(created_at, setting))}
        onClick={() => end.mutate()}
      >
        {t.end}
      </Button>
    </>
  );
}
