export interface Address {
  readonly api_base: string;
  readonly api_key: string;
}

type Created = { data: { id: number } };

/** Calls the running store as an integration would: each write with an Idempotency-Key of its own. */
export class DemoClient {
  readonly #address: Address;
  constructor(address: Address) {
    this.#address = address;
  }

  async send<T = Created>(method: string, path: string, body: object, key?: string): Promise<T> {
    const response = await fetch(this.#address.api_base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#address.api_key}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': `demo-${key}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo store could not be filled: ${path} ${text}`);
    return JSON.parse(text) as T;
  }

  /**
   * Uploads the picture of a payment as the order's buyer.
   * @returns its address
   */
  async uploadProof(user_id: number, order_id: number, picture: Uint8Array<ArrayBuffer>) {
    const made = await this.send<{ data: { token: string } }>('POST', '/sessions', { user_id });
    const form = new FormData();
    form.set('file', new Blob([picture]), 'receipt.png');
    form.set('purpose', 'proof');
    form.set('order_id', String(order_id));
    const response = await fetch(`${this.#address.api_base}/me/media/upload-image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.data.token}` },
      body: form,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo store could not be filled: ${text}`);
    return (JSON.parse(text) as { data: { url: string } }).data.url;
  }

  /** @returns the id of the new record */
  create = async (path: string, key: string, body: object): Promise<number> =>
    (await this.send('POST', path, body, key)).data.id;
}
