import { createContext, use } from 'react';
import type { TimeSetting } from '../lib/time.ts';
import { useLocale } from '../texts/texts.ts';
import type { ConsoleSignIn } from '../api/generated.ts';

export type Session = ConsoleSignIn;
export type Scope = Session['scopes'][number];

const Context = createContext<Session | undefined>(undefined);

export const SessionProvider = Context.Provider;

/**
 * Returns the account and the store.
 * @throws Error outside of the screens, where nobody is signed in
 */
export function useSession(): Session {
  const session = use(Context);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

export const useStore = (): Session['store'] => useSession().store;

/** A scope, or a permission of administrators that no scope gives. */
export type Permission = Scope | 'administrator';

/** Tells if the account may do something: other actions aren't offered. */
export const useMay = (): ((what: Permission) => boolean) => {
  const { scopes, user } = useSession();
  return (what) => (what === 'administrator' ? user.role === what : scopes.includes(what));
};

export function useTimeSetting(): TimeSetting {
  const { timezone } = useStore();
  return { timezone, locale: useLocale() };
}
