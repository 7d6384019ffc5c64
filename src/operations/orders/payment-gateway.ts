import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { GatewaySessionReply } from '../../domain/payment/schemas.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { requestAccess } from '../../kernel/command/store.ts';
import { askProvider, unlessOfProvider } from '../../processes/payments/ask-provider.ts';
import {
  type Todo,
  decidePage,
  loadPage,
  openPage,
  replyOf,
} from '../../processes/payments/payment-page.ts';

/** The number of checks on another request's opening, and milliseconds between them. */
const turns = 24;
const pause = 250;

export const getPaymentGateway = endpoint({
  id: 'orders.paymentGateway',
  route: ['GET /orders/:id/payment-gateway'],
  summary: 'Open the payment page of an order',
  description:
    "Returns the order's gateway and the page on which the buyer pays, opened at the provider if there is none yet. Repeated calls return the same page for as long as it is open and the order costs the same. A payment that nothing was heard of for ten seconds is first asked about at the provider, so an order whose buyer has just paid is answered with 409 `order_not_payable`, even if the provider's callback is late. After the payment the buyer returns to the store's `site_url`, with `order` (its id), `order_number` and `payment` (the payment's reference) added. A gateway without a provider has no page: `session` is null.",
  access: apiKey('orders:write'),
  effect: 'write',
  everyday: true,
  conditional: false,
  params: IdParams,
  reply: [200, GatewaySessionReply],
  errors: [
    'rest_not_found',
    'order_not_payable',
    'payment_refused',
    'gateway_unavailable',
    'out_of_stock',
    ...reactionErrors,
  ],
  // A repeat answers with the open payment by itself, and its address is for the buyer alone.
  secretReply: true,
}).handle(async ({ params, db, config, outbound: http, authority, now }) => {
  const providers = gatewaysOf(config);
  let asked = false;
  for (let turn = 0; turn < turns; turn++) {
    const uuid = crypto.randomUUID();
    let todo: Todo | undefined;
    const looked = await db.change({
      load: loadPage(params.id),
      decide: (loaded) => {
        const decided = decidePage(loaded, providers, { asked, uuid, now });
        todo = isRefusal(decided) ? undefined : decided.todo;
        return decided;
      },
    });
    if (isRefusal(looked) || !todo) return looked;
    const { step, gateway, settings } = todo;
    if (step.kind === 'repeat') {
      return openPage(todo, step.session, db, { http, api: authority.audience, now });
    }
    if (step.kind === 'wait') {
      await new Promise((resolve) => setTimeout(resolve, pause));
      continue;
    }
    asked = true;
    const store = requestAccess(db, replyOf(todo, null, false), now);
    // A page stays valid if the provider doesn't answer.
    const { session } = step;
    await askProvider({ session, gateway, settings, http }, store).catch(unlessOfProvider);
  }
  return refuse('gateway_unavailable', { retryAfter: 2 });
});
