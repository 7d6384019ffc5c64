import { randomBytes, randomUUID } from 'node:crypto';
import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import {
  type Capture,
  type Order,
  type Refund,
  captureAnswer,
  disputeAnswer,
  disputeItem,
  linksOf,
  orderAnswer,
  refundAnswer,
  refundedOf,
} from './answers.ts';
import {
  Refusal,
  checkedOrder,
  checkedRefund,
  fieldsOf,
  notFound,
  unprocessable,
} from './checks.ts';
import { verification } from './webhooks.ts';

const hour = 3_600_000;

/** An id like 8MC585209K746392H. */
const newId = () => randomBytes(9).toString('hex').slice(0, 17).toUpperCase();

export class Account {
  readonly orders = new Map<string, Order>();
  readonly tokens = new Map<string, number>();
  events: object[] = [];
  readonly #credentials: string;
  readonly #now: () => Date;
  /** Orders and refunds by the id of the request that made them. */
  readonly #requests = new Map<string, { readonly id: string; readonly until: number }>();

  constructor(client: string, secret: string, now: () => Date) {
    this.#credentials = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`;
    this.#now = now;
  }

  tell(event_type: string, resource_type: string, resource: object): void {
    const create_time = this.#now().toISOString();
    const id = `WH-${randomUUID()}`;
    this.events.push({ id, create_time, resource_type, event_type, resource });
  }

  /** True for orders that were opened or approved three hours ago and not captured. */
  isGone({ capture, approved, created }: Order): boolean {
    return !capture && (approved ?? created).getTime() + 3 * hour <= this.#now().getTime();
  }

  addRefund(capture: Capture, amount: number, custom_id: string | null): Refund {
    const refund: Refund = { id: newId(), amount, custom_id, status: 'PENDING' };
    capture.refunds.push(refund);
    return refund;
  }

  answer(asked: Asked): Answered {
    try {
      return asked.path === '/v1/oauth2/token' ? this.#token(asked) : this.#authorized(asked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code: name, message, details } = error;
      return { status, body: { name, message, debug_id: randomUUID(), details } };
    }
  }

