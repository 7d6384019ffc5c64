export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  /** Milliseconds until the answer was complete. */
  readonly took: number;
  /** Round trips to the database, and their milliseconds. */
  readonly trips: number;
  readonly database: number;
}

const patience = 30_000;

export class Deployment {
  readonly #address: string;
  readonly #key: string;
  #api = '';
  #notify = '';

  constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
  }

  /** Finds the address of its API. @throws Error if no deployment of this service answers */
  async open(): Promise<void> {
    const { body } = await this.ask('GET', '/');
    const { api_base, notify_base } = (body ?? {}) as Record<string, unknown>;
    if (typeof api_base !== 'string' || typeof notify_base !== 'string')
      throw new Error(`${this.#address} is not a deployment of this service.`);
    if (new URL(api_base).origin !== this.#address)
      throw new Error(
        `${this.#address} names ${api_base} as its own address. Check the deployment at that address.`,
      );
    [this.#api, this.#notify] = [api_base, notify_base];
  }

  /** The address of a webhook to the deployment itself. */
  get sink(): string {
    return `${this.#notify}/sink`;
  }

  /** Calls an operation with the key. A path after `//` is outside the API. */
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
