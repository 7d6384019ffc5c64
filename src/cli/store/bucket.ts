import * as z from 'zod';
import { Refused } from '../support/command.ts';
import { wrangler } from './wrangler.ts';

const Token = z.union([
  z.object({ type: z.enum(['oauth', 'api_token']), token: z.string() }),
  z.object({ type: z.literal('api_key'), key: z.string(), email: z.string() }),
]);

/** The time limit of one object, in milliseconds. */
const patience = 60_000;

/** A bucket of the account that wrangler is signed in to. Wrangler itself handles only one object a second. */
export class R2Bucket {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.#address = address;
    this.#headers = headers;
  }

  static async open(name: string): Promise<R2Bucket> {
    const base = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';
    const token = Token.parse(JSON.parse(await wrangler('auth', 'token', '--json')));
    const headers: Record<string, string> =
      token.type === 'api_key'
        ? { 'x-auth-key': token.key, 'x-auth-email': token.email }
        : { authorization: `Bearer ${token.token}` };
    const account = process.env['CLOUDFLARE_ACCOUNT_ID'] ?? (await onlyAccount(base, headers));
    return new R2Bucket(`${base}/accounts/${account}/r2/buckets/${name}/objects`, headers);
  }

  /** Returns the bytes of an object, or undefined. */
  async get(key: string): Promise<Buffer | undefined> {
    const response = await this.#ask(key, { method: 'GET' });
    return response.status === 404 ? undefined : Buffer.from(await response.arrayBuffer());
  }

  async put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const body = new Uint8Array(bytes);
    await this.#ask(key, { method: 'PUT', body }, { 'content-type': contentType });
  }

  async #ask(
    key: string,
    init: RequestInit,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const response = await fetch(`${this.#address}/${encodeURIComponent(key)}`, {
      ...init,
      headers: { ...this.#headers, ...headers },
      signal: AbortSignal.timeout(patience),
    });
    if (response.ok || (response.status === 404 && init.method === 'GET')) return response;
    throw new Error(`Cloudflare answered ${response.status} about the picture ${key}.`);
  }
}

async function onlyAccount(base: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${base}/accounts`, {
    headers,
    signal: AbortSignal.timeout(patience),
  });
  const Accounts = z.object({ result: z.array(z.object({ id: z.string() })) });
  const { result } = Accounts.parse(await response.json());
  const [only] = result;
  if (result.length !== 1 || !only)
    throw new Refused('Set CLOUDFLARE_ACCOUNT_ID: there is more than one account, or none.');
  return only.id;
}
