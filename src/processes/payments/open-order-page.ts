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

/** A caller without credentials. Such callers have the provider asked once in ten seconds, however many they are. */
interface Visitor {
  /** Tells if the caller may open the order's page. */
  admits(loaded: Loaded): boolean;
  /** False if the provider is only asked about an open page. */
  readonly opens: boolean;
}

/** Opens the payment page of an order, if there is none yet. */
export async function openOrderPage(
  order_id: number,
  db: WriteAccess<Reply>,
  services: PageServices,
  visitor?: Visitor,
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
        if (visitor?.admits(loaded) === false) return refuse('rest_not_found');
        const [claims, opens] = [visitor !== undefined, visitor?.opens !== false];
        const decided = decidePage(loaded, providers, { asked, claims, opens, uuid, now });
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
