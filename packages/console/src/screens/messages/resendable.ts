import type { Message } from '../../api/generated.ts';

/** Kinds of signing in, which the service neither sends again nor cancels. */
const ofSigningIn: ReadonlySet<Message['kind']> = new Set([
  'sign-in-link',
  'sign-in-code',
  'signed-in',
]);

/** Statuses of messages that are not sent yet, or that a summary replaced. */
const waiting: ReadonlySet<Message['status']> = new Set(['queued', 'gathered']);

export const isOfSigningIn = ({ kind }: Pick<Message, 'kind'>): boolean => ofSigningIn.has(kind);

export const isResendable = (message: Pick<Message, 'kind' | 'status'>): boolean =>
  !isOfSigningIn(message) && !waiting.has(message.status);
