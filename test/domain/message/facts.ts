import {
  type Facts,
  type OrderFacts,
  type PaymentFacts,
  nothingListed,
} from '../../../src/domain/message/facts.ts';
import type { TemplateKind } from '../../../src/schema/lists.ts';

export const store: Facts['store'] = {
  name: 'Toko Melati',
  url: 'https://melati.example',
  timezone: 'Asia/Jakarta',
  currency: 'IDR',
  currency_exponent: 0,
};

/** A transfer to one account, with an amount of this order alone. */
export const transfer: PaymentFacts = {
  isPending: false,
  type: 'manual',
  title: 'Bank transfer',
  due: 350_123,
  before: '2026-01-31T17:00:00.000Z',
  accounts: [{ bank: 'BCA', owner: 'PT Melati', account_number: '1234567890', info: '' }],
  exact: true,
  url: null,
  page: null,
};

export const order: OrderFacts = {
  number: 'INV-2041',
  status: 'on-hold',
  product: 'Kelas Memasak Rendang',
  quantity: 2,
  total: 350_123,
  placed: '2026-01-30T02:15:00.000Z',
  buyer: { name: 'Dewi Kartika', email: 'dewi@demo.example' },
  payment: null,
  shipping: null,
  access: nothingListed,
  licenses: nothingListed,
  account: null,
};

const shipping = {
  courier: 'JNE REG',
  tracking_number: 'JP0123456789',
  tracking_url: 'https://track.example/JP0123456789',
};

const goods = {
  access: {
    shown: [{ title: 'Kelas Memasak Rendang', url: 'https://melati.example/kelas/rendang' }],
    left: 0,
  },
  licenses: { shown: ['RNDG-7F2K-99QX', 'RNDG-2M4P-51TZ'], left: 0 },
  account: 'https://api.melati.example/account',
};

const cod: PaymentFacts = { ...transfer, type: 'cod', accounts: [], before: null, exact: false };

const ofOrder = (fields: Partial<OrderFacts> = {}, more: Partial<Facts> = {}): Facts => ({
  store,
  name: order.buyer.name,
  order: { ...order, ...fields },
  ...more,
});

const ofOther = (more: Partial<Facts>): Facts => ({ store, name: 'Sari Wulandari', ...more });

const subscription = {
  product: 'Majalah Dapur',
  end: '2026-02-14T10:00:00.000Z',
  renewal: 75_000,
} as const;

/** Complete facts of each kind. */
export const full: Readonly<Record<TemplateKind, Facts>> = {
  welcome: ofOther({}),
  'order-placed': ofOrder({ payment: transfer }),
  'payment-received': ofOrder({}),
  'order-in-progress': ofOrder({ payment: cod }),
  'order-shipped': ofOrder({ shipping, payment: cod }),
  'order-completed': ofOrder(goods),
  'order-cancelled': ofOrder(),
  'order-refunded': ofOrder({}, { refund: { amount: 350_123, reason: 'Stok habis.' } }),
  'confirmation-rejected': ofOrder(
    { payment: transfer },
    { confirmation: { amount: 350_000, reason: 'Bukti transfernya tidak terbaca.' } },
  ),
  'subscription-ending': ofOther({ subscription }),
  'subscription-ended': ofOther({ subscription }),
  'subscription-cancelled': ofOther({ subscription }),
  'payment-overdue': ofOther({ subscription }),
  'commission-earned': ofOther({ commission: { amount: 35_000, product: order.product } }),
  'commission-paid': ofOther({
    payout: { amount: 210_000, method: 'Transfer BCA', reference: 'TRX-88121' },
  }),
  'bank-account-changed': ofOther({}),
  'new-order': ofOrder(),
  'new-confirmation': ofOrder({}, { confirmation: { amount: 350_123, reason: null } }),
  'unexpected-payment': ofOrder({}, { unexpected: { amount: 300_000, reason: 'amount' } }),
  'webhook-paused': ofOther({ webhook: { name: 'Gudang', reason: 'failing' } }),
  'seller-summary': ofOther({
    summary: {
      console: 'https://api.melati.example/console',
      counts: { 'new-order': 64, 'unexpected-payment': 1 },
    },
  }),
  'store-alert': ofOther({
    alert: {
      undelivered_event_age: 3700,
      failing_webhooks: 2,
      stuck_payments: 1,
      stuck_messages: 12,
      unsent_refunds: 1,
      backup_age: 777_600,
      database_size: 11_000_000_000,
    },
  }),
};

const bare = { ...order, buyer: { name: '', email: '' } };

/** The fewest facts of each kind: a store without a site, a person without a name. */
export const minimal = (kind: TemplateKind): Facts => {
  const { order: whole, subscription, refund, confirmation, payout, ...facts } = full[kind];
  // Money may arrive for a deleted order.
  const isKnown = whole && kind !== 'unexpected-payment';
  return {
    ...facts,
    store: { ...store, url: '' },
    name: '',
    ...(isKnown && { order: bare }),
    ...(subscription && {
      subscription: {
        product: subscription.product,
        ...(subscription.end && { end: subscription.end }),
      },
    }),
    ...(refund && { refund: { ...refund, reason: null } }),
    ...(confirmation && { confirmation: { amount: null, reason: null } }),
    ...(payout && { payout: { ...payout, method: '', reference: '' } }),
  };
};