  #token({ headers, body }: Asked): Answered {
    const refused = (status: number, error: string) => ({ status, body: { error } });
    if (headers.authorization !== this.#credentials) return refused(401, 'invalid_client');
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    if (!isForm || new URLSearchParams(body).get('grant_type') !== 'client_credentials') {
      return refused(400, 'unsupported_grant_type');
    }
    const access_token = randomBytes(24).toString('base64url');
    const expires_in = 9 * 3600;
    this.tokens.set(access_token, this.#now().getTime() + expires_in * 1000);
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in } };
  }

  #authorized(asked: Asked): Answered {
    const { method, path, headers, body } = asked;
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if ((this.tokens.get(token) ?? 0) <= this.#now().getTime()) {
      throw new Refusal(401, 'AUTHENTICATION_FAILURE');
    }
    if (method === 'POST' && headers['content-type'] !== 'application/json') {
      throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    const { pathname, searchParams } = new URL(path, 'http://paypal.test');
    const [, root, id = '', verb = ''] =
      /^(\/v\d\/[a-z]+\/[a-z-]+)(?:\/([\w-]+))?(?:\/([a-z]+))?$/.exec(pathname) ?? [];
    const sent = () => fieldsOf(JSON.parse(body), 'body');
    const request = headers['paypal-request-id'];
    switch (`${method} ${root}${id && '/*'}${verb && `/${verb}`}`) {
      case 'POST /v2/checkout/orders':
        return this.#open(sent(), request);
      case 'GET /v2/checkout/orders/*':
        return { status: 200, body: orderAnswer(this.#order(id)) };
      case 'POST /v2/checkout/orders/*/capture':
        return this.#capture(this.#order(id));
      case 'POST /v2/payments/captures/*/refund':
        return this.#refund(id, sent(), request, headers.prefer === 'return=representation');
      case 'GET /v1/customer/disputes':
        return this.#disputes(searchParams.get('disputed_transaction_id'));
      case 'GET /v1/customer/disputes/*':
        return this.#dispute(id);
      case 'POST /v1/notifications/verify-webhook-signature':
        return { status: 200, body: { verification_status: verification(sent(), body) } };
      default:
        throw notFound();
    }
  }

  /** Returns the result of an earlier request with this id, while PayPal remembers it. */
  #made(request: string | undefined): string | undefined {
    if (request === undefined) return undefined;
    if (request.length < 1 || request.length > 108) {
      throw new Refusal(400, 'INVALID_REQUEST', { issue: 'INVALID_STRING_LENGTH' });
    }
    const made = this.#requests.get(request);
    return made && made.until > this.#now().getTime() ? made.id : undefined;
  }

  #remember(request: string | undefined, id: string, hours: number): void {
    const until = this.#now().getTime() + hours * hour;
    if (request !== undefined) this.#requests.set(request, { id, until });
  }

  #order(id: string): Order {
    const order = this.orders.get(id);
    if (!order || this.isGone(order)) throw notFound();
    return order;
  }

  /** The minimal answer; a header requests the full one. */
  #open(fields: Readonly<Record<string, unknown>>, request: string | undefined): Answered {
    const made = this.#made(request);
    const order: Order = (made !== undefined && this.#order(made)) || {
      ...checkedOrder(fields),
      id: newId(),
      created: this.#now(),
      status: 'PAYER_ACTION_REQUIRED',
      approved: null,
      plan: 'COMPLETED',
      changed: {},
      capture: null,
      dispute: null,
    };
    this.orders.set(order.id, order);
    if (made === undefined) this.#remember(request, order.id, 6);
    const { id, status } = order;
    return {
      status: made === undefined ? 201 : 200,
      body: { id, status, payment_source: { paypal: {} }, links: linksOf(order) },
    };
  }

  #capture(order: Order): Answered {
    if (order.capture) throw unprocessable('ORDER_ALREADY_CAPTURED');
    if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED');
    const isTaken = [...this.orders.values()].some(
      (other) => other.capture && other.invoice_id === order.invoice_id,
    );
    if (isTaken && order.invoice_id !== null) throw unprocessable('DUPLICATE_INVOICE_ID');
    if (order.plan === 'instrument declined') {
      order.status = 'PAYER_ACTION_REQUIRED';
      throw unprocessable('INSTRUMENT_DECLINED');
    }
    const { amount, currency, changed, plan } = order;
    const capture: Capture = {
      id: newId(),
      amount,
      currency,
      ...changed,
      status: plan,
      refunds: [],
    };
    Object.assign(order, { status: 'COMPLETED', capture });
    this.tell(`PAYMENT.CAPTURE.${plan}`, 'capture', captureAnswer(order, capture));
    return { status: 201, body: { id: order.id, status: order.status, links: linksOf(order) } };
  }

  #refund(
    id: string,
    fields: Readonly<Record<string, unknown>>,
    request: string | undefined,
    isWhole: boolean,
  ): Answered {
    const order = [...this.orders.values()].find(({ capture }) => capture?.id === id);
    const capture = order?.capture;
    if (!order || !capture) throw notFound();
    const made = this.#made(request);
    const known = capture.refunds.find((refund) => refund.id === made);
    const refund = known ?? this.#newRefund(capture, fields);
    if (!known) this.#remember(request, refund.id, 45 * 24);
    const { status } = refund;
    const body = isWhole ? refundAnswer(order, capture, refund) : { id: refund.id, status };
    return { status: known ? 200 : 201, body };
  }

  #newRefund(capture: Capture, fields: Readonly<Record<string, unknown>>): Refund {
    const { money, custom_id } = checkedRefund(fields);
    const left = capture.amount - refundedOf(capture);
    if (capture.status === 'PENDING') throw unprocessable('PENDING_CAPTURE');
    if (capture.status !== 'COMPLETED') throw unprocessable('REFUND_NOT_ALLOWED');
    if (left === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED');
    if (money && money.currency !== capture.currency) {
      throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH');
    }
    const amount = money?.amount ?? left;
    if (amount > left) throw unprocessable('REFUND_AMOUNT_EXCEEDED');
    return this.addRefund(capture, amount, custom_id);
  }

  #disputes(capture: string | null): Answered {
    const items = [...this.orders.values()].flatMap((order) =>
      order.dispute && order.capture?.id === capture ? [disputeItem(order.dispute)] : [],
    );
    return { status: 200, body: { items, links: [] } };
  }

  #dispute(id: string): Answered {
    const order = [...this.orders.values()].find(({ dispute }) => dispute?.id === id);
    if (!order?.dispute || !order.capture) throw notFound();
    return { status: 200, body: disputeAnswer(order, order.capture, order.dispute) };
  }
}
