import { createHash, randomUUID } from 'node:crypto';
import type { SnapRequest } from './midtrans-checks.ts';
import type { Books } from './provider.ts';

interface Refund {
  readonly refund_chargeback_id: number;
  readonly refund_amount: string;
  readonly refund_key: string;
  readonly reason: string;
  readonly created_at: string;
  bank_confirmed_at?: string;
}

/** A buyer's choice of payment, and its outcome. */
export interface Charge {
  readonly transaction_id: string;
  readonly payment_type: string;
  readonly gross_amount: string;
  readonly currency: string;
  readonly transaction_time: string;
  transaction_status: string;
  status_code: string;
  fraud_status: 'accept' | 'challenge';
  readonly refunds: Refund[];
}

/** A page of Snap with its charges; the last one counts. */
export interface Page {
  readonly token: string;
  readonly order_id: string;
  readonly asked: SnapRequest;
  readonly closes: Date;
  /** The addresses for notifications; empty for that of the dashboard. */
  readonly notify: readonly string[];
  isCancelled: boolean;
  readonly charges: Charge[];
}

/** Methods that are looked up by the transaction's id only: docs.midtrans.com/reference/dana. */
const ownIdMethods = ['dana', 'danamon_va', 'bsi_va', 'seabank_va', 'saqu_va'];

export const isOwnId = ({ payment_type }: Charge) => ownIdMethods.includes(payment_type);

/** docs.midtrans.com/reference/refund-transaction: bank transfers and payments at shops can't be refunded. */
const refundable = ['credit_card', 'gopay', 'shopeepay', 'dana', 'qris', 'kredivo', 'akulaku'];

const paidStatuses = ['capture', 'settlement', 'refund', 'partial_refund', 'chargeback'];

const isPaid = ({ transaction_status, fraud_status }: Charge) =>
  paidStatuses.includes(transaction_status) && fraud_status === 'accept';

const rupiah = (amount: number) => `${amount}.00`;
const amountOf = (text: string) => Number(text.replace(/\.00$/, ''));
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const givenBack = ({ refunds }: Charge) =>
  sum(refunds.map(({ refund_amount }) => amountOf(refund_amount)));

export const leftOf = (charge: Charge) => amountOf(charge.gross_amount) - givenBack(charge);

export const isRefundable = ({ transaction_status, payment_type }: Charge) =>
  ['settlement', 'partial_refund'].includes(transaction_status) &&
  refundable.includes(payment_type);

function lastOf({ order_id, charges }: Page): Charge {
  const charge = charges.at(-1);
  if (!charge) throw new Error(`Nobody has chosen how to pay ${order_id}.`);
  return charge;
}

