import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { WaysIn } from '../../domain/console/schemas.ts';
import { sendsMail } from '../../processes/console/mailing.ts';

export const getWaysIn = endpoint({
  id: 'console.signIn.get',
  namespace: 'console',
  route: ['GET /sign-in'],
  summary: 'Get the ways to sign in to the console',
  access: open('nobody is signed in yet'),
  effect: 'read',
  reply: [200, WaysIn],
}).handle(async ({ config }) => one({ by_mail: sendsMail(config) && config.DEV_JOBS === 'on' }));
