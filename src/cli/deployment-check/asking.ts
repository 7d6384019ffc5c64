/** An answer of a deployment, with what it says of itself. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  /** Milliseconds until all of it was there. */
  readonly took: number;
  /** Round trips to the database, and the milliseconds that they took. */
  readonly trips: number;
  readonly database: number;
}

/** The longest that an answer may take, in milliseconds. */
const patience = 30_000;

/** A deployment, as a client sees it. */
export class Deployment {
  readonly #address: string;
  readonly #key: string;
  #api = '';
  #notify = '';

  constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
  }

  /** Finds out where its API is. @throws Error where nothing of ours answers there */
  async open(): Promise<void> {
    const { body } = await this.ask('GET', '/');
    const { api_base, notify_base } = (body ?? {}) as Record<string, unknown>;
    if (typeof api_base !== 'string' || typeof notify_base !== 'string')
      throw new Error(`${this.#address} is no deployment of this service.`);
    if (new URL(api_base).origin !== this.#address)
      throw new Error(`${this.#address} answers for ${api_base}: check it at that address.`);
    [this.#api, this.#notify] = [api_base, notify_base];
  }

  /** The address of a webhook that the deployment takes itself. */
  get sink(): string {
    return `${this.#notify}/sink`;
  }

  /** Calls an operation of the API with the key, or an address of the deployment's own. */
  call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    this.ask(method, path.startsWith('//') ? path.slice(1) : this.#api + path, body, {
      authorization: `Bearer ${this.#key}`,
      ...headers,
    });

  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const began = performance.now();
    const response = await fetch(new URL(path, this.#address), {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${this.#address} did not answer: ${reason}`);
    });
    const text = await response.text();
    const took = performance.now() - began;
    const timing = response.headers.get('server-timing') ?? '';
    return {
      status: response.status,
      body: parsed(text),
      headers: response.headers,
      took,
      trips: Number(/desc="(\d+) trips?"/.exec(timing)?.[1] ?? 0),
      database: Number(/dur=([\d.]+)/.exec(timing)?.[1] ?? 0),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
