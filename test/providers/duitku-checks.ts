import type { Answered } from './server.ts';

/**
 * Duitku's reasons to refuse an invoice: docs.duitku.com/pop/en, Create Invoice, and the HTTP codes of
 * docs.duitku.com/api/en.
 */

export interface DuitkuRequest {
  readonly paymentAmount: number;
  readonly merchantOrderId: string;
  readonly productDetails: string;
  readonly email: string;
  readonly callbackUrl: string;
  readonly returnUrl: string;
  readonly expiryPeriod?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const isText = (value: unknown, max: number, min = 1): value is string =>
  typeof value === 'string' && value.length >= min && value.length <= max;

const isAddress = (value: unknown) => isText(value, 255) && /^https?:\/\//.test(value);

const isEmail = (value: unknown) =>
  typeof value === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);

/** The refusals with status and text, in the order of the checks. */
const refusals: readonly (readonly [number, string, (fields: Fields) => boolean])[] = [
  [400, 'paymentAmount is mandatory', ({ paymentAmount }) => !isWhole(paymentAmount)],
  [400, 'Minimum Payment 10000 IDR', ({ paymentAmount }) => Number(paymentAmount) < 10_000],
  [400, 'merchantOrderId is mandatory', ({ merchantOrderId }) => !isText(merchantOrderId, 1e9)],
  [
    400,
    "length of merchantOrderId can't > 50",
    ({ merchantOrderId }) => !isText(merchantOrderId, 50),
  ],
  [400, 'productDetails is mandatory', ({ productDetails }) => !isText(productDetails, 255)],
  [400, 'Invalid Email Address', ({ email }) => !isEmail(email)],
  [400, "length of email can't > 50", ({ email }) => !isText(email, 50)],
  [400, "length of phoneNumber can't > 50", (fields) => !isText(fields.phoneNumber ?? '', 50, 0)],
  [400, 'Customer VA Name is invalid', ({ customerVaName }) => !isText(customerVaName, 20)],
  [400, 'callbackUrl is invalid', ({ callbackUrl }) => !isAddress(callbackUrl)],
  [400, 'returnUrl is invalid', ({ returnUrl }) => !isAddress(returnUrl)],
  [
    400,
    'expiryPeriod is invalid',
    ({ expiryPeriod = 1 }) => !isWhole(expiryPeriod) || expiryPeriod < 1,
  ],
  [400, 'customerDetail is invalid', ({ customerDetail }) => isNameless(customerDetail)],
  [
    409,
    'Payment amount must be equal to all item price',
    (fields) => totalOf(fields) !== fields.paymentAmount,
  ],
];

function isNameless(detail: unknown): boolean {
  if (detail === undefined) return false;
  const { firstName, email }: Fields = Object(detail);
  return !isText(firstName, 50) || !isEmail(email);
}

function totalOf({ itemDetails, paymentAmount }: Fields): unknown {
  if (itemDetails === undefined) return paymentAmount;
  if (!Array.isArray(itemDetails)) return undefined;
  return itemDetails.reduce((total: number, item: unknown) => {
    const { name, price, quantity }: Fields = Object(item);
    const isRight = isText(name, 255) && isWhole(price) && isWhole(quantity);
    return isRight ? total + price * quantity : Number.NaN;
  }, 0);
}

export function refusalOf(body: unknown): Answered | undefined {
  const fields: Fields = Object(body);
  const refusal = refusals.find(([, , isRefused]) => isRefused(fields));
  return refusal && { status: refusal[0], body: { Message: refusal[1] } };
}

export const isDuitkuRequest = (body: unknown): body is DuitkuRequest =>
  refusalOf(body) === undefined;
