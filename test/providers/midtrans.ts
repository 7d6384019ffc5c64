import { randomUUID } from 'node:crypto';
import { closingTime, isSnapRequest, refusalsOf } from './midtrans-checks.ts';
import {
  type Charge,
  MidtransLedger,
  type Page,
  isOwnId,
  isRefundable,
  leftOf,
  signatureOf,
} from './midtrans-ledger.ts';
import type { Asked, Fault, TestProvider } from './provider.ts';
import { type Answered, ProviderServer } from './server.ts';

/**
 * Midtrans Snap with its Core API, from docs.midtrans.com/reference: backend-integration, get-transaction-status,
 * cancel-a-snap-session, refund-transaction and handle-notifications. Its two hosts are one server here.
 */
export class MidtransServer extends MidtransLedger implements TestProvider {
  readonly id = 'midtrans';
  readonly units = { IDR: 0 };
  deniesRefunds = false;
  readonly #server = new ProviderServer(
    (asked) => this.#answer(asked),
    (asked) => kindOf(asked),
    (status, { path }) =>
      path.startsWith('/snap/')
        ? { error_messages: ['Sorry, we encountered internal server error.'] }
        : { status_code: String(status), status_message: 'Sorry, our system is unavailable.' },
  );
  #origin = '';

  get journal() {
    return this.#server.journal;
  }

  get variables() {
    return {
      MIDTRANS_SERVER_KEY: this.serverKey,
      MIDTRANS_API_URL: this.#origin,
      MIDTRANS_APP_URL: this.#origin,
    };
  }

  async open(now: () => Date): Promise<void> {
    this.now = now;
    this.#origin = await this.#server.open();
  }

  close = () => this.#server.close();

  fail(kind: 'open' | 'look' | 'cancel' | 'refund', fault: Fault): void {
    this.#server.fail(kind, fault);
  }

  /** docs.midtrans.com/docs/snap-advanced-feature, Configuring Redirect URL. */
  returned(reference: string): string {
    const { status_code, transaction_status } = this.bodyOf(this.pageOf(reference));
    return new URLSearchParams({ order_id: reference, status_code, transaction_status }).toString();
  }

  takeCallbacks(baseUrl: string): Request[] {
    for (const page of this.pages.values()) this.expire(page);
    return this.queue.splice(0).flatMap(({ page, body }) => {
      const addresses = page.notify.length > 0 ? page.notify : [dashboardAddress(baseUrl)];
      return addresses.map((address) => posted(address, body));
    });
  }

  forgeries(baseUrl: string, reference: string): Request[] {
    const genuine = this.bodyOf(this.pageOf(reference));
    const claim = { ...genuine, transaction_status: 'settlement', fraud_status: 'accept' };
    const { signature_key, ...unsigned } = { ...claim, status_code: '200' };
    return [
      unsigned,
      { ...unsigned, signature_key: '' },
      { ...unsigned, signature_key: signatureOf(unsigned, 'SB-Mid-server-somebody-else') },
      // Genuine signatures with another outcome, amount and order.
      { ...claim, status_code: genuine.status_code === '200' ? '201' : '200' },
      { ...claim, gross_amount: '1.00' },
      { ...claim, order_id: `${reference}0` },
      { ...unsigned, signature_key: [signature_key] },
    ].map((body) => posted(dashboardAddress(baseUrl), body));
  }

  /** Neither the outcome nor the transaction is signed. */
  alterations(baseUrl: string, reference: string): Request[] {
    const genuine = this.bodyOf(this.pageOf(reference));
    const elsewhere = [...this.pages.values()].flatMap(({ order_id, charges }) => [
      order_id,
      ...charges.filter((charge) => !isOwnId(charge)).map(({ transaction_id }) => transaction_id),
    ]);
    return [genuine.transaction_id, randomUUID(), ...elsewhere].map((transaction_id) =>
      posted(dashboardAddress(baseUrl), {
        ...genuine,
        transaction_id,
        transaction_status: 'settlement',
        fraud_status: 'accept',
      }),
    );
  }

  #answer(asked: Asked): Answered {
    const expected = `Basic ${Buffer.from(`${this.serverKey}:`).toString('base64')}`;
    const isSnap = asked.path.startsWith('/snap/');
    const refuse = isSnap ? snapError : coreError;
    if (asked.headers.authorization !== expected) return refuse(401, 'Access denied.');
    if (!asked.headers.accept?.includes('application/json')) return refuse(403, 'Not JSON');
    const isJson = asked.headers['content-type'] === 'application/json';
    if (asked.method === 'POST' && !isJson) return refuse(413, 'Not JSON');
    return isSnap ? this.#snap(asked) : this.#core(asked);
  }

  #snap({ method, path, headers, body }: Asked): Answered {
    const [, closing] = /^\/snap\/v1\/transactions\/([^/]+)\/cancel$/.exec(path) ?? [];
    if (method !== 'POST') return snapError(405, 'Method not allowed');
    if (closing !== undefined) return this.#cancelPage(decodeURIComponent(closing));
    if (path !== '/snap/v1/transactions') return snapError(404, 'not found');
    const asked = parsed(body);
    const refusals = refusalsOf(asked, (id) => this.pages.has(id));
    if (refusals.length > 0 || !isSnapRequest(asked)) {
      return { status: 400, body: { error_messages: refusals } };
    }
    const notify = (headers['x-override-notification'] ?? '').split(',').filter(Boolean);
    if (notify.length > 3) return snapError(400, 'X-Override-Notification is invalid');
    const { order_id } = asked.transaction_details;
    const closes = closingTime(asked, this.now());
    const token = randomUUID();
    const opened = { token, order_id, asked, closes, notify, isCancelled: false, charges: [] };
    this.pages.set(order_id, opened);
    const redirect_url = `${this.#origin}/snap/v4/redirection/${token}`;
    return { status: 201, body: { token, redirect_url } };
  }

  /** docs.midtrans.com/reference/cancel-a-snap-session. */
  #cancelPage(token: string): Answered {
    const page = [...this.pages.values()].find((page) => page.token === token);
    if (!page) return snapError(404, 'token not found');
    if (page.isCancelled) return snapError(400, 'token already canceled');
    if (page.charges.length > 0) return snapError(400, 'Transaction is on progress');
    page.isCancelled = true;
    return { status: 200, body: { canceled_at: this.now().toISOString() } };
  }

  /** The body has the result: the HTTP status is mostly 200. */
  #core({ method, path, headers, body }: Asked): Answered {
    const [, id = '', action = ''] = /^\/v2\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    const isOwn = headers['transaction-source'] === 'SNAP_API';
    const named = this.#named(decodeURIComponent(id), isOwn);
    if (!named) return coreError(404, "Transaction doesn't exist.");
    const { page, charge } = named;
    this.expire(page);
    switch (`${method} ${action}`) {
      case 'GET status':
        return { status: 200, body: this.#told(page, charge) };
      case 'POST expire':
        if (charge.transaction_status !== 'pending') return unchangeable;
        page.isCancelled = true;
        this.change(page, { transaction_status: 'expire', status_code: '407' });
        return { status: 200, body: this.#told(page, charge) };
      case 'POST refund':
        return this.#askedRefund(page, charge, parsed(body));
      default:
        return coreError(405, 'Method not allowed');
    }
  }

  /** BI-SNAP banks and DANA use the transaction's id, also as the order's id. */
  #told(page: Page, charge: Charge) {
    const body = this.bodyOf(page, charge);
    return isOwnId(charge) ? { ...body, order_id: body.transaction_id } : body;
  }

  /** An order's id names its last transaction; a transaction's own id may name an earlier one. */
  #named(id: string, isOwn: boolean): { page: Page; charge: Charge } | undefined {
    return [...this.pages.values()]
      .flatMap((page) => page.charges.map((charge) => ({ page, charge })))
      .find(({ page, charge }) => {
        if (isOwnId(charge)) return isOwn && charge.transaction_id === id;
        const isLast = page.charges.at(-1) === charge;
        return charge.transaction_id === id || (isLast && page.order_id === id);
      });
  }

  #askedRefund(page: Page, charge: Charge, body: unknown): Answered {
    const { refund_key, amount, reason = '' }: Record<string, unknown> = Object(body);
    if (typeof refund_key !== 'string' || !/^[\w-]+$/.test(refund_key)) return invalid;
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return invalid;
    if (typeof reason !== 'string' || reason.length > 255) return invalid;
    if (charge.refunds.some((refund) => refund.refund_key === refund_key)) {
      return coreError(406, 'Duplicate refund ID');
    }
    if (!isRefundable(charge)) return unchangeable;
    if (amount < 1 || amount > leftOf(charge)) {
      return coreError(414, 'Refund request is rejected due to invalid amount');
    }
    if (this.deniesRefunds) {
      const denied = { refund_chargeback_id: ++this.refunds, refund_amount: '0.00', refund_key };
      return { status: 200, body: { ...this.#told(page, charge), ...denied, status_code: '202' } };
    }
    const asked = this.giveBack(page, { refund_key, amount, reason });
    return { status: 200, body: { ...this.#told(page, charge), refunds: undefined, ...asked } };
  }
}

function kindOf({ method, path }: Asked) {
  if (method === 'GET') return 'look';
  if (path.endsWith('/cancel') || path.endsWith('/expire')) return 'cancel';
  return path.endsWith('/refund') ? 'refund' : 'open';
}

const posted = (address: string, body: object) =>
  new Request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Veritrans' },
    body: JSON.stringify(body),
  });

/** The address in the dashboard, for payments without one of their own. */
const dashboardAddress = (baseUrl: string) => `${baseUrl}/payments/midtrans/callback`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const snapError = (status: number, message: string): Answered => ({
  status,
  body: { error_messages: [message] },
});

const coreError = (status: number, status_message: string): Answered => ({
  status: status === 404 || status === 401 ? status : 200,
  body: { status_code: String(status), status_message },
});

const invalid = coreError(400, 'One or more parameters in the payload is invalid.');
const unchangeable = coreError(412, 'Merchant cannot modify the status of the transaction');