const wib = (date: Date) =>
  new Date(date.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Midtrans's books: the states of pages by docs.midtrans.com/docs/transaction-status-cycle, with their notifications.
 */
export class MidtransLedger {
  /** The next buyer's choice of payment. */
  method = 'gopay';
  /** True if banks confirm refunds only at `confirmRefunds`. */
  holdsRefunds = false;
  protected readonly pages = new Map<string, Page>();
  protected readonly queue: { readonly page: Page; readonly body: object }[] = [];
  protected readonly serverKey = 'SB-Mid-server-test-of-this-store';
  protected now: () => Date = () => new Date(0);
  protected refunds = 0;

  pay(reference: string, { amount, currency }: { amount?: number; currency?: string } = {}): void {
    const page = this.pageOf(reference);
    const last = page.charges.at(-1);
    const isChanged = amount !== undefined || currency !== undefined;
    const isChosen = last?.transaction_status === 'pending' && !isChanged;
    const charge = isChosen ? last : this.choose(page, amount, currency);
    const transaction_status = charge.payment_type === 'credit_card' ? 'capture' : 'settlement';
    this.change(page, { transaction_status, status_code: '200', fraud_status: 'accept' });
  }

  begin(reference: string): void {
    this.choose(this.pageOf(reference));
  }

  /** Marks a card's payment for review by the shop. */
  challenge(reference: string): void {
    const page = this.pageOf(reference);
    this.choose(page);
    const fraud_status = 'challenge';
    this.change(page, { transaction_status: 'capture', status_code: '201', fraud_status });
  }

  approve(reference: string): void {
    this.change(this.pageOf(reference), { status_code: '200', fraud_status: 'accept' });
  }

  /** Settles a card's payment, as on the next day. */
  settle(reference: string): void {
    this.change(this.pageOf(reference), { transaction_status: 'settlement' });
  }

  /** Also reverses settled payments, as Permata, Mandiri Bill and Indomaret do within minutes. */
  decline(reference: string): void {
    const page = this.pageOf(reference);
    if (page.charges.length === 0) this.choose(page);
    this.change(page, { transaction_status: 'deny', status_code: '202' });
  }

  refundByHand(reference: string, amount?: number): void {
    const page = this.pageOf(reference);
    const refund_key = `dashboard-${randomUUID()}`;
    this.giveBack(page, { refund_key, amount: amount ?? leftOf(lastOf(page)), reason: '' });
  }

  confirmRefunds(): void {
    for (const page of this.pages.values()) {
      const open = page.charges
        .flatMap(({ refunds }) => refunds)
        .filter(({ bank_confirmed_at }) => bank_confirmed_at === undefined);
      for (const refund of open) refund.bank_confirmed_at = wib(this.now());
      if (open.length > 0) this.notify(page);
    }
  }

  /** Only disputes that the buyer won are reported: docs.midtrans.com/docs/apa-itu-chargeback. */
  dispute(reference: string, state: 'open' | 'won' | 'lost'): void {
    if (state === 'lost') this.change(this.pageOf(reference), { transaction_status: 'chargeback' });
  }

  books(reference: string): Books {
    const page = this.pageOf(reference);
    this.expire(page);
    const paid = page.charges.filter(isPaid);
    return {
      paid: sum(paid.map(({ gross_amount }) => amountOf(gross_amount))),
      refunded: sum(paid.map(givenBack)),
      refunds: paid.flatMap(({ refunds }) => refunds).length,
      payable: this.isPayable(page),
    };
  }

  references = () => [...this.pages.keys()];

  protected pageOf(reference: string): Page {
    const page = this.pages.get(reference);
    if (!page) throw new Error(`Midtrans has no page of ${reference}.`);
    return page;
  }

  protected isPayable(page: Page): boolean {
    const last = page.charges.at(-1)?.transaction_status ?? 'deny';
    return !page.isCancelled && page.closes > this.now() && ['deny', 'pending'].includes(last);
  }

  /** A notification is sent when the chosen method expires, not when the page closes. */
  protected expire(page: Page): void {
    if (page.closes > this.now() || page.charges.at(-1)?.transaction_status !== 'pending') return;
    this.change(page, { transaction_status: 'expire', status_code: '407' });
  }

  protected choose(page: Page, amount?: number, currency = 'IDR'): Charge {
    if (!this.isPayable(page)) throw new Error(`The page of ${page.order_id} is closed.`);
    const charge: Charge = {
      transaction_id: randomUUID(),
      payment_type: this.method,
      gross_amount: rupiah(amount ?? page.asked.transaction_details.gross_amount),
      currency,
      transaction_time: wib(this.now()),
      transaction_status: 'pending',
      status_code: '201',
      fraud_status: 'accept',
      refunds: [],
    };
    page.charges.push(charge);
    this.notify(page);
    return charge;
  }

  protected change(page: Page, fields: Partial<Charge>): void {
    Object.assign(lastOf(page), fields);
    this.notify(page);
  }

  /** Notifies twice: when the refund is made, and when the bank has confirmed it. */
  protected giveBack(
    page: Page,
    { amount, ...named }: { refund_key: string; amount: number; reason: string },
  ): Refund {
    const charge = lastOf(page);
    const refund: Refund = {
      refund_chargeback_id: ++this.refunds,
      refund_amount: rupiah(amount),
      ...named,
      created_at: wib(this.now()),
    };
    const asked = { ...refund };
    charge.refunds.push(refund);
    const transaction_status = leftOf(charge) === 0 ? 'refund' : 'partial_refund';
    this.change(page, { transaction_status });
    if (!this.holdsRefunds) this.confirmRefunds();
    return asked;
  }

  /** Midtrans lets the merchant send a notification again. */
  notifyAgain(reference: string): void {
    const page = this.pageOf(reference);
    if (page.charges.length > 0) this.notify(page);
  }

  private notify(page: Page): void {
    this.queue.push({ page, body: this.bodyOf(page) });
  }

  /** A notification about the present state: docs.midtrans.com/docs/https-notification-webhooks. */
  protected bodyOf({ order_id, asked, charges }: Page, charge = charges.at(-1)) {
    const stands = {
      transaction_id: randomUUID(),
      transaction_status: 'pending',
      status_code: '201',
      fraud_status: 'accept',
      gross_amount: rupiah(asked.transaction_details.gross_amount),
      ...described(charge),
      status_message: 'midtrans payment notification',
      merchant_id: 'G141532850',
      order_id,
    };
    return { ...stands, signature_key: signatureOf(stands, this.serverKey) };
  }
}

function described(charge: Charge | undefined) {
  if (!charge) return {};
  const { refunds, transaction_status, ...told } = charge;
  // Pending DANA payments are written in capitals: docs.midtrans.com/reference/get-transaction-status.
  const isLoud = charge.payment_type === 'dana' && transaction_status === 'pending';
  return {
    ...told,
    transaction_status: isLoud ? 'PENDING' : transaction_status,
    ...(refunds.length > 0 && {
      refund_amount: rupiah(givenBack(charge)),
      refunds: refunds.map((refund) => ({ ...refund })),
    }),
  };
}

/** docs.midtrans.com/reference/handle-notifications, Signature Key. */
export const signatureOf = (
  body: { order_id: string; status_code: string; gross_amount: string },
  key: string,
): string =>
  createHash('sha512')
    .update(body.order_id + body.status_code + body.gross_amount + key)
    .digest('hex');
