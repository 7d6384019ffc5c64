import type { Answer } from '../../kernel/command/decision.ts';
import { type WriteAccess, requestAccess } from '../../kernel/command/store.ts';
import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { askProvider, unlessOfProvider } from './ask-provider.ts';
import {
  type Loaded,
  type OpeningCode,
  type PageServices,
  type Reply,
  type Todo,
  decidePage,
  loadPage,
  openPage,
  replyOf,
} from './payment-page.ts';

/** The number of checks for a page that another request is opening, and the milliseconds between two of them. */
const turns = 24;
const pause = 250;

/**
 * Opens the payment page of an order, if there is none yet.
 * @param admits tells if the caller may open the order's page
 */
export async function openOrderPage(
  order_id: number,
  db: WriteAccess<Reply>,
  services: PageServices,
  admits: (loaded: Loaded) => boolean = () => true,
): Promise<Answer | Refusal<OpeningCode | 'rest_not_found'>> {
  const { config, http, now } = services;
  const providers = gatewaysOf(config);
  let asked = false;
  for (let turn = 0; turn < turns; turn++) {
    const uuid = crypto.randomUUID();
    let todo: Todo | undefined;
    const looked = await db.change({
      load: loadPage(order_id),
      decide: (loaded) => {
        if (!admits(loaded)) return refuse('rest_not_found');
        const decided = decidePage(loaded, providers, { asked, uuid, now });
        todo = isRefusal(decided) ? undefined : decided.todo;
        return decided;
      },
    });
    if (isRefusal(looked) || !todo) return looked;
    const { step, gateway, settings } = todo;
    if (step.kind === 'repeat') return openPage(todo, step.session, db, services);
    if (step.kind === 'wait') {
      await new Promise((resolve) => setTimeout(resolve, pause));
      continue;
    }
    asked = true;
    const store = requestAccess(db, replyOf(todo, null, false), now);
    // The known page stays valid if the provider doesn't answer.
    const { session } = step;
    await askProvider({ session, gateway, settings, http }, store).catch(unlessOfProvider);
  }
  return refuse('gateway_unavailable', { retryAfter: 2 });
}
