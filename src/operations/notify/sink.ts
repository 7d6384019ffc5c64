import * as z from 'zod';
import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';

export const sink = endpoint({
  id: 'notify.sink',
  namespace: 'notify',
  route: ['POST /sink'],
  summary: 'Accept any JSON object and discard it',
  description: 'For trying webhooks out: a receiver that always accepts. At most 64 KiB.',
  access: open('webhooks have no credentials of ours, and nothing is kept'),
  effect: 'read',
  body: z.looseObject({}),
  bodyLimit: 65_536,
  reply: [200, z.object({ ok: z.literal(true) })],
}).handle(async () => ({ ok: true }));
