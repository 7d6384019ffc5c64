import { createHash, createHmac } from 'node:crypto';
import { type DuitkuRequest, isDuitkuRequest, refusalOf } from './duitku-checks.ts';
import type { Asked, Books, Fault, TestProvider } from './provider.ts';
import { type Answered, ProviderServer } from './server.ts';

const merchantCode = 'DS10001';
const apiKey = '732b39fc61796845775d2c4fb05332af';

type Algorithm = 'hmac' | 'md5';

interface Invoice {
  readonly reference: string;
  readonly asked: DuitkuRequest;
  readonly closes: Date;
  status: 'waiting' | 'paid' | 'failed' | 'expired';
  paid: number;
  /** Visible only on the merchant portal: no API reports them. */
  readonly refunds: number[];
}

/** docs.duitku.com/pop/en, Check Transaction. */
const statusCodes = { waiting: '01', paid: '00', failed: '02', expired: '02' } as const;
const statusMessages = {
  waiting: 'PROCESS',
  paid: 'SUCCESS',
  failed: 'CANCELED',
  expired: 'EXPIRED',
};

/** Duitku POP, from docs.duitku.com/pop/en and the error table of docs.duitku.com/api/en. */
export class DuitkuServer implements TestProvider {
  readonly id = 'duitku';
  readonly units = { IDR: 0 };
  /** The signature of callbacks; the old one is for merchants who haven't changed yet. */
  signing: Algorithm = 'hmac';
  readonly #invoices = new Map<string, Invoice>();
  readonly #queue: { readonly invoice: Invoice; readonly resultCode: string }[] = [];
  readonly #server = new ProviderServer(
    (asked) => this.#answer(asked),
    ({ path }) => (path.endsWith('/createInvoice') ? 'open' : 'look'),
    () => ({ Message: 'An error has occurred.' }),
  );
  #now: () => Date = () => new Date(0);
  #origin = '';

  get journal() {
    return this.#server.journal;
  }

  get variables() {
    return {
      DUITKU_MERCHANT_CODE: merchantCode,
      DUITKU_API_KEY: apiKey,
      DUITKU_API_URL: this.#origin,
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

  pay(reference: string, { amount, currency }: { amount?: number; currency?: string } = {}): void {
    if (currency !== undefined) throw new Error('Duitku knows rupiah only, and names no currency.');
    const invoice = this.#payable(reference);
    invoice.paid = amount ?? invoice.asked.paymentAmount;
    invoice.status = 'paid';
    this.#queue.push({ invoice, resultCode: '00' });
  }

  /** Nothing reports that the buyer got a payment code. */
  begin(reference: string): void {
    this.#payable(reference);
  }

  decline(reference: string): void {
    const invoice = this.#payable(reference);
    invoice.status = 'failed';
    this.#queue.push({ invoice, resultCode: '01' });
  }

  refundByHand(reference: string, amount?: number): void {
    const invoice = this.#invoice(reference);
    invoice.refunds.push(amount ?? invoice.paid - sum(invoice.refunds));
  }

  /** docs.duitku.com/pop/en, Redirect. */
  returned(merchantOrderId: string): string {
    const { status, reference } = this.#invoice(merchantOrderId);
    const resultCode = statusCodes[status];
    return new URLSearchParams({ merchantOrderId, resultCode, reference }).toString();
  }

  /** Every payment has a callback address of its own; the dashboard has none. */
  takeCallbacks(): Request[] {
    return this.#queue
      .splice(0)
      .map(({ invoice, resultCode }) =>
        posted(invoice.asked.callbackUrl, this.#fields(invoice, resultCode)),
      );
  }

  forgeries(_baseUrl: string, reference: string): Request[] {
    const invoice = this.#invoice(reference);
    const genuine = this.#fields(invoice, '00');
    const { signature: _, ...unsigned } = genuine;
    return [
      unsigned,
      { ...genuine, signature: '' },
      { ...genuine, signature: signatureOf('hmac', unsigned, 'somebody-elses-key') },
      { ...genuine, signature: signatureOf('md5', unsigned, 'somebody-elses-key') },
      // Genuine signatures of a payment with another amount, order and merchant.
      { ...genuine, amount: '1' },
      { ...genuine, merchantOrderId: `${reference}0` },
      { ...genuine, merchantCode: 'DS10002' },
    ].map((fields) => posted(invoice.asked.callbackUrl, fields));
  }

  /** Neither the outcome nor Duitku's reference is signed. */
  alterations(_baseUrl: string, reference: string): Request[] {
    const invoice = this.#invoice(reference);
    const genuine = this.#fields(invoice, '01');
    return [{}, ...[...this.#invoices.values()].map(({ reference }) => ({ reference }))].map(
      (part) => posted(invoice.asked.callbackUrl, { ...genuine, ...part, resultCode: '00' }),
    );
  }

  books(reference: string): Books {
    const { paid, refunds, status } = this.#invoice(reference);
    return {
      paid,
      refunded: sum(refunds),
      refunds: refunds.length,
      payable: status === 'waiting',
    };
  }

  references = () => [...this.#invoices.keys()];

  /** An invoice as it is now; its expiry causes no callback. */
  #invoice(merchantOrderId: string): Invoice {
    const invoice = this.#invoices.get(merchantOrderId);
    if (!invoice) throw new Error(`Duitku has no invoice of ${merchantOrderId}.`);
    if (invoice.status === 'waiting' && invoice.closes <= this.#now()) invoice.status = 'expired';
    return invoice;
  }

  #payable(merchantOrderId: string): Invoice {
    const invoice = this.#invoice(merchantOrderId);
    if (invoice.status !== 'waiting') throw new Error(`The page of ${merchantOrderId} is closed.`);
    return invoice;
  }

  /** docs.duitku.com/pop/en, Callback. */
  #fields({ reference, asked, paid }: Invoice, resultCode: string) {
    const amount = String(paid || asked.paymentAmount);
    const signed = { merchantCode, amount, merchantOrderId: asked.merchantOrderId };
    return {
      ...signed,
      productDetail: asked.productDetails,
      additionalParam: '',
      paymentCode: 'BC',
      resultCode,
      merchantUserId: '',
      reference,
      signature: signatureOf(this.signing, signed, apiKey),
      publisherOrderId: `MG${reference}`,
      spUserHash: '',
      settlementDate: this.#now().toISOString().slice(0, 10),
      issuerCode: '',
    };
  }

  #answer(asked: Asked): Answered {
    if (asked.method !== 'POST')
      return refused(405, 'The requested resource does not support GET.');
    if (asked.headers['content-type'] !== 'application/json') return refused(415, 'Not JSON');
    const body = parsed(asked.body);
    switch (asked.path) {
      case '/api/merchant/createInvoice':
        return this.#create(asked, body);
      case '/api/merchant/transactionStatus':
        return this.#status(Object(body));
      default:
        return refused(404, 'No HTTP resource was found.');
    }
  }

  #create({ headers }: Asked, body: unknown): Answered {
    const timestamp = headers['x-duitku-timestamp'] ?? '';
    if (headers['x-duitku-merchantcode'] !== merchantCode)
      return refused(404, 'Merchant not found');
    const isSigned = headers['x-duitku-signature'] === hmac(merchantCode + timestamp, apiKey);
    if (!/^\d{13}$/.test(timestamp) || !isSigned) return refused(401, 'Wrong signature');
    const refusal = refusalOf(body);
    if (refusal || !isDuitkuRequest(body)) return refusal ?? refused(400, 'Bad Request');
    // The refusal is documented, but not its form.
    if (this.#invoices.has(body.merchantOrderId)) {
      return { status: 200, body: { statusCode: '-105', statusMessage: 'Order already exists' } };
    }
    const reference = `${merchantCode}26${String(this.#invoices.size + 1).padStart(14, '0')}`;
    const closes = new Date(this.#now().getTime() + (body.expiryPeriod ?? 1440) * 60_000);
    const invoice: Invoice = {
      reference,
      asked: body,
      closes,
      status: 'waiting',
      paid: 0,
      refunds: [],
    };
    this.#invoices.set(body.merchantOrderId, invoice);
    return {
      status: 200,
      body: {
        merchantCode,
        reference,
        paymentUrl: `${this.#origin}/redirect_checkout?reference=${reference}`,
        amount: String(body.paymentAmount),
        statusCode: '00',
        statusMessage: 'SUCCESS',
      },
    };
  }

  #status(body: Readonly<Record<string, unknown>>): Answered {
    const { merchantOrderId, signature } = body;
    if (body.merchantCode !== merchantCode) return refused(404, 'Merchant not found');
    if (typeof merchantOrderId !== 'string') return refused(400, 'merchantOrderId is mandatory');
    if (signature !== hmac(merchantCode + merchantOrderId, apiKey)) {
      return refused(401, 'Wrong signature');
    }
    if (!this.#invoices.has(merchantOrderId)) return refused(404, 'Transaction not found');
    const { reference, asked, paid, status } = this.#invoice(merchantOrderId);
    return {
      status: 200,
      body: {
        merchantOrderId,
        reference,
        amount: String(paid || asked.paymentAmount),
        fee: '0.00',
        statusCode: statusCodes[status],
        statusMessage: statusMessages[status],
      },
    };
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const hmac = (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex');

function signatureOf(
  algorithm: Algorithm,
  signed: { merchantCode: string; amount: string; merchantOrderId: string },
  key: string,
): string {
  const text = signed.merchantCode + signed.amount + signed.merchantOrderId;
  return algorithm === 'hmac'
    ? hmac(text, key)
    : createHash('md5')
        .update(text + key)
        .digest('hex');
}

const posted = (address: string, fields: Readonly<Record<string, string>>) =>
  new Request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refused = (status: number, Message: string): Answered => ({ status, body: { Message } });
