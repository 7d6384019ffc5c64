import * as z from 'zod';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';

export const sink = endpoint({
  id: 'notify.sink',
  namespace: 'notify',
  route: ['POST /sink'],
  summary: 'Accept any JSON object and discard it',
  description:
    'A receiver that always accepts, for trying out webhooks. The body may have up to 64 KiB.',
  access: open('webhooks carry no credentials of this service, and nothing is kept'),
  effect: 'read',
  body: z.looseObject({}).meta({ id: 'SinkBody' }),
  bodyLimit: 65_536,
  reply: [200, z.object({ ok: z.literal(true) })],
}).handle(async () => ({ ok: true }));
