import { randomBytes, randomUUID } from 'node:crypto';
import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import {
  type Payment,
  type Refund,
  type Session,
  business_id,
  disputeAnswer,
  paymentAnswer,
  refundAnswer,
  refundedOf,
  sessionAnswer,
} from './answers.ts';
import { Refusal, checkedRefund, checkedSession, fieldsOf, unitsOf } from './checks.ts';

type Fields = Readonly<Record<string, unknown>>;

export class Account {
  readonly sessions = new Map<string, Session>();
  notices: object[] = [];
  readonly #key: string;
  readonly #now: () => Date;

  constructor(key: string, now: () => Date) {
    this.#key = key;
    this.#now = now;
  }

  tell(event: string, data: object): void {
    this.notices.push({ event, business_id, created: this.#now().toISOString(), data });
  }

  passTime(): void {
    for (const session of this.sessions.values()) {
      if (session.status !== 'ACTIVE' || session.expires_at > this.#now()) continue;
      session.status = 'EXPIRED';
      session.payment = null;
      this.tell('payment_session.expired', sessionAnswer(session));
    }
  }

  addRefund(payment: Payment, asked: Pick<Refund, 'reference' | 'reason' | 'amount'>): Refund {
    const { reference, reason, amount } = asked;
    const created = this.#now().toISOString();
    const id = `rfd-${randomUUID()}`;
    const refund: Refund = { id, reference, reason, amount, created, status: 'PENDING' };
    payment.refunds.push(refund);
    return refund;
  }

  settle(payment: Payment, refund: Refund, status: 'SUCCEEDED' | 'FAILED'): void {
    refund.status = status;
    this.tell(`refund.${status.toLowerCase()}`, refundAnswer(payment, refund));
  }

  answer(asked: Asked): Answered {
    this.passTime();
    try {
      return this.#routed(asked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { error_code: error.code, message: error.message } };
    }
  }

  #routed({ method, path, headers, body }: Asked): Answered {
    const credentials = Buffer.from(`${this.#key}:`).toString('base64');
    if (headers.authorization !== `Basic ${credentials}`) {
      throw new Refusal(401, 'INVALID_API_KEY', 'API key is not authorized for this API');
    }
    const { pathname, searchParams } = new URL(path, 'http://xendit.test');
    const route = `${method} ${pathname.replace(/(ps|py)-[^/]+/, '*')}`;
    const id = /(ps|py)-[^/]+/.exec(pathname)?.[0] ?? '';
    if (method === 'POST' && headers['content-type'] !== 'application/json') {
      throw new Refusal(400, 'API_VALIDATION_ERROR', 'unsupported media type');
    }
    switch (route) {
      case 'POST /sessions':
        return this.#open(fieldsOf(JSON.parse(body), 'body'));
      case 'GET /sessions/*':
        return { status: 200, body: sessionAnswer(this.#found(id)) };
      case 'POST /sessions/*/cancel':
        return this.#cancel(this.#found(id));
      case 'GET /v3/payments/*':
        return this.#payment(id, headers['api-version']);
      case 'GET /refunds':
        return this.#listRefunds(searchParams);
      case 'POST /refunds':
        return this.#refund(fieldsOf(JSON.parse(body), 'body'));
      case 'GET /v1/disputes':
        return this.#listDisputes(searchParams);
      default:
        throw new Refusal(404, 'NOT_FOUND', 'The requested resource was not found');
    }
  }

  #open(fields: Fields): Answered {
    const now = this.#now();
    const session: Session = {
      ...checkedSession(fields, now),
      id: `ps-${randomBytes(12).toString('hex')}`,
      created: now.toISOString(),
      status: 'ACTIVE',
      payment: null,
    };
    this.sessions.set(session.id, session);
    return { status: 201, body: sessionAnswer(session) };
  }

  #found(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw new Refusal(404, 'NOT_FOUND', 'Session not found');
    return session;
  }

  #cancel(session: Session): Answered {
    if (session.status !== 'ACTIVE') {
      const message = `Session status is ${session.status}, expecting ACTIVE`;
      throw new Refusal(422, 'INVALID_SESSION_STATUS', message);
    }
    session.status = 'CANCELED';
    session.payment = null;
    return { status: 200, body: sessionAnswer(session) };
  }

  #payment(id: string, version: string | undefined): Answered {
    if (version !== '2024-11-11') {
      throw new Refusal(400, 'API_VALIDATION_ERROR', 'api-version is missing');
    }
    for (const session of this.sessions.values()) {
      if (session.payment?.id === id) {
        return { status: 200, body: paymentAnswer(session, session.payment) };
      }
    }
    throw new Refusal(404, 'DATA_NOT_FOUND', 'ID specified in request cannot be found.');
  }

  #listRefunds(query: URLSearchParams): Answered {
    const wanted = query.get('payment_request_id');
    const all = [...this.sessions.values()]
      .flatMap(({ payment }) =>
        payment && (wanted === null || payment.request_id === wanted)
          ? payment.refunds.map((refund) => refundAnswer(payment, refund))
          : [],
      )
      .toReversed();
    const from = all.findIndex(({ id }) => id === query.get('after_id')) + 1;
    // Shorter pages than requested, because the provider may decide their length.
    const data = all.slice(from, from + Math.min(2, Number(query.get('limit') ?? 10)));
    return { status: 200, body: { data, has_more: from + data.length < all.length } };
  }

  #listDisputes(query: URLSearchParams): Answered {
    const data = [...this.sessions.values()].flatMap((session) =>
      session.payment?.dispute && session.payment.id === query.get('payment_id')
        ? [disputeAnswer(session, session.payment)]
        : [],
    );
    return { status: 200, body: { data, pagination: { next_cursor: null, has_more: false } } };
  }

  #refund(fields: Fields): Answered {
    const asked = checkedRefund(fields);
    const payment = [...this.sessions.values()]
      .map((session) => session.payment)
      .find((each) => each?.request_id === asked.payment_request_id);
    if (!payment) throw new Refusal(404, 'DATA_NOT_FOUND', 'ID cannot be found.');
    if (payment.status !== 'SUCCEEDED') {
      throw new Refusal(400, 'INELIGIBLE_TRANSACTION_STATUS', 'Not allowed in this status.');
    }
    if (asked.currency !== undefined && asked.currency !== payment.currency) {
      throw new Refusal(400, 'INVALID_VALUE_ERROR', 'The currency is another.');
    }
    if (payment.refunds.some(({ status }) => status === 'PENDING')) {
      throw new Refusal(400, 'REFUND_IN_PROGRESS', 'Please wait for the pending refund request.');
    }
    const left = payment.amount - refundedOf(payment);
    const amount = asked.amount === undefined ? left : unitsOf(asked.amount, payment.currency);
    if (amount > left) throw new Refusal(400, 'REFUND_AMOUNT_EXCEEDED', 'Too much.');
    const refund = this.addRefund(payment, { ...asked, amount });
    return { status: 200, body: refundAnswer(payment, refund) };
  }
}
