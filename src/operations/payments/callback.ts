import * as z from 'zod';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import type { Gateway, Hint } from '../../providers/payments/gateway.ts';
import { mutationSourcesOf } from '../../providers/mutations/index.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { checkSoon, findHinted } from '../../queries/payment-sessions.ts';
import { findSettings } from '../../queries/settings.ts';
import { reactionErrors } from '../../reactions/index.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { eachApart } from '../../kernel/command/each-apart.ts';
import { requestAccess } from '../../kernel/command/store.ts';
import { askProvider, unlessOfProvider, write } from '../../processes/payments/ask-provider.ts';
import { takeMutations } from '../../processes/payments/take-mutations.ts';

/** Bytes. */
const limit = 262_144;

/** Milliseconds for further calls to a provider, which waits five seconds for the answer. */
const patience = 3500;

/** Makes the provider send the callback again. */
const unfinished = refuse('rest_unavailable', {
  message: 'The callback could not be processed in time. Send it again.',
  retryAfter: 5,
});

export const receivePaymentCallback = endpoint({
  id: 'payments.callback',
  route: ['POST /payments/:gateway/callback'],
  summary: "Receive a payment provider's callback",
  description:
    "Called by a payment provider when something happens to a payment. It requires the provider's own proof of origin, and its content is not trusted: the service asks the provider for the state of the payment. Only bank mutations are used as they come, since they are signed as a whole. A callback that comes twice, late or in another order therefore changes nothing. If the provider does not answer within seconds, a job asks it again.",
  access: open('the provider proves its identity by signature'),
  effect: 'write',
  conditional: false,
  params: z.object({
    gateway: z
      .string()
      .max(32)
      .meta({ examples: ['stripe'] }),
  }),
  rawBody: limit,
  reply: [200, z.object({ received: z.literal(true) })],
  errors: [
    'rest_not_found',
    'rest_unavailable',
    'callback_forged',
    'out_of_stock',
    ...reactionErrors,
  ],
}).handle(async ({ params, db, config, request, outbound, now }) => {
  const received = { received: true as const };
  const callback = {
    text: await request.text(),
    header: (name: string) => request.header(name),
  };
  const end = AbortSignal.timeout(patience);
  const source = mutationSourcesOf(config).find(({ id }) => id === params.gateway);
  if (source) {
    const mutations = await source.read(callback);
    if (mutations === 'forged') return refuse('callback_forged');
    const store = requestAccess(db, received, now);
    const mayBegin = () => !end.aborted;
    return (await takeMutations(source, mutations, store, mayBegin)) ? received : unfinished;
  }
  const gateway = gatewaysOf(config).find(({ id }) => id === params.gateway);
  if (!gateway) return refuse('rest_not_found');
  const load = (named: readonly Hint[]) =>
    db.query({ sessions: findHinted(gateway.id, named), settings: findSettings() });
  const unproven = gateway.unproven?.(callback, now);
  if (unproven === 'forged') return refuse('callback_forged');
  const early = unproven && (await load(unproven));
  if (early?.sessions.length === 0) return ofNoPayment(gateway, early.settings[0]);
  const http = within(outbound, end);
  const hints = await gateway.read(callback, http, now).catch(unlessOfProvider);
  if (hints === undefined) return unfinished;
  if (hints === 'forged') return refuse('callback_forged');
  if (hints.length === 0) return received;
  const { sessions, settings } = early ?? (await load(hints));
  const [own] = settings;
  if (!own) return received;
  const store = requestAccess(db, received, now);
  await eachApart(sessions, (session) => {
    const named = namedIn(session, hints);
    const question = { session, gateway, settings: own, http, ...(named && { named: named.id }) };
    return askProvider(question, store).catch((error: unknown) => {
      unlessOfProvider(error);
      return write(store, [checkSoon(session.id, now, named)]);
    });
  });
  return received;
});

/** Refuses an unproven callback that names no payment. A disabled gateway has none. */
const ofNoPayment = (gateway: Gateway, settings: SettingsRow | undefined) =>
  refuse(
    gateway.unitOf(settings?.currency ?? '') === undefined ? 'rest_not_found' : 'callback_forged',
  );

/** The id of a payment's money, as the callback names it. */
function namedIn({ reference }: SessionRow, hints: readonly Hint[]) {
  const [hint] = hints.flatMap((one) =>
    'reference' in one && one.reference === reference ? [one] : [],
  );
  if (hint?.payment_ref === undefined) return undefined;
  return { id: hint.payment_ref, says_paid: hint.says_paid ?? false };
}

const within =
  (outbound: Outbound, end: AbortSignal): Outbound =>
  (url, init) =>
    outbound(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, end]) : end });
