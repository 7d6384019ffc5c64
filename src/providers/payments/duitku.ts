import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { md5 } from '../../lib/md5.ts';
import { unitsOf } from '../../lib/money.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { cut } from '../../lib/text.ts';
import { ProviderId } from '../answers.ts';
import { ProviderError, ask, kindOf } from '../http.ts';
import { PageAddress } from '../pages.ts';
import { hmacSha256, isSameSecret } from '../signatures.ts';
import type { Attempt, Gateway, Hint, NewPayment, Opened, Payment } from './gateway.ts';
import { unpaid } from './unpaid.ts';
import type { Callback } from '../callback.ts';

const origins = {
  sandbox: 'https://api-sandbox.duitku.com',
  production: 'https://api-prod.duitku.com',
} as const;

interface Project {
  readonly merchantCode: string;
  readonly apiKey: string;
  readonly api: string;
  /** True if callbacks signed with MD5 are accepted. */
  readonly takesMd5: boolean;
}

/**
 * Opens payments on Duitku's pages (POP).
 * @returns undefined if none of its variables are set
 * @throws Error if only some are
 */
export function duitku(config: Config): Gateway | undefined {
  const project = projectOf(config);
  if (!project) return undefined;
  return {
    id: 'duitku',
    title: 'Bank transfer, QRIS, e-wallet or card (Duitku)',
    unitOf: (currency) => (currency === 'IDR' ? { exponent: 0, step: 1 } : undefined),
    limitsOf: (currency) => (currency === 'IDR' ? { min: 10_000 } : {}),
    // Most methods end within a day, whatever time is requested.
    life: { min: 300, max: 86_400 },
    needs: ['email'],
    replays: false,

    open: (payment, http, now) => open(project, payment, http, now),
    look: (attempt, http, now) => look(project, attempt, http, now),
    read: (callback) => read(project, callback),
  };
}

function projectOf({
  DUITKU_MERCHANT_CODE: merchantCode,
  DUITKU_API_KEY: apiKey,
  DUITKU_MODE: mode,
  DUITKU_MD5: md5,
  DUITKU_API_URL: api,
}: Config): Project | undefined {
  const takesMd5 = md5 === 'on';
  if (merchantCode !== undefined && apiKey !== undefined) {
    return { merchantCode, apiKey, api: api ?? origins[mode ?? 'production'], takesMd5 };
  }
  if ((merchantCode ?? apiKey ?? mode ?? api) === undefined && !takesMd5) return undefined;
  const missing = merchantCode === undefined ? 'DUITKU_MERCHANT_CODE' : 'DUITKU_API_KEY';
  throw new Error(
    `${missing} is missing. Copy it from your project at Duitku, or remove the other DUITKU_ variables.`,
  );
}

const Invoice = (origin: string) =>
  z.object({ reference: textUpTo(255).min(1), paymentUrl: PageAddress(origin) });

/** The status inside an answer with HTTP status 200. */
const Outcome = z.object({ statusCode: z.string() });

/** The answer to a refused request: `Minimum Payment 10000 IDR`. */
const Refusal = z.object({ Message: z.string() });

const messageOf = (json: unknown) => Refusal.safeParse(json).data?.Message ?? '';

/** Classifies a refusal. Its message is free text and is not stored. */
const errorOf = (status: number) =>
  // 409 means that the amounts don't add up.
  new ProviderError(status === 409 ? 'permanent' : kindOf(status), String(status));

async function open(
  project: Project,
  payment: NewPayment,
  http: Outbound,
  now: Date,
): Promise<Opened> {
  const { merchantCode, apiKey, api } = project;
  const left = Math.floor((Date.parse(payment.expires_at) - now.getTime()) / 60_000);
  // At least one minute: without a period, Duitku keeps the page open for a day.
  const minutes = Math.max(1, left);
  const timestamp = String(now.getTime());
  const answer = await ask(http, {
    method: 'POST',
    url: `${api}/api/merchant/createInvoice`,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-duitku-merchantcode': merchantCode,
      'x-duitku-timestamp': timestamp,
      'x-duitku-signature': await hmacSha256(apiKey, merchantCode + timestamp),
    },
    body: JSON.stringify({ ...contentOf(payment), expiryPeriod: minutes }),
  });
  if (answer.status >= 300) throw errorOf(answer.status);
  const outcome = Outcome.safeParse(answer.json);
  if (outcome.success && outcome.data.statusCode !== '00') {
    throw new ProviderError('permanent', outcome.data.statusCode);
  }
  const invoice = Invoice(api).safeParse(answer.json);
  if (!outcome.success || !invoice.success) throw new ProviderError('unknown', 'answer');
  return {
    provider_id: invoice.data.reference,
    url: invoice.data.paymentUrl,
    expires_at: new Date(now.getTime() + minutes * 60_000).toISOString(),
  };
}

