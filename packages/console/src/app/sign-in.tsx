import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import { distance } from '../lib/time.ts';
import { Button } from '../parts/button.tsx';
import { CodeBox } from '../parts/copy-button.tsx';
import { ErrorView } from '../parts/error-view.tsx';
import { useLocale, useTexts } from '../texts/texts.ts';
import { texts } from './texts.ts';

interface SignInProps {
  readonly link: string | undefined;
  /** Signed in, or not by this link: what comes next depends on the session alone. */
  readonly onDone: () => void;
}

/** Signs in by the link that the page was opened with, or explains how to get one. */
export const SignIn = ({ link, onDone }: SignInProps) =>
  link === undefined ? <HowToSignIn /> : <OpenedLink link={link} onDone={onDone} />;

/** The command that makes links for somebody. */
export const linkCommand = (email = 'you@example.com') =>
  `npm run --silent key -- console ${email}`;

function HowToSignIn() {
  const t = useTexts(texts).signIn;
  return (
    <Alone title={t.how}>
      <p>{t.howText}</p>
      <CodeBox text={linkCommand()} label={t.title} />
      <p className="faint">
        {t.howWho} {t.keep}
      </p>
    </Alone>
  );
}

/** The account is shown before the sign-in: the link may be somebody else's. */
function OpenedLink({ link, onDone }: { readonly link: string; readonly onDone: () => void }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const client = useQueryClient();
  const looked = useQuery({
    queryKey: ['link', link],
    queryFn: async () => (await api.console.links.look({ link })).data,
    staleTime: Infinity,
  });
  const signIn = useMutation({
    mutationFn: () => api.console.session.create({ link }),
    onSuccess: ({ data }) => {
      client.setQueryData(['session'], data);
      onDone();
    },
  });
  const error = looked.error ?? signIn.error;
  if (error) return <FailedLink error={error} />;
  if (!looked.data) return <Alone title={t.signIn.title}>{t.signIn.opening}</Alone>;
  const { user, store_name, expires_at } = looked.data;
  return (
    <Alone
      title={t.signIn.as(
        store_name || t.console,
        user.display_name,
        user.role === 'administrator' ? t.administrator : (user.staff_role?.name ?? ''),
      )}
    >
      <p className="faint">
        {user.email}
        {user.email && ' · '}
        {t.signIn.until(distance(expires_at, new Date(), locale))}
      </p>
      <Button look="primary" busy={signIn.isPending} autoFocus onClick={() => signIn.mutate()}>
        {t.signIn.button}
      </Button>
    </Alone>
  );
}

function FailedLink({ error }: { readonly error: Error }) {
  const t = useTexts(texts).signIn;
  const isOver = error instanceof ApiError && error.status === 401;
  if (!isOver) {
    return (
      <Alone title={t.title}>
        <ErrorView error={error} onRetry={() => location.reload()} />
      </Alone>
    );
  }
  return (
    <Alone title={t.gone}>
      <p>{t.goneText}</p>
      <CodeBox text={linkCommand()} label={t.title} />
    </Alone>
  );
}

const Alone = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="alone">
    <div className="card">
      <p className="brand">{useTexts(texts).console}</p>
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);
