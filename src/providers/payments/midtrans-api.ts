import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { encodeBase64 } from '../../lib/bytes.ts';
import { ProviderError, ask, kindOf } from '../http.ts';
import type { Attempt } from './gateway.ts';
import { Coded, Transaction, stateOf } from './midtrans-answers.ts';

const origins = {
  sandbox: { api: 'https://api.sandbox.midtrans.com', app: 'https://app.sandbox.midtrans.com' },
  production: { api: 'https://api.midtrans.com', app: 'https://app.midtrans.com' },
} as const;

/** A store's account: its key, and the origins of the Core API and of Snap. */
export interface Account {
  readonly serverKey: string;
  readonly api: string;
  readonly app: string;
}

/**
 * The configured account; undefined if none of its variables are set.
 * @throws Error if only some are set, or the key does not fit the mode
 */
export function accountOf({
  MIDTRANS_SERVER_KEY: serverKey,
  MIDTRANS_MODE: mode,
  MIDTRANS_API_URL: api,
  MIDTRANS_APP_URL: app,
}: Config): Account | undefined {
  if (serverKey === undefined) {
    if ((mode ?? api ?? app) === undefined) return undefined;
    throw new Error(
      'MIDTRANS_SERVER_KEY is missing: set it to the server key of your Midtrans account, or remove the other MIDTRANS_ variables.',
    );
  }
  // Newer sandbox keys have no prefix that says so.
  const isSandboxKey = serverKey.startsWith('SB-');
  if (isSandboxKey && mode === 'production') {
    throw new Error(
      'MIDTRANS_SERVER_KEY is a key of the sandbox: set it to the one of production, or MIDTRANS_MODE to sandbox.',
    );
  }
  const usual = origins[mode ?? (isSandboxKey ? 'sandbox' : 'production')];
  return { serverKey, api: api ?? usual.api, app: app ?? usual.app };
}

export const headersOf = ({ serverKey }: Account) => ({
  accept: 'application/json',
  authorization: `Basic ${encodeBase64(new TextEncoder().encode(`${serverKey}:`))}`,
  'content-type': 'application/json',
});

export const errorOf = (code: number) => new ProviderError(kindOf(code), String(code));

/** A Core API answer: its status is in the body, whatever the HTTP status is. */
interface Answer {
  readonly code: number;
  readonly json: unknown;
}

/** A transaction, and the id for further requests about it. */
export interface FoundTransaction {
  readonly transaction: Transaction;
  readonly id: string;
  /** True if Midtrans knows it only by its own id: DANA, and the banks of BI-SNAP. */
  readonly ownId: boolean;
}

/**
 * Finds the transactions of a payment's page: the last one, the recorded one, and those of callbacks. A paid one comes
 * first, then an open one, then a closed one. Empty before the buyer has chosen a method.
 */
export async function findTransactions(
  account: Account,
  { reference, payment_ref, named_refs = [] }: Attempt,
  http: Outbound,
): Promise<FoundTransaction[]> {
  const last = await findAs(account, { id: reference, ownId: false }, http);
  const found = last ? [last] : [];
  for (const id of new Set([...named_refs, ...(payment_ref === null ? [] : [payment_ref])])) {
    if (id === last?.transaction.transaction_id) continue;
    const other = await findById(account, id, reference, http);
    if (other) found.push(other);
  }
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Finds a transaction of our page by its own id. */
async function findById(
  account: Account,
  id: string,
  reference: string,
  http: Outbound,
): Promise<FoundTransaction | undefined> {
  const found =
    (await findAs(account, { id, ownId: false }, http)) ??
    (await findAs(account, { id, ownId: true }, http));
  // For a transaction that only its own id finds, Midtrans may return that id as `order_id` in place of our reference.
  const isOurs =
    found?.transaction.transaction_id === id &&
    [reference, ...(found.ownId ? [id] : [])].includes(found.transaction.order_id);
  return isOurs ? found : undefined;
}

function rankOf({ transaction }: FoundTransaction): number {
  const rank = ['paid', 'pending'].indexOf(stateOf(transaction, false));
  return rank === -1 ? 2 : rank;
}

type Named = Pick<FoundTransaction, 'id' | 'ownId'>;

async function findAs(
  account: Account,
  named: Named,
  http: Outbound,
): Promise<FoundTransaction | undefined> {
  const { code, json } = await act(account, named, { action: 'status' }, http);
  if (code === 404) return undefined;
  // 407 means expired.
  if (code >= 300 && code !== 407) throw errorOf(code);
  const transaction = Transaction.safeParse(json);
  if (!transaction.success) throw new ProviderError('unknown', 'answer');
  return { ...named, transaction: transaction.data };
}

/** Looks up a transaction, or acts on it. Returns any answer. */
export async function act(
  account: Account,
  { id, ownId }: Named,
  { action, body }: { readonly action: 'status' | 'expire' | 'refund'; readonly body?: object },
  http: Outbound,
): Promise<Answer> {
  const { status, json } = await ask(http, {
    method: action === 'status' ? 'GET' : 'POST',
    url: `${account.api}/v2/${encodeURIComponent(id)}/${action}`,
    headers: { ...headersOf(account), ...(ownId && { 'transaction-source': 'SNAP_API' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { code: Coded.safeParse(json).data?.status_code ?? status, json };
}
