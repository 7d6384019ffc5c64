import type { Message } from '../../api/generated.ts';

/** Kinds with a sign-in link or code, which cannot be sent again. */
const secret: ReadonlySet<Message['kind']> = new Set(['sign-in-link', 'sign-in-code']);

/** Statuses of messages that are not sent yet, or that a summary replaced. */
const waiting: ReadonlySet<Message['status']> = new Set(['queued', 'gathered']);

export const isSecret = ({ kind }: Pick<Message, 'kind'>): boolean => secret.has(kind);

export const isResendable = (message: Pick<Message, 'kind' | 'status'>): boolean =>
  !isSecret(message) && !waiting.has(message.status);
