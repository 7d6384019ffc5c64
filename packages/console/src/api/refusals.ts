import { ApiError } from '../../../client/src/errors.ts';

/** Says a refusal in the language of the page; the service's own words are English. */
export async function inWords<E extends Error>(error: E): Promise<E> {
  if (document.documentElement.lang === 'id' && error instanceof ApiError) {
    (await import('./indonesian.ts')).translate(error);
  }
  return error;
}

type Listener = (error: ApiError) => void;

const listeners = new Set<Listener>();

/** Tells whoever listens of a refusal. */
export function noteRefusal(error: ApiError): void {
  for (const listener of listeners) listener(error);
}

/** Hears of every refusal: that nobody is signed in, or not recently enough, concerns all screens. */
export function onRefusal(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True if an operation needs a sign-in within the last minutes, which this session no longer is. */
export const takesNewSignIn = ({ code }: { readonly code: string }): boolean =>
  code === 'svc_console_sign_in_again';

/** Lets somebody sign in again; says whether they did. */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;
let asked: Promise<boolean> | undefined;

/** Asks the person to sign in again, once for all calls that need it; false if they don't. */
export function signInAgain(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined;
  });
  return asked;
}

/** Takes over asking for it. */
export function onSignInAgain(ask: Asker): () => void {
  asker = ask;
  return () => {
    asker = undefined;
  };
}