function contentOf(payment: NewPayment) {
  const { reference, order, amount, buyer, return_url, callback_url } = payment;
  if (buyer.email === null) throw new ProviderError('permanent', 'email');
  const name = cut(order.title || order.number, 255);
  const buyerName = buyer.name || order.number;
  const phoneNumber = /^\+\d{6,15}$/.test(buyer.phone) ? buyer.phone : undefined;
  return {
    paymentAmount: amount,
    merchantOrderId: reference,
    productDetails: name,
    email: buyer.email,
    phoneNumber,
    customerVaName: cut(buyerName, 20),
    itemDetails: [{ name, price: amount, quantity: 1 }],
    // Cards and paylater require it.
    customerDetail: { firstName: cut(buyerName, 50), email: buyer.email, phoneNumber },
    callbackUrl: callback_url,
    returnUrl: return_url,
  };
}

const Status = z.object({
  merchantOrderId: z.string(),
  reference: textUpTo(255),
  amount: z.union([z.string(), z.int()]).transform((amount) => unitsOf(String(amount), 0)),
  statusCode: z.enum(['00', '01', '02']),
});

async function look(
  { merchantCode, apiKey, api }: Project,
  { reference, expires_at }: Attempt,
  http: Outbound,
  now: Date,
): Promise<Payment> {
  const answer = await ask(http, {
    method: 'POST',
    url: `${api}/api/merchant/transactionStatus`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantCode,
      merchantOrderId: reference,
      signature: await hmacSha256(apiKey, merchantCode + reference),
    }),
  });
  const isOver = expires_at <= now.toISOString();
  const isUnknown = answer.status === 404 && !/^merchant/i.test(messageOf(answer.json));
  if (isUnknown) return unpaid(isOver ? 'expired' : 'open');
  if (answer.status >= 300) throw errorOf(answer.status);
  const status = Status.safeParse(answer.json);
  if (!status.success || status.data.merchantOrderId !== reference) {
    throw new ProviderError('unknown', 'answer');
  }
  return paymentOf(status.data, isOver);
}

function paymentOf(
  { statusCode, amount, reference }: z.output<typeof Status>,
  isOver: boolean,
): Payment {
  switch (statusCode) {
    case '00':
      if (amount === undefined) throw new ProviderError('unknown', 'amount');
      return {
        ...unpaid('paid'),
        paid: { amount, currency: 'IDR' },
        payment_ref: reference,
      };
    case '01':
      // Nothing distinguishes a page that nobody opened from a payment code that was issued.
      return unpaid('open');
    case '02':
      return unpaid(isOver ? 'expired' : 'failed');
  }
}

const Fields = z.object({
  merchantCode: z.string(),
  amount: z.string(),
  merchantOrderId: ProviderId,
  signature: z.string(),
});

/** Returns only the payment of a callback, because its outcome isn't signed. */
async function read(project: Project, { text }: Callback): Promise<'forged' | Hint[]> {
  const fields = Fields.safeParse(Object.fromEntries(new URLSearchParams(text)));
  if (!fields.success || fields.data.merchantCode !== project.merchantCode) return 'forged';
  const { merchantCode, amount, merchantOrderId, signature } = fields.data;
  const expected = await signatureOf(project, merchantCode + amount + merchantOrderId, signature);
  return isSameSecret(signature.toLowerCase(), expected)
    ? [{ reference: merchantOrderId }]
    : 'forged';
}

/** Signs a text by the same algorithm as a given signature: one by MD5 has 32 digits. */
const signatureOf = ({ apiKey, takesMd5 }: Project, text: string, given: string) =>
  takesMd5 && given.length === 32 ? md5(text + apiKey) : hmacSha256(apiKey, text);
