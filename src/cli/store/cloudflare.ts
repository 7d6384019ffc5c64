import * as z from 'zod';
import { once } from '../../lib/once.ts';
import { Refused } from '../support/command.ts';
import { workerName } from './configuration.ts';
import { wrangler } from './wrangler.ts';

const Token = z.union([
  z.object({ type: z.enum(['oauth', 'api_token']), token: z.string() }),
  z.object({ type: z.literal('api_key'), key: z.string(), email: z.string() }),
]);

const tokenOfWrangler = once(async () =>
  Token.parse(JSON.parse(await wrangler('auth', 'token', '--json'))),
);

/** Wrangler takes seconds to say which token it uses, and prefers a key to a token. */
function currentToken(): Promise<z.output<typeof Token>> | z.output<typeof Token> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key } = process.env;
  return token && !key ? { type: 'api_token', token } : tokenOfWrangler();
}

/** The time limit of a request in milliseconds. */
export const patience = 60_000;

interface Account {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The account that wrangler is signed in to. */
export async function openAccount(): Promise<Account> {
  const base = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';
  const token = await currentToken();
  const headers: Record<string, string> =
    token.type === 'api_key'
      ? { 'x-auth-key': token.key, 'x-auth-email': token.email }
      : { authorization: `Bearer ${token.token}` };
  const account = process.env['CLOUDFLARE_ACCOUNT_ID'] ?? (await onlyAccount(base, headers));
  return { address: `${base}/accounts/${account}`, headers };
}

const Accounts = z.object({ result: z.array(z.object({ id: z.string() })) });

async function onlyAccount(base: string, headers: Readonly<Record<string, string>>) {
  const response = await ask(`${base}/accounts`, headers);
  const { result } = Accounts.parse(await response.json());
  const [only] = result;
  if (result.length !== 1 || !only)
    throw new Refused('Set CLOUDFLARE_ACCOUNT_ID: there is more than one account, or none.');
  return only.id;
}

async function ask(address: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const signal = AbortSignal.timeout(patience);
  return fetch(address, { headers, signal }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Error(`Cloudflare did not answer: ${reason}`, { cause: error });
  });
}

const Secrets = z.object({ result: z.array(z.object({ name: z.string() })) });

const Refusal = z.object({ errors: z.array(z.object({ code: z.number() })) });

/** The codes of Cloudflare for a worker that does not exist. */
const noWorker = [10_007, 10_090];

/** Returns the names of the secrets that the worker of a store has; none if there is no worker. */
export async function secretsAtCloudflare(name: string): Promise<string[]> {
  const { address, headers } = await openAccount();
  const worker = workerName(name);
  const response = await ask(`${address}/workers/scripts/${worker}/secrets`, headers);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return Secrets.parse(body).result.map((secret) => secret.name);
  const errors = Refusal.safeParse(body).data?.errors ?? [];
  if (errors.some(({ code }) => noWorker.includes(code))) return [];
  throw new Error(`Cloudflare answered ${response.status} about the secrets of ${worker}.`);
}
