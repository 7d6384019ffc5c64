import { IdParams, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { errorPage } from './answers.ts';

/** The declaration that the buttons of an account's page share. */
export const button = {
  namespace: 'root',
  access: open('its cookie says whose subscription it is'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  params: IdParams,
  reply: [302, Redirect],
  errorPage,
} as const;
