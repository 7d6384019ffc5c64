import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { ConsoleSession } from '../api/generated.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { useToast } from './toasts.tsx';

export const sessionTexts = catalogue({
  en: {
    title: 'Sessions',
    text: 'Browsers that are signed in to the console. A session ends after eight hours without use.',
    current: 'this one',
    who: 'Account',
    browser: 'Browser',
    country: 'Country',
    since: 'Signed in',
    seen: 'Last used',
    end: 'End',
    endOf: (name: string) => `End the session of ${name}`,
    ended: 'The session was ended.',
    unknown: 'Unknown browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
  },
  id: {
    title: 'Sesi',
    text: 'Peramban yang sedang masuk ke konsol. Sesi berakhir setelah delapan jam tidak dipakai.',
    current: 'yang ini',
    who: 'Akun',
    browser: 'Peramban',
    country: 'Negara',
    since: 'Masuk',
    seen: 'Terakhir dipakai',
    end: 'Akhiri',
    endOf: (name: string) => `Akhiri sesi ${name}`,
    ended: 'Sesi telah diakhiri.',
    unknown: 'Peramban tidak dikenal',
    on: (browser: string, system: string) => `${browser} di ${system}`,
  },
});

/** Ends a session; ending one's own leads to signing in. */
export function EndSession({
  session: { id, user, current },
}: {
  readonly session: ConsoleSession;
}) {
  const t = useTexts(sessionTexts);
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

/** Names the browser and system of a user agent; undefined if unknown. */
export function browserOf(
  userAgent: string,
  on: (browser: string, system: string) => string,
): string | undefined {
  const find = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find([
    ['Edg', 'Edge'],
    ['OPR/', 'Opera'],
    ['SamsungBrowser/', 'Samsung Internet'],
    ['Firefox/', 'Firefox'],
    ['FxiOS/', 'Firefox'],
    ['CriOS/', 'Chrome'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ]);
  const system = find([
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'Mac'],
    ['CrOS', 'ChromeOS'],
    ['Linux', 'Linux'],
  ]);
  return browser && system ? on(browser, system) : (browser ?? system);
}
