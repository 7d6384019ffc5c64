import { IdParams, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { errorPage } from './answers.ts';

/** The declaration shared by the buttons of the account page. */
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
