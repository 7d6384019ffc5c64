/** PayPal's checks of a request; amounts as integers of the smallest unit. */

interface Detail {
  readonly issue: string;
  readonly field?: string;
}

/** A refusal in PayPal's form. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[];

  constructor(status: number, code: string, ...details: Detail[]) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const notFound = () =>
  new Refusal(404, 'RESOURCE_NOT_FOUND', { issue: 'INVALID_RESOURCE_ID' });

export const unprocessable = (issue: string) => new Refusal(422, 'UNPROCESSABLE_ENTITY', { issue });

const invalid = (issue: string, field: string) =>
  new Refusal(400, 'INVALID_REQUEST', { issue, field });

/** developer.paypal.com/api/rest/reference/currency-codes: the decimals of each. */
export const currencies: Readonly<Record<string, number>> = {
  ...{ AUD: 2, BRL: 2, CAD: 2, CNY: 2, CZK: 2, DKK: 2, EUR: 2, HKD: 2, HUF: 0, ILS: 2, JPY: 0 },
  ...{ MYR: 2, MXN: 2, TWD: 0, NZD: 2, NOK: 2, PHP: 2, PLN: 2, GBP: 2, SGD: 2, SEK: 2, CHF: 2 },
  ...{ THB: 2, USD: 2 },
};

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, name: string): Fields {
  if (value === undefined) throw invalid('MISSING_REQUIRED_PARAMETER', name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalid('INVALID_PARAMETER_SYNTAX', name);
}

export function text(fields: Fields, name: string, most: number, pattern = /^.*$/s): string {
  const value = fields[name];
  if (value === undefined) throw invalid('MISSING_REQUIRED_PARAMETER', name);
  if (typeof value !== 'string') throw invalid('INVALID_PARAMETER_SYNTAX', name);
  if (value.length < 1 || value.length > most) throw invalid('INVALID_STRING_LENGTH', name);
  if (!pattern.test(value)) throw invalid('INVALID_PARAMETER_SYNTAX', name);
  return value;
}

const optional = (fields: Fields, name: string, most: number, pattern?: RegExp) =>
  fields[name] === undefined ? null : text(fields, name, most, pattern);

export function moneyOf(value: unknown): { amount: number; currency: string } {
  const fields = fieldsOf(value, 'amount');
  const currency = text(fields, 'currency_code', 3, /^[A-Z]{3}$/);
  const written = text(fields, 'value', 32, /^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/);
  const decimals = currencies[currency];
  if (decimals === undefined) throw unprocessable('INVALID_CURRENCY_CODE');
  const [whole = '', rest = ''] = written.split('.');
  if (decimals === 0 && rest !== '') throw unprocessable('DECIMALS_NOT_SUPPORTED');
  if (rest.length > decimals) throw unprocessable('DECIMAL_PRECISION');
  const amount = Number(whole + rest.padEnd(decimals, '0'));
  if (amount <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE');
  return { amount, currency };
}

export const writtenMoney = (amount: number, currency: string) => {
  const decimals = currencies[currency] ?? 2;
  return { currency_code: currency, value: (amount / 10 ** decimals).toFixed(decimals) };
};

/** A checked order with one purchase unit, which is approved on a page of PayPal. */
export function checkedOrder(fields: Fields) {
  if (text(fields, 'intent', 9) !== 'CAPTURE') throw invalid('INVALID_PARAMETER_VALUE', 'intent');
  const units = fields.purchase_units;
  if (!Array.isArray(units) || units.length !== 1) {
    throw invalid('INVALID_ARRAY_LENGTH', 'purchase_units');
  }
  const unit = fieldsOf(units[0], 'purchase_units');
  optional(unit, 'description', 127);
  const source = fieldsOf(fields.payment_source, 'payment_source');
  const page = fieldsOf(fieldsOf(source.paypal, 'paypal').experience_context, 'context');
  for (const name of ['return_url', 'cancel_url']) {
    if (!URL.canParse(text(page, name, 4000))) throw invalid('INVALID_PARAMETER_SYNTAX', name);
  }
  if (!['CONTINUE', 'PAY_NOW'].includes(text(page, 'user_action', 8))) {
    throw invalid('INVALID_PARAMETER_VALUE', 'user_action');
  }
  return {
    ...moneyOf(unit.amount),
    custom_id: optional(unit, 'custom_id', 127),
    invoice_id: optional(unit, 'invoice_id', 127),
    return_url: text(page, 'return_url', 4000),
  };
}

/** A checked refund; without an amount, of everything that is left. */
export const checkedRefund = (fields: Fields) => ({
  money: fields.amount === undefined ? null : moneyOf(fields.amount),
  custom_id: optional(fields, 'custom_id', 127, /^[A-Za-z0-9-_.,]*$/),
});
