import * as z from 'zod';
import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planStatus } from '../../reactions/plan.ts';
import { isUnpaid } from '../../domain/order/transitions.ts';
import { redirectGateways } from '../../domain/payment/gateways/index.ts';
import { paidStatus } from '../../domain/payment/rules.ts';
import {
  findEvent,
  findSession,
  orderOfSession,
  takeEvent,
} from '../../queries/payment-sessions.ts';

export const receivePaymentEvent = endpoint({
  id: 'payments.callback',
  route: ['POST /payments/:gateway/callback'],
  summary: "Receive a payment provider's event",
  description:
    "Called by the provider of a redirect gateway. An event is accepted only with the provider's signature, and takes effect once.",
  access: open('the provider proves its identity by signature'),
  effect: 'write',
  conditional: false,
  params: z.object({
    gateway: z
      .string()
      .max(32)
      .meta({ examples: ['stripe'] }),
  }),
  body: z.looseObject({}),
  reply: [200, z.object({ received: z.literal(true) })],
  errors: ['rest_not_found', 'rest_invalid_param', 'out_of_stock', ...reactionErrors],
}).handle(async ({ params, db, config, request, principal, now }) => {
  const received = { received: true as const };
  const gateway = redirectGateways(config).find(({ id }) => id === params.gateway);
  if (!gateway) return refuse('rest_not_found');
  const event = await gateway.readEvent(await request.text(), (name) => request.header(name), now);
  if (event === null) {
    return refuse('rest_invalid_param', { message: 'The signature is not that of the provider.' });
  }
  if (event === undefined) return received;
  return db.change({
    load: {
      ...loadOrderUpdate(orderOfSession(gateway.id, event.session_id)),
      session: findSession(gateway.id, event.session_id),
      seen: findEvent(gateway.id, event.id),
    },
    decide: (loaded) => {
      const nothing = { write: [], reply: received };
      const [session] = loaded.session;
      const [row] = loaded.found;
      if (!session || loaded.seen.length > 0) return nothing;
      const taken = takeEvent(gateway.id, event, now);
      if (event.outcome !== 'paid' || !row || !isUnpaid(row.order.status)) {
        return { write: taken, reply: received };
      }
      const status = paidStatus(event, row);
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const plan = planStatus(loaded, { status, note: `Paid by ${gateway.id}.` }, request);
      if (isRefusal(plan)) return { write: taken, reply: received };
      return { write: [...taken, ...plan.write], events: plan.events, reply: received };
    },
  });
});
