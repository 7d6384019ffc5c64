import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useState } from 'react';
import { Router, useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { isSignedOut, newQueryClient } from '../api/query.ts';
import { onRefusal } from '../api/refusals.ts';
import { ErrorView } from '../parts/error-view.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { type Language, LanguageContext } from '../texts/texts.ts';
import { Frame } from './frame.tsx';
import {
  PreferencesProvider,
  usePreferences,
  usePreferencesState,
} from '../context/preferences.ts';
import { type Session, SessionProvider } from '../context/session.ts';
import { SignInAgain } from './sign-in-again.tsx';
import { Waiting } from './waiting.tsx';

const SignIn = lazy(() => import('./sign-in.tsx'));

const queryClient = newQueryClient();

/** @param link the secret of a sign-in link that the page was opened with */
export function App({ link }: { readonly link: string | undefined }) {
  const preferences = usePreferencesState();
  return (
    // The page's policy allows no style elements.
    <CSPProvider disableStyleElements>
      <PreferencesProvider value={preferences}>
        <QueryClientProvider client={queryClient}>
          <Router base="/console">
            <Gate link={link} />
          </Router>
        </QueryClientProvider>
      </PreferencesProvider>
    </CSPProvider>
  );
}

/** Shows the screens to people who are signed in, and the sign-in to others; the address stays. */
function Gate({ link }: { readonly link: string | undefined }) {
  const [open, setOpen] = useState(link);
  const { data: session, error } = useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal }) => (await api.console.session.get({ signal })).data,
    enabled: open === undefined,
    staleTime: Infinity,
  });
  useSignOut();
  const language = useShownLanguage(session);
  return (
    <LanguageContext value={language}>
      <Shown session={session} error={error} link={open} onDone={() => setOpen(undefined)} />
    </LanguageContext>
  );
}

interface ShownProps {
  readonly session: Session | undefined;
  readonly error: Error | null;
  readonly link: string | undefined;
  readonly onDone: () => void;
}

function Shown({ session, error, link, onDone }: ShownProps) {
  if (link !== undefined || isSignedOut(error)) {
    return (
      <Suspense fallback={<main className="alone" aria-busy="true" />}>
        <SignIn link={link} onDone={onDone} />
      </Suspense>
    );
  }
  if (error) {
    return (
      <main className="alone">
        <ErrorView error={error} />
      </main>
    );
  }
  if (!session) return <Loading />;
  return (
    <SessionProvider value={session}>
      <Toasts>
        <Frame />
      </Toasts>
      <SignInAgain />
    </SessionProvider>
  );
}

/** The frame while it is unknown who is signed in. */
function Loading() {
  const [path] = useLocation();
  return (
    <div className="frame" aria-busy="true">
      <header className="bar">
        <span className="brand">Console</span>
      </header>
      <div className="nav" />
      <main className="main">
        <Waiting path={path} />
      </main>
    </div>
  );
}

/** Asks again who is signed in whenever a call fails for lack of a session. */
function useSignOut(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onRefusal((error) => {
        if (error.status !== 401 || error.operation.startsWith('console.')) return;
        void client.resetQueries({ queryKey: ['session'] });
      }),
    [client],
  );
}

/**
 * The language of this browser, the account or the store, in this order; the page declares it to assistive technology.
 */
function useShownLanguage(session: Session | undefined): Language {
  const { preferences } = usePreferences();
  const ofBrowser = navigator.language.startsWith('id') ? 'id' : 'en';
  const language =
    preferences.language ?? session?.user.language ?? session?.store.language ?? ofBrowser;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return language;
}
