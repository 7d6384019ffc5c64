import { ApiError } from '../../../client/src/errors.ts';

/** Translates a refusal into the page's language; the service's own messages are English. */
export async function inWords<E extends Error>(error: E): Promise<E> {
  if (document.documentElement.lang === 'id' && error instanceof ApiError) {
    (await import('./indonesian.ts')).translate(error);
  }
  return error;
}

/** Translates the reasons why a cart can't be ordered. */
export async function obstaclesInWords(messages: readonly string[]): Promise<readonly string[]> {
  if (document.documentElement.lang !== 'id') return messages;
  const { obstacleIn } = await import('./indonesian.ts');
  return messages.map(obstacleIn);
}

type Listener = (error: ApiError) => void;

const listeners = new Set<Listener>();

export function noteRefusal(error: ApiError): void {
  for (const listener of listeners) listener(error);
}

/** Listens to every refusal: a missing or old sign-in concerns all screens. */
export function onRefusal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells if a call was refused because the session is no longer fresh. */
export const takesNewSignIn = ({ code }: { readonly code: string }): boolean =>
  code === 'svc_console_sign_in_again';

/**
 * Asks the person to sign in again.
 * @returns true if they did
 */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;
let asked: Promise<boolean> | undefined;

/**
 * Asks the person to sign in again, once for all calls that need it.
 * @returns false if they don't
 */
export function signInAgain(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined;
  });
  return asked;
}

/** Registers the dialog in which the person signs in again. */
export function onSignInAgain(ask: Asker): () => void {
  asker = ask;
  return () => {
    asker = undefined;
  };
}
