import { randomUUID } from 'node:crypto';
import { Account } from './paypal/account.ts';
import {
  type Capture,
  type Order,
  captureAnswer,
  disputeAnswer,
  orderAnswer,
  refundAnswer,
  refundedOf,
} from './paypal/answers.ts';
import { currencies } from './paypal/checks.ts';
import { type Proof, signed, webhookId, written } from './paypal/webhooks.ts';
import type { Books, Fault, TestProvider } from './provider.ts';
import { ProviderServer } from './server.ts';

const client = 'AeA1QIZXiflr1_-r0U2UbWTziOWX1GRQer5jkUq4ZfWT5qwb6qQRPq7jDtv57TL4POEEezGLdutcxnkJ';
const secret = 'ECYYrrSHdKfk_Q0EdvzdGkzj58a66kKaUQ5dZAEv4HvvtDId2_DpSuYDB088BZxGuMji7G4OFUnPog6p';

/**
 * PayPal by its specifications and pages (paypal/paypal-rest-api-specifications: Orders v2, Payments v2, Webhooks v1,
 * Disputes v1). An approved order is paid once it is captured.
 */
export class PayPalServer implements TestProvider {
  readonly id = 'paypal';
  readonly units = currencies;
  #now = () => new Date(0);
  readonly #account = new Account(client, secret, () => this.#now());
  #origin = '';
  readonly #server = new ProviderServer(
    (asked) => this.#account.answer(asked),
    ({ method, path }) => {
      if (path === '/v2/checkout/orders') return 'open';
      if (path.endsWith('/refund')) return 'refund';
      return method === 'GET' && path.startsWith('/v2/checkout/orders/') ? 'look' : undefined;
    },
    (status) => ({
      name: status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR',
      message: 'An internal server error has occurred.',
      debug_id: randomUUID(),
    }),
  );

  get journal() {
    return this.#server.journal;
  }

  get variables() {
    return {
      PAYPAL_CLIENT_ID: client,
      PAYPAL_SECRET: secret,
      PAYPAL_WEBHOOK_ID: webhookId,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_API_URL: this.#origin,
    };
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

  /** Makes all issued tokens invalid. */
  withdrawTokens(): void {
    this.#account.tokens.clear();
  }

  pay(reference: string, changed: { amount?: number; currency?: string } = {}): void {
    const order = this.#order(reference);
    order.plan = 'COMPLETED';
    order.changed = changed;
    if (order.capture) this.#settle(order, 'COMPLETED');
    else this.#approve(order);
  }

  begin(reference: string): void {
    const order = this.#order(reference);
    order.plan = 'PENDING';
    this.#approve(order);
  }

  decline(reference: string): void {
    const order = this.#order(reference);
    order.plan = 'DECLINED';
    if (order.capture) this.#settle(order, 'DECLINED');
    else this.#approve(order);
  }

  /** The buyer's bank takes the captured money back. */
  chargeBack(reference: string): void {
    const { order, capture } = this.#captured(reference);
    Object.assign(capture, { status: 'DECLINED', isChargedBack: true });
    this.#account.tell('PAYMENT.CAPTURE.REVERSED', 'capture', captureAnswer(order, capture));
  }

  isChargedBack(reference: string): boolean {
    return this.#order(reference).capture?.isChargedBack === true;
  }

  /** PayPal lets the merchant send an event again. */
  notifyAgain(reference: string): void {
    const order = this.#order(reference);
    const { capture } = order;
    if (!capture) return;
    const type = `PAYMENT.CAPTURE.${capture.isChargedBack ? 'REVERSED' : capture.status}`;
    this.#account.tell(type, 'capture', captureAnswer(order, capture));
  }

  /** The bank returns the money that it took back. */
  undoChargeBack(reference: string): void {
    const order = this.#order(reference);
    const { capture } = order;
    if (!capture?.isChargedBack) throw new Error('The bank has not taken it back.');
    Object.assign(capture, { status: 'COMPLETED', isChargedBack: false });
    this.#account.tell('PAYMENT.CAPTURE.COMPLETED', 'capture', captureAnswer(order, capture));
  }

  /** The buyer approves with a card that its bank declines; they may choose another. */
  useBadCard(reference: string): void {
    const order = this.#order(reference);
    order.plan = 'instrument declined';
    this.#approve(order);
  }

  refundByHand(reference: string, amount?: number): void {
    const { order, capture } = this.#captured(reference);
    const left = capture.amount - refundedOf(capture);
    const refund = this.#account.addRefund(capture, amount ?? left, null);
    refund.status = 'COMPLETED';
    this.#account.tell('PAYMENT.CAPTURE.REFUNDED', 'refund', refundAnswer(order, capture, refund));
  }

  settleRefunds(outcome: 'succeeded' | 'failed'): void {
    for (const order of this.#account.orders.values()) {
      const { capture } = order;
      for (const refund of capture?.refunds ?? []) {
        if (!capture || refund.status !== 'PENDING') continue;
        refund.status = outcome === 'failed' ? 'FAILED' : 'COMPLETED';
        const type = outcome === 'failed' ? 'PAYMENT.REFUND.FAILED' : 'PAYMENT.CAPTURE.REFUNDED';
        this.#account.tell(type, 'refund', refundAnswer(order, capture, refund));
      }
    }
  }

  dispute(reference: string, state: 'open' | 'won' | 'lost'): void {
    const { order, capture } = this.#captured(reference);
    const dispute = { id: order.dispute?.id ?? `PP-D-${capture.id}`, state };
    const type = order.dispute ? 'UPDATED' : 'CREATED';
    order.dispute = dispute;
    this.#account.tell(
      `CUSTOMER.DISPUTE.${state === 'open' ? type : 'RESOLVED'}`,
      'dispute',
      disputeAnswer(order, capture, dispute),
    );
  }

  returned(reference: string): string {
    const { id, return_url } = this.#order(reference);
    const url = new URL(return_url);
    url.searchParams.set('token', id);
    url.searchParams.set('PayerID', 'FSMVU44LF3YUS');
    return url.href;
  }

  takeCallbacks(baseUrl: string): Request[] {
    const callbacks = this.#account.events.map((event) => {
      const body = written(event);
      return callback(baseUrl, body, signed(body, this.#now()));
    });
    this.#account.events = [];
    return callbacks;
  }

  forgeries(baseUrl: string, reference: string): Request[] {
    const order = this.#order(reference);
    const resource = orderAnswer(order);
    const approved = {
      event_type: 'CHECKOUT.ORDER.APPROVED',
      resource_type: 'checkout-order',
      resource,
    };
    const genuine = written(approved);
    const proof = signed(genuine, this.#now());
    const body = written({ ...approved, event_type: 'CHECKOUT.ORDER.COMPLETED' });
    const { 'paypal-cert-url': _, ...incomplete } = proof;
    return [
      callback(baseUrl, body, {}),
      callback(baseUrl, body, proof),
      callback(baseUrl, genuine, incomplete),
      callback(baseUrl, genuine, { ...proof, 'paypal-cert-url': 'https://certs.example/CERT-1' }),
      callback(baseUrl, genuine, { ...proof, 'paypal-transmission-time': 'yesterday' }),
      callback(baseUrl, genuine, { ...proof, 'paypal-transmission-id': randomUUID() }),
      callback(baseUrl, genuine, signed(genuine, this.#now(), '5WX33902CJ7614237')),
      callback(baseUrl, genuine.slice(0, -1), signed(genuine.slice(0, -1), this.#now())),
    ];
  }

  /** An event is signed as a whole. */
  alterations(): Request[] {
    return [];
  }

  books(reference: string): Books {
    const order = this.#order(reference);
    const { capture, dispute, status } = order;
    const isPaid = capture?.status === 'COMPLETED';
    const lost = isPaid && dispute?.state === 'lost' ? capture.amount : 0;
    return {
      paid: isPaid ? capture.amount : 0,
      refunded: capture ? Math.min(capture.amount, refundedOf(capture) + lost) : 0,
      refunds: capture?.refunds.length ?? 0,
      payable: status === 'PAYER_ACTION_REQUIRED' && !this.#account.isGone(order),
    };
  }

  references(): string[] {
    return [...this.#account.orders.values()].map(({ custom_id }) => custom_id ?? '');
  }

  #order(reference: string): Order {
    const orders = [...this.#account.orders.values()];
    const order = orders.findLast(({ custom_id }) => custom_id === reference);
    if (!order) throw new Error(`There is no order ${reference}.`);
    return order;
  }

  #captured(reference: string): { order: Order; capture: Capture } {
    const order = this.#order(reference);
    if (order.capture?.status !== 'COMPLETED') throw new Error('It is not paid.');
    return { order, capture: order.capture };
  }

  #approve(order: Order): void {
    if (order.status === 'APPROVED') return;
    if (order.status !== 'PAYER_ACTION_REQUIRED' || this.#account.isGone(order)) {
      throw new Error('The order can not be approved any more.');
    }
    order.status = 'APPROVED';
    order.approved = this.#now();
    this.#account.tell('CHECKOUT.ORDER.APPROVED', 'checkout-order', orderAnswer(order));
  }

  #settle(order: Order, status: 'COMPLETED' | 'DECLINED'): void {
    const { capture } = order;
    if (capture?.status !== 'PENDING') throw new Error('The capture is over.');
    order.capture = { ...capture, ...order.changed, status };
    this.#account.tell(`PAYMENT.CAPTURE.${status}`, 'capture', captureAnswer(order, order.capture));
  }
}

/** The app's webhook has one address for all events. */
const callback = (baseUrl: string, body: string, proof: Proof): Request =>
  new Request(`${baseUrl}/payments/paypal/callback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...proof },
    body,
  });
