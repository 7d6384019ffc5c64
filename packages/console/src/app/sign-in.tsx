import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import { distance } from '../lib/time.ts';
import { Button } from '../parts/button.tsx';
import { CodeBox } from '../parts/copy-button.tsx';
import { ErrorView } from '../parts/error-view.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { useLocale, useTexts } from '../texts/texts.ts';
import { linkCommand } from './link.ts';
import { texts } from './sign-in-texts.ts';
import { texts as frame } from './texts.ts';

interface SignInProps {
  readonly link: string | undefined;
  /**
   * Called once the link was used, whether it worked or not: the session decides what is shown
   * next.
   */
  readonly onDone: () => void;
}

/** Signs in with the page's link, or sends one by e-mail. */
export default function SignIn({ link, onDone }: SignInProps) {
  return link === undefined ? <HowToSignIn /> : <OpenedLink link={link} onDone={onDone} />;
}

function HowToSignIn() {
  const t = useTexts(texts);
  return (
    <Alone title={t.title}>
      <AskForLink />
      <p className="faint">{t.keep}</p>
    </Alone>
  );
}

/** Sends a link to an e-mail address. If the store sends no e-mails, it names the command that makes one. */
function AskForLink() {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in'],
    queryFn: async ({ signal }) => (await api.console.signIn.get({ signal })).data,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="skeleton skeleton-line" aria-busy="true" />;
  return data.by_mail ? <LinkForm /> : <Command text={t.noSender} />;
}

const Command = ({ text }: { readonly text: string }) => (
  <>
    <p>{text}</p>
    <CodeBox text={linkCommand()} label={useTexts(texts).title} />
  </>
);

function LinkForm() {
  const t = useTexts(texts);
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => api.console.links.request({ email }) });
  if (request.isSuccess) {
    return (
      <>
        <p role="status">{t.sent(email)}</p>
        <p className="faint">{t.sentHint}</p>
        <div>
          <Button onClick={request.reset}>{t.another}</Button>
        </div>
        <details>
          <summary>{t.noMail}</summary>
          <Command text={t.lostMailbox} />
        </details>
      </>
    );
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        request.mutate();
      }}
    >
      <p>{t.howText}</p>
      <Field name="email" label={t.email} error={request.error} required>
        <TextInput
          required
          autoFocus
          type="email"
          autoComplete="username"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      {request.error && <ErrorView error={request.error} />}
      <Button type="submit" look="primary" busy={request.isPending}>
        {t.send}
      </Button>
    </form>
  );
}

/** The account is shown before signing in: the link may be another person's. */
function OpenedLink({ link, onDone }: { readonly link: string; readonly onDone: () => void }) {
  const t = useTexts(texts);
  const { console } = useTexts(frame);
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
  if (!looked.data) return <Alone title={t.title}>{t.opening}</Alone>;
  const { user, store_name, expires_at } = looked.data;
  return (
    <Alone
      title={t.as(
        store_name || console,
        user.display_name,
        user.role === 'administrator' ? t.administrator : (user.staff_role?.name ?? ''),
      )}
    >
      <p className="faint">
        {user.email}
        {user.email && ' · '}
        {t.until(distance(expires_at, new Date(), locale))}
      </p>
      <Button look="primary" busy={signIn.isPending} autoFocus onClick={() => signIn.mutate()}>
        {t.button}
      </Button>
    </Alone>
  );
}

function FailedLink({ error }: { readonly error: Error }) {
  const t = useTexts(texts);
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
      <AskForLink />
    </Alone>
  );
}

const Alone = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="alone">
    <div className="card">
      <p className="brand">{useTexts(frame).console}</p>
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);
