import type { TemplateKind } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { Instant } from '../../lib/instant.ts';
import { type Facts, storeOf } from './facts.ts';

export function sampleFacts(
  kind: TemplateKind,
  settings: SettingsRow,
  { page, account }: { readonly page: string | null; readonly account: string | null },
  now: Instant,
): Facts {
  const unit = 10 ** (settings.currency_exponent ?? 0);
  return {
    store: storeOf(settings),
    name: 'Dewi Kartika',
    order: {
      number: `${settings.invoice_prefix}2026-0012`,
      status: 'on-hold',
      product: 'Baking for Beginners',
      quantity: 1,
      total: 350_123 * unit,
      placed: now,
      buyer: { name: 'Dewi Kartika', email: 'dewi.kartika@demo.example' },
      payment: {
        isPending: false,
        type: 'manual',
        title: 'Bank transfer',
        due: 350_123 * unit,
        before: now,
        accounts: settings.manual_accounts.map((account) => ({
          ...account,
          info: account.info ?? '',
        })),
        exact: true,
        url: null,
        page,
      },
      shipping: {
        courier: 'JNE',
        tracking_number: 'JNE0012345678',
        tracking_url: 'https://tracking.example/JNE0012345678',
      },
      access: {
        shown: [{ title: 'Baking for Beginners', url: 'https://demo.example/lessons' }],
        left: 0,
      },
      licenses: { shown: ['AAAAA-BBBBB-CCCCC-DDDDD-EEEEE'], left: 0 },
      account,
    },
    ...samples[kind]?.(unit, now),
  };
}

const samples: Partial<Record<TemplateKind, (unit: number, now: Instant) => Partial<Facts>>> = {
  'order-refunded': (unit) => ({
    refund: { amount: 50_000 * unit, reason: 'One lesson was missing.' },
  }),
  'confirmation-rejected': (unit) => ({
    confirmation: { reason: 'The picture cannot be read.', amount: 350_123 * unit },
  }),
  'new-confirmation': (unit) => ({ confirmation: { reason: null, amount: 350_123 * unit } }),
  'subscription-ending': subscription,
  'subscription-ended': subscription,
  'subscription-cancelled': subscription,
  'payment-overdue': subscription,
  'commission-earned': (unit) => ({
    commission: { amount: 35_000 * unit, product: 'Baking for Beginners' },
  }),
  'commission-paid': (unit) => ({
    payout: { amount: 126_000 * unit, method: 'BCA', reference: 'TRX-2026-03-0042' },
  }),
  'unexpected-payment': (unit) => ({
    unexpected: { amount: 350_123 * unit, reason: 'order_paid' },
  }),
  'seller-summary': () => ({
    summary: {
      console: 'https://api.demo.example/console',
      counts: { 'new-order': 64, 'new-confirmation': 12 },
    },
  }),
  'store-alert': () => ({ alert: { failing_webhooks: 1, backup_age: 9 * 86_400 } }),
  'webhook-paused': () => ({ webhook: { name: 'Bookkeeping', reason: 'failing' } }),
};

function subscription(unit: number, now: Instant): Partial<Facts> {
  return { subscription: { product: 'Baking Club', end: now, renewal: 50_000 * unit } };
}
