import type { Asked, Books, Fault, TestProvider } from './provider.ts';
import { type Answered, ProviderServer } from './server.ts';
import {
  type Dispute,
  type Intent,
  type Session,
  newRefund,
  refundedOf,
  shownCharge,
  shownSession,
} from './stripe/books.ts';
import { Callbacks, webhookSecret } from './stripe/callbacks.ts';
import { formOf, refundForm, sessionForm, units } from './stripe/forms.ts';
import { IdempotencyKeys } from './stripe/keys.ts';
import { Refused, refusal } from './stripe/refusals.ts';
import { checkCaller, executed, kindOf, pageOf, secretKey, unknownUrl } from './stripe/requests.ts';

/** Stripe with one account in test mode: docs.stripe.com/api, version 2026-07-29.dahlia. */
export class StripeServer implements TestProvider {
  readonly id = 'stripe';
  readonly units = units;
  readonly journal: Asked[];
  readonly #server: ProviderServer;
  readonly #keys = new IdempotencyKeys();
  readonly #sessions: Session[] = [];
  readonly #callbacks = new Callbacks();
  #origin = '';
  #now: () => Date = () => new Date();
  #ids = 0;
  #held: { reached: () => void; released: Promise<void> } | undefined;

  constructor() {
    this.#server = new ProviderServer(
      (asked) => this.#answer(asked),
      kindOf,
      (status, asked) => this.#trouble(status, asked),
    );
    this.journal = this.#server.journal;
  }

  get variables() {
    return {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: this.#origin,
    };
  }

  async open(now: () => Date): Promise<void> {
    this.#now = now;
    this.#origin = await this.#server.open();
  }

  close = () => this.#server.close();

  fail(kind: 'open' | 'look' | 'cancel' | 'refund', fault: Fault): void {
    this.#server.fail(kind, fault);
  }

  /** Holds the next request with an idempotency key until it is released. */
  hold(): { readonly reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  pay(reference: string, { amount, currency }: { amount?: number; currency?: string } = {}): void {
    const session = this.#payable(reference);
    const late = session.status === 'complete';
    session.amount = amount ?? session.amount;
    session.currency = currency?.toLowerCase() ?? session.currency;
    this.#intentOf(session).status = 'succeeded';
    Object.assign(session, { status: 'complete', payment_status: 'paid' });
    this.#tell(late ? 'async_payment_succeeded' : 'completed', session);
  }

  /** A bank debit: the session is complete, but its payment isn't. */
  begin(reference: string): void {
    const session = this.#payable(reference);
    this.#intentOf(session);
    session.status = 'complete';
    this.#tell('completed', session);
  }

  /** A declined card leaves the page open; a failed debit ends it. */
  decline(reference: string): void {
    const session = this.#payable(reference);
    this.#intentOf(session).status = 'requires_payment_method';
    if (session.status === 'complete') this.#tell('async_payment_failed', session);
  }

  refundByHand(reference: string, amount?: number): void {
    const session = this.#named(reference);
    const left = session.amount - refundedOf(session);
    this.#refund(session, { amount: amount ?? left, metadata: {} }, 'succeeded');
  }

  settleRefunds(outcome: 'succeeded' | 'failed'): void {
    for (const refund of this.#sessions.flatMap(({ intent }) => intent?.refunds ?? [])) {
      if (refund.status !== 'pending') continue;
      refund.status = outcome;
      const type = outcome === 'failed' ? 'refund.failed' : 'refund.updated';
      this.#callbacks.add(type, { ...refund });
    }
  }

  dispute(reference: string, state: 'open' | 'won' | 'lost'): void {
    const session = this.#named(reference);
    const intent = this.#intentOf(session);
    const { charge, id: payment_intent } = intent;
    const open = intent.disputes.find(({ status }) => status === 'needs_response');
    const dispute: Dispute = open ?? {
      object: 'dispute',
      id: this.#newId('du'),
      amount: session.amount,
      currency: session.currency,
      charge,
      payment_intent,
      status: 'needs_response',
    };
    if (!open) {
      intent.disputes.unshift(dispute);
      this.#callbacks.add('charge.dispute.created', { ...dispute });
    }
    if (state === 'open') return;
    dispute.status = state;
    this.#callbacks.add('charge.dispute.closed', { ...dispute });
  }

  /** Stripe only fills in `{CHECKOUT_SESSION_ID}`. */
  returned = () => '';

  takeCallbacks(baseUrl: string): Request[] {
    this.#letExpire();
    return this.#callbacks.take(baseUrl, this.#seconds());
  }

  forgeries(baseUrl: string, reference: string): Request[] {
    const session = shownSession(this.#named(reference));
    return this.#callbacks.forgeries(baseUrl, this.#seconds(), session);
  }

  /** A callback is signed as a whole. */
  alterations = () => [];

  books(reference: string): Books {
    const session = this.#named(reference);
    return {
      paid: session.payment_status === 'paid' ? session.amount : 0,
      refunded: refundedOf(session),
      refunds: session.intent?.refunds.length ?? 0,
      payable: session.status === 'open',
    };
  }

  references = () => this.#sessions.map(({ reference }) => reference);

  async #answer(asked: Asked): Promise<Answered> {
    this.#letExpire();
    try {
      checkCaller(asked);
      if (asked.method === 'GET') return this.#get(new URL(asked.path, this.#origin));
      return await this.#keys.answer(asked, this.#now(), () => this.#post(asked));
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  }

  #trouble(status: number, asked: Asked): unknown {
    const { body } = refusal(status, 'An unknown error occurred', { type: 'api_error' });
    if (status === 500) this.#keys.keep(asked, this.#now(), { status, body });
    return body;
  }

  #get({ pathname, searchParams }: URL): Answered {
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(pathname) ?? [];
    if (id !== undefined) {
      const body = shownSession(this.#session(id), searchParams.getAll('expand[]'));
      return { status: 200, body };
    }
    const [, what] = /^\/v1\/(refunds|disputes)$/.exec(pathname) ?? [];
    if (what !== 'refunds' && what !== 'disputes') return unknownUrl(pathname);
    const { intent } = this.#paidBy(searchParams.get('payment_intent') ?? '');
    return { status: 200, body: pageOf(intent?.[what] ?? [], searchParams, pathname) };
  }

  async #post(asked: Asked): Promise<Answered> {
    if (asked.headers['idempotency-key'] !== undefined && this.#held) {
      const { reached, released } = this.#held;
      this.#held = undefined;
      reached();
      await released;
    }
    const form = formOf(asked);
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(asked.path) ?? [];
    if (id !== undefined) return executed(() => this.#expire(this.#session(id)));
    if (asked.path === '/v1/checkout/sessions') return { status: 200, body: this.#create(form) };
    if (asked.path !== '/v1/refunds') return unknownUrl(asked.path);
    const wanted = refundForm(form);
    const refund = () => this.#refund(this.#paidBy(wanted.payment_intent), wanted, 'pending');
    return executed(refund);
  }

  #create(form: URLSearchParams) {
    const wanted = sessionForm(form, this.#now());
    const session: Session = {
      object: 'checkout.session',
      id: this.#newId('cs_test'),
      reference: wanted.client_reference_id,
      created: this.#seconds(),
      form: wanted,
      status: 'open',
      payment_status: 'unpaid',
      amount: wanted.amount,
      currency: wanted.currency,
      intent: null,
    };
    this.#sessions.push(session);
    return shownSession(session);
  }

  #expire(session: Session) {
    if (session.status !== 'open') {
      throw new Refused(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    session.status = 'expired';
    this.#tell('expired', session);
    return shownSession(session);
  }

  #refund(
    session: Session,
    wanted: Parameters<typeof newRefund>[2],
    status: 'pending' | 'succeeded',
  ) {
    const refund = newRefund(session, this.#newId('re'), wanted, status);
    session.intent?.refunds.unshift(refund);
    this.#callbacks.add('refund.created', { ...refund });
    this.#callbacks.add('charge.refunded', shownCharge(session));
    return { ...refund };
  }

  #letExpire(): void {
    for (const session of this.#sessions) {
      if (session.status === 'open' && session.form.expires_at <= this.#seconds())
        this.#expire(session);
    }
  }

  #intentOf(session: Session): Intent {
    session.intent ??= {
      id: this.#newId('pi'),
      charge: this.#newId('ch'),
      status: 'processing',
      refunds: [],
      disputes: [],
    };
    return session.intent;
  }

  #session(id: string): Session {
    const found = this.#sessions.find((session) => session.id === id);
    if (found) return found;
    const text = `No such checkout.session: ${id}`;
    throw new Refused(text, { code: 'resource_missing', param: 'session' }, 404);
  }

  #paidBy(intent: string): Session {
    const found = this.#sessions.find((session) => session.intent?.id === intent);
    if (found) return found;
    const text = `No such payment_intent: '${intent}'`;
    throw new Refused(text, { code: 'resource_missing', param: 'payment_intent' }, 404);
  }

  #named(reference: string): Session {
    this.#letExpire();
    const found = this.#sessions.findLast((session) => session.reference === reference);
    if (!found) throw new Error(`Stripe knows of no payment ${reference}.`);
    return found;
  }

  /** A session that can still be paid. */
  #payable(reference: string): Session {
    const session = this.#named(reference);
    const isOver =
      session.status === 'expired' ||
      session.payment_status === 'paid' ||
      (session.status === 'complete' && session.intent?.status !== 'processing');
    if (isOver) throw new Error(`Nobody can pay ${reference} any more.`);
    return session;
  }

  #tell(what: string, session: Session): void {
    this.#callbacks.add(`checkout.session.${what}`, shownSession(session));
  }

  #seconds = () => Math.floor(this.#now().getTime() / 1000);

  #newId = (prefix: string) => `${prefix}_${String(++this.#ids).padStart(24, '0')}`;
}
