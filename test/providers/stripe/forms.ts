import type { Asked } from '../provider.ts';
import { Refused } from './refusals.ts';

/** Decimals of the amounts of a currency: docs.stripe.com/currencies. */
export const units = {
  USD: 2,
  EUR: 2,
  IDR: 2,
  HUF: 2,
  TWD: 2,
  JPY: 0,
  KRW: 0,
  VND: 0,
  KWD: 3,
  BHD: 3,
  ISK: 2,
  UGX: 2,
} as const;

/** Amounts of these currencies are multiples of a number other than 1. */
const steps: Readonly<Record<string, number>> = { kwd: 10, bhd: 10, isk: 100, ugx: 100 };

/** Smallest amounts of an account with payouts in each of these currencies. */
const least: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  idr: 50,
  huf: 17_500,
  jpy: 50,
  krw: 50,
};

export function formOf({ headers, body }: Asked): URLSearchParams {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
    throw new Refused('Invalid request: the body must be sent as a form.');
  }
  const form = new URLSearchParams(body);
  for (const name of form.keys()) {
    if (form.getAll(name).length > 1) throw new Refused(`Repeated parameter: ${name}`);
  }
  return form;
}

/** Checks the form of a session: docs.stripe.com/api/checkout/sessions/create. */
export function sessionForm(form: URLSearchParams, now: Date) {
  const item = 'line_items[0]';
  refuseUnknown(form, [
    ...['mode', 'client_reference_id', 'customer_email', 'expires_at', 'success_url', 'cancel_url'],
    ...[`${item}[quantity]`, `${item}[price_data][currency]`, `${item}[price_data][unit_amount]`],
    `${item}[price_data][product_data][name]`,
    ...['metadata[', 'payment_intent_data[metadata]['],
  ]);
  if (required(form, 'mode') !== 'payment') throw new Refused('Invalid mode', { param: 'mode' });
  required(form, `${item}[price_data][product_data][name]`, 250);
  const quantity = integer(form, `${item}[quantity]`);
  const currency = currencyOf(form, `${item}[price_data][currency]`);
  const amount = quantity * amountOf(form, `${item}[price_data][unit_amount]`, currency);
  if (amount < (least[currency] ?? 1)) {
    const text = `The Checkout Session's total amount must convert to at least 50 cents.`;
    throw new Refused(text, { code: 'amount_too_small' });
  }
  return {
    amount,
    currency,
    client_reference_id: required(form, 'client_reference_id', 200),
    customer_email: emailOf(form),
    expires_at: expiryOf(form, Math.floor(now.getTime() / 1000)),
    success_url: addressOf(form, 'success_url'),
    cancel_url: addressOf(form, 'cancel_url'),
    metadata: metadataOf(form, 'metadata'),
    intent_metadata: metadataOf(form, 'payment_intent_data[metadata]'),
  };
}

/** Checks the form of a refund: docs.stripe.com/api/refunds/create. */
export function refundForm(form: URLSearchParams) {
  refuseUnknown(form, ['payment_intent', 'amount', 'reason', 'metadata[']);
  const reason = form.get('reason');
  if (reason && !['duplicate', 'fraudulent', 'requested_by_customer'].includes(reason)) {
    throw new Refused('Invalid reason', { param: 'reason' });
  }
  return {
    payment_intent: required(form, 'payment_intent'),
    amount: integer(form, 'amount'),
    metadata: metadataOf(form, 'metadata'),
  };
}

export function checkStep(amount: number, currency: string): void {
  if (amount % (steps[currency] ?? 1) === 0) return;
  throw new Refused(`Invalid amount for ${currency}`, { param: 'amount' });
}

function refuseUnknown(form: URLSearchParams, known: readonly string[]): void {
  for (const [name, value] of form) {
    const isKnown = known.some((one) => (one.endsWith('[') ? name.startsWith(one) : name === one));
    const details = { param: name };
    if (!isKnown) {
      throw new Refused(`Received unknown parameter: ${name}`, {
        ...details,
        code: 'parameter_unknown',
      });
    }
    if (value === '') throw new Refused(`You passed an empty string for '${name}'.`, details);
  }
}

function required(form: URLSearchParams, name: string, most = 5000): string {
  const value = form.get(name);
  if (value === null) {
    throw new Refused(`Missing required param: ${name}.`, {
      code: 'parameter_missing',
      param: name,
    });
  }
  if (value.length > most) throw new Refused(`Invalid string: too long`, { param: name });
  return value;
}

function integer(form: URLSearchParams, name: string): number {
  const value = required(form, name);
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new Refused(`Invalid integer: ${value}`, {
    code: 'parameter_invalid_integer',
    param: name,
  });
}

function currencyOf(form: URLSearchParams, name: string): string {
  const currency = required(form, name);
  if (Object.keys(units).some((code) => code.toLowerCase() === currency)) return currency;
  throw new Refused(`Invalid currency: ${currency}.`, { param: name });
}

function amountOf(form: URLSearchParams, name: string, currency: string): number {
  const amount = integer(form, name);
  checkStep(amount, currency);
  if (String(amount).length <= 12) return amount;
  throw new Refused('Amount must be no more than 999,999,999,999', {
    code: 'amount_too_large',
    param: name,
  });
}

function emailOf(form: URLSearchParams): string | null {
  const email = form.get('customer_email');
  if (email === null || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email;
  throw new Refused(`Invalid email address: ${email}`, {
    code: 'email_invalid',
    param: 'customer_email',
  });
}

/** Half an hour to a day from now; a day by default. */
function expiryOf(form: URLSearchParams, now: number): number {
  if (!form.has('expires_at')) return now + 24 * 3600;
  const time = integer(form, 'expires_at');
  const param = { param: 'expires_at' };
  if (time < now + 1800) {
    const text = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session';
    throw new Refused(`${text} creation.`, param);
  }
  if (time <= now + 24 * 3600) return time;
  const text = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session';
  throw new Refused(`${text} creation.`, param);
}

function addressOf(form: URLSearchParams, name: string): string {
  const address = required(form, name);
  if (/^https?:\/\/./.test(address) && URL.canParse(address)) return address;
  throw new Refused('Not a valid URL', { code: 'url_invalid', param: name });
}

/** At most 50 keys of 40 characters with values of 500: docs.stripe.com/api/metadata. */
function metadataOf(form: URLSearchParams, field: string): Record<string, string> {
  const entries = [...form]
    .filter(([name]) => name.startsWith(`${field}[`))
    .map(([name, value]) => [name.slice(field.length + 1, -1), value] as const);
  if (
    entries.length > 50 ||
    entries.some(([name, value]) => name.length > 40 || value.length > 500)
  ) {
    throw new Refused('Metadata is too long.', { param: field });
  }
  return Object.fromEntries(entries);
}
