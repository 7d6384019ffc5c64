import { randomUUID } from 'node:crypto';
import type { Books, Fault, TestProvider } from './provider.ts';
import { ProviderServer } from './server.ts';
import { Account } from './xendit/account.ts';
import {
  type Payment,
  type Session,
  disputeAnswer,
  refundedOf,
  sessionAnswer,
} from './xendit/answers.ts';
import { markets } from './xendit/checks.ts';

const key = `xnd_development_${'k'.repeat(24)}`;
const token = 'callback-token-of-the-account';

/**
 * Xendit by its pages (docs.xendit.co/apidocs): Payment Sessions, their payments, refunds and disputes. Sessions may
 * share a reference. A refund under a known reference is another refund, and is refused while one is pending.
 */
export class XenditServer implements TestProvider {
  readonly id = 'xendit';
  readonly units = Object.fromEntries(
    Object.entries(markets).map(([currency, { decimals }]) => [currency, decimals]),
  );
  #now = () => new Date(0);
  readonly #account = new Account(key, () => this.#now());
  #origin = '';
  readonly #server = new ProviderServer(
    (asked) => this.#account.answer(asked),
    ({ method, path }) => {
      if (method === 'GET') return path.startsWith('/sessions/') ? 'look' : undefined;
      if (path === '/sessions') return 'open';
      return path === '/refunds' ? 'refund' : 'cancel';
    },
    (status) => ({
      error_code: status === 503 ? 'CHANNEL_UNAVAILABLE' : 'SERVER_ERROR',
      message: 'Something unexpected happened.',
    }),
  );

  get journal() {
    return this.#server.journal;
  }

  get variables() {
    return { XENDIT_SECRET_KEY: key, XENDIT_CALLBACK_TOKEN: token, XENDIT_API_URL: this.#origin };
  }

  async open(now: () => Date): Promise<void> {
    this.#now = now;
    this.#origin = await this.#server.open();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  fail(kind: 'open' | 'look' | 'cancel' | 'refund', fault: Fault): void {
    this.#server.fail(kind, fault);
  }

  pay(reference: string, changed: { amount?: number; currency?: string } = {}): void {
    const session = this.#payable(reference);
    session.payment = { ...attempted(session), ...changed, status: 'SUCCEEDED' };
    session.status = 'COMPLETED';
    this.#account.tell('payment_session.completed', sessionAnswer(session));
  }

  /** Nothing in a session shows that the buyer got a payment code. */
  begin(reference: string): void {
    const session = this.#payable(reference);
    session.payment = attempted(session);
  }

  /** The page stays open, so that the buyer can try again. */
  decline(reference: string): void {
    this.#payable(reference).payment = null;
  }

  refundByHand(reference: string, amount?: number): void {
    const payment = this.#paid(reference);
    const left = payment.amount - refundedOf(payment);
    const asked = { reference: null, reason: 'OTHERS', amount: amount ?? left };
    this.#account.settle(payment, this.#account.addRefund(payment, asked), 'SUCCEEDED');
  }

  settleRefunds(outcome: 'succeeded' | 'failed'): void {
    for (const { payment } of this.#account.sessions.values()) {
      for (const refund of payment?.refunds ?? []) {
        if (!payment || refund.status !== 'PENDING') continue;
        this.#account.settle(payment, refund, outcome === 'failed' ? 'FAILED' : 'SUCCEEDED');
      }
    }
  }

  dispute(reference: string, state: 'open' | 'won' | 'lost'): void {
    const payment = this.#paid(reference);
    const status = ({ open: 'ACTION_REQUIRED', won: 'WON', lost: 'LOST' } as const)[state];
    payment.dispute = { id: payment.dispute?.id ?? `mi-dspt-${randomUUID()}`, status };
    // Unlike other callbacks, these have no `data`.
    const answer = disputeAnswer(this.#session(reference), payment);
    this.#account.notices.push({ event: `dispute.${status.toLowerCase()}`, ...answer });
  }

  returned(reference: string): string {
    return this.#session(reference).return_url ?? '';
  }

  takeCallbacks(baseUrl: string): Request[] {
    this.#account.passTime();
    const callbacks = this.#account.notices.map((notice) => callback(baseUrl, notice, token));
    this.#account.notices = [];
    return callbacks;
  }

  forgeries(baseUrl: string, reference: string): Request[] {
    const notice = paidNotice(this.#session(reference));
    return [null, '', `${token.slice(0, -1)}X`, token.toUpperCase(), `${token}x`].map((proof) =>
      callback(baseUrl, notice, proof),
    );
  }

  alterations(baseUrl: string, reference: string): Request[] {
    return [callback(baseUrl, paidNotice(this.#session(reference)), token)];
  }

  books(reference: string): Books {
    this.#account.passTime();
    const { payment, status } = this.#session(reference);
    const lost = payment?.dispute?.status === 'LOST' ? payment.amount : 0;
    return {
      paid: payment?.status === 'SUCCEEDED' ? payment.amount : 0,
      refunded: payment ? refundedOf(payment) + lost : 0,
      refunds: payment?.refunds.length ?? 0,
      payable: status === 'ACTIVE',
    };
  }

  references(): string[] {
    return [...this.#account.sessions.values()].map(({ reference }) => reference);
  }

  #session(reference: string): Session {
    const sessions = [...this.#account.sessions.values()];
    const session = sessions.findLast((each) => each.reference === reference);
    if (!session) throw new Error(`There is no session ${reference}.`);
    return session;
  }

  #payable(reference: string): Session {
    this.#account.passTime();
    const session = this.#session(reference);
    if (session.status !== 'ACTIVE') throw new Error(`The session is ${session.status}.`);
    return session;
  }

  #paid(reference: string): Payment {
    const { payment } = this.#session(reference);
    if (payment?.status !== 'SUCCEEDED') throw new Error('It is not paid.');
    return payment;
  }
}

const attempted = ({ amount, currency }: Session): Payment => ({
  id: `py-${randomUUID()}`,
  request_id: `pr-${randomUUID()}`,
  amount,
  currency,
  status: 'PENDING',
  refunds: [],
  dispute: null,
});

/** The callback for a session, as if it had been paid. */
const paidNotice = (session: Session): object => ({
  event: 'payment_session.completed',
  created: session.created,
  data: sessionAnswer({ ...session, status: 'COMPLETED', payment: attempted(session) }),
});

/** The dashboard has one address for all events. */
const callback = (baseUrl: string, notice: object, proof: string | null): Request =>
  new Request(`${baseUrl}/payments/xendit/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(proof !== null && { 'x-callback-token': proof }),
    },
    body: JSON.stringify(notice),
  });
