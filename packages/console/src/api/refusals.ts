import type { ApiError } from '../../../client/src/errors.ts';

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
