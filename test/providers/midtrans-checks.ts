/**
 * Snap's reasons to refuse a page: docs.midtrans.com/reference/{request-body-json-parameter,json-objects,expire-a-snap-
 * session}.
 */

export interface SnapRequest {
  readonly transaction_details: { readonly order_id: string; readonly gross_amount: number };
  readonly callbacks?: { readonly finish?: string };
  readonly expiry?: {
    readonly start_time?: string;
    readonly unit: string;
    readonly duration: number;
  };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const unitMinutes: Readonly<Record<string, number>> = {
  ...{ minute: 1, minutes: 1, hour: 60, hours: 60, day: 1440, days: 1440 },
};

/** Returns the closing time of a page, by default a day after its request. */
export function closingTime({ expiry }: SnapRequest, now: Date): Date {
  if (!expiry) return new Date(now.getTime() + 86_400_000);
  const start = expiry.start_time ? new Date(expiry.start_time.replace(' +', '+')) : now;
  const minutes = expiry.duration * (unitMinutes[expiry.unit] ?? 0);
  return new Date(start.getTime() + minutes * 60_000);
}

/** The reasons to refuse a request; empty if it is accepted. */
export function refusalsOf(body: unknown, isTaken: (id: string) => boolean): string[] {
  const request = fieldsOf(body);
  return [
    ...transactionRefusals(fieldsOf(request.transaction_details), isTaken),
    ...itemRefusals(request.item_details, fieldsOf(request.transaction_details).gross_amount),
    ...customerRefusals(fieldsOf(request.customer_details)),
    ...expiryRefusals(request.expiry),
    ...addressRefusals(request),
  ];
}

export const isSnapRequest = (body: unknown): body is SnapRequest =>
  isFields(body) && refusalsOf(body, () => false).length === 0;

const isText = (value: unknown, max: number) =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

/** True for a given value that doesn't have this form. */
const isOther = (value: unknown, form: RegExp) =>
  value !== undefined && !(typeof value === 'string' && form.test(value));

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const refused = (message: string, isRefused: boolean) => (isRefused ? [message] : []);

function transactionRefusals(
  { order_id, gross_amount }: Fields,
  isTaken: (id: string) => boolean,
): string[] {
  if (typeof order_id !== 'string' || order_id === '') {
    return ['transaction_details.order_id is required'];
  }
  return [
    ...refused('transaction_details.order_id is too long', order_id.length > 50),
    ...refused('transaction_details.order_id is invalid', !/^[\w.~-]+$/.test(order_id)),
    ...refused('transaction_details.order_id has already been taken', isTaken(order_id)),
    ...refused(
      'transaction_details.gross_amount is not a number',
      !isWhole(gross_amount) || gross_amount < 1,
    ),
  ];
}

function itemRefusals(items: unknown, gross: unknown): string[] {
  if (items === undefined) return [];
  if (!Array.isArray(items)) return ['item_details is invalid'];
  const lines = items.map(fieldsOf);
  const isWrong = ({ id, name, price, quantity }: Fields) =>
    (id !== undefined && !isText(id, 50)) ||
    !isText(name, 50) ||
    !isWhole(price) ||
    !isWhole(quantity) ||
    quantity < 1;
  const sum = lines.reduce((sum, { price, quantity }) => sum + Number(price) * Number(quantity), 0);
  return [
    ...refused('item_details is invalid', lines.some(isWrong)),
    ...refused(
      'transaction_details.gross_amount is not equal to the sum of item_details',
      sum !== gross,
    ),
  ];
}

function customerRefusals({ first_name, last_name, email, phone }: Fields): string[] {
  const isWrong = (value: unknown) => value !== undefined && !isText(value, 255);
  return [
    ...refused('customer_details.first_name is invalid', isWrong(first_name)),
    ...refused('customer_details.last_name is invalid', isWrong(last_name)),
    ...refused(
      'customer_details.email format is invalid',
      isOther(email, /^[^\s@]+@[^\s@]+\.[^\s@]+$/),
    ),
    // BNI's rule: +62 or 0, and at most 30 characters.
    ...refused(
      'customer_details.phone format is invalid',
      isOther(phone, /^(\+62|0)[\d -]{4,28}$/),
    ),
  ];
}

function expiryRefusals(expiry: unknown): string[] {
  if (expiry === undefined) return [];
  const { start_time, unit, duration } = fieldsOf(expiry);
  const minutes = isWhole(duration) ? duration * (unitMinutes[String(unit)] ?? 0) : 0;
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0700$/.test(String(start_time));
  return [
    ...refused('expiry.start_time format is invalid', start_time !== undefined && !isTime),
    ...refused('expiry.unit is invalid', !(String(unit) in unitMinutes)),
    ...refused('expiry.duration is invalid', minutes < 5 || minutes > 7 * 1440),
  ];
}

function addressRefusals({ callbacks, gopay, shopeepay, dana }: Fields): string[] {
  const addresses = [
    fieldsOf(callbacks).finish,
    ...[gopay, shopeepay, dana].map((method) => fieldsOf(method).callback_url),
  ];
  return refused(
    'callbacks.finish is invalid',
    addresses.some((url) => isOther(url, /^https?:\/\//)),
  );
}
