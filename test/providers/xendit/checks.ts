/** Xendit's checks of a request for a session or a refund; amounts are integers of its smallest unit. */

/** A refusal in Xendit's form. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Decimals by currency, and the country of its payment channels. */
export const markets: Readonly<Record<string, { decimals: number; country: string }>> = {
  IDR: { decimals: 0, country: 'ID' },
  PHP: { decimals: 2, country: 'PH' },
  VND: { decimals: 0, country: 'VN' },
  THB: { decimals: 2, country: 'TH' },
  SGD: { decimals: 2, country: 'SG' },
  MYR: { decimals: 2, country: 'MY' },
};

const invalid = (message: string) => new Refusal(400, 'API_VALIDATION_ERROR', message);

export function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${name} must be object`);
  }
  return { ...value };
}

function text(fields: Fields, name: string, least: number, most: number): string {
  const value = fields[name];
  if (value === undefined) throw invalid(`must have required property '${name}'`);
  if (typeof value !== 'string') throw invalid(`${name} must be string`);
  if (value.length < least || value.length > most) throw invalid(`${name} is too short or long`);
  return value;
}

function oneOf(fields: Fields, name: string, ...values: string[]): string {
  const value = text(fields, name, 1, 64);
  if (!values.includes(value)) throw invalid(`${name} must be equal to one of the allowed values`);
  return value;
}

/** Converts a number of the main unit, with no more decimals than the currency has. */
export function unitsOf(value: unknown, currency: string): number {
  if (typeof value !== 'number') throw invalid('amount must be number');
  if (value <= 0) throw new Refusal(400, 'INVALID_AMOUNT', 'Amount must be greater than zero');
  const decimals = markets[currency]?.decimals ?? 2;
  const [whole = '', rest = ''] = String(value).split('.');
  if (rest.length > decimals || !/^\d+$/.test(whole)) {
    throw new Refusal(400, 'INVALID_AMOUNT', `${currency} takes ${decimals} decimals`);
  }
  return Number(whole + rest.padEnd(decimals, '0'));
}

export const numberOf = (units: number, currency: string) =>
  Number((units / 10 ** (markets[currency]?.decimals ?? 2)).toFixed(2));

function url(fields: Fields, name: string): string | null {
  if (fields[name] === undefined) return null;
  const address = text(fields, name, 1, 2048);
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:') {
    throw new Refusal(400, 'INVALID_URL', 'Please provide a valid HTTPS URL');
  }
  return address;
}

function checkCustomer(customer: Fields): void {
  oneOf(customer, 'type', 'INDIVIDUAL');
  const names = fieldsOf(customer.individual_detail, 'individual_detail');
  const plain = /^[A-Za-z0-9]([A-Za-z0-9 ]*[A-Za-z0-9])?$/;
  if (!plain.test(text(names, 'given_names', 1, 255))) throw invalid('given_names is special');
  if (!/^[A-Za-z0-9]+$/.test(text(customer, 'reference_id', 1, 255))) {
    throw invalid('customer.reference_id must be alphanumeric');
  }
  if (customer.email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(text(customer, 'email', 3, 50))) {
    throw invalid('email must match format "email"');
  }
  const phone = customer.mobile_number;
  if (phone !== undefined && !/^\+[1-9]\d{6,14}$/.test(text(customer, 'mobile_number', 1, 16))) {
    throw invalid('mobile_number must be E.164');
  }
}

function expiryOf(fields: Fields, now: Date): Date {
  if (fields.expires_at === undefined) return new Date(now.getTime() + 30 * 60_000);
  const at = new Date(text(fields, 'expires_at', 1, 40));
  const least = now.getTime() + 10 * 60_000;
  if (Number.isNaN(at.getTime())) throw invalid('expires_at must match format "date-time"');
  if (at.getTime() >= least) return at;
  const message = 'expires_at must be at least 10 minutes in the future';
  throw new Refusal(400, 'INVALID_EXPIRY_DATE', message);
}

export function checkedSession(fields: Fields, now: Date) {
  const reference = text(fields, 'reference_id', 1, 64);
  oneOf(fields, 'session_type', 'PAY');
  oneOf(fields, 'mode', 'PAYMENT_LINK');
  const currency = text(fields, 'currency', 3, 3);
  const country = text(fields, 'country', 2, 2);
  const market = markets[currency];
  if (!market) throw new Refusal(400, 'INVALID_CURRENCY', 'The currency is not supported');
  if (market.country !== country) {
    throw new Refusal(400, 'INVALID_PAYMENT_CHANNEL', 'No channels are available');
  }
  if (fields.description !== undefined) text(fields, 'description', 1, 1000);
  if (fields.customer !== undefined) checkCustomer(fieldsOf(fields.customer, 'customer'));
  url(fields, 'cancel_return_url');
  return {
    reference,
    currency,
    country,
    amount: unitsOf(fields.amount, currency),
    expires_at: expiryOf(fields, now),
    return_url: url(fields, 'success_return_url'),
  };
}

export function checkedRefund(fields: Fields) {
  const payment_request_id = text(fields, 'payment_request_id', 1, 255);
  const reference = fields.reference_id === undefined ? null : text(fields, 'reference_id', 1, 255);
  const reasons = ['FRAUDULENT', 'DUPLICATE', 'REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'OTHERS'];
  const reason = oneOf(fields, 'reason', ...reasons);
  const metadata = fields.metadata === undefined ? {} : fieldsOf(fields.metadata, 'metadata');
  for (const name of Object.keys(metadata)) text(metadata, name, 0, 80);
  return {
    payment_request_id,
    reference,
    reason,
    amount: fields.amount,
    currency: fields.currency,
  };
}
