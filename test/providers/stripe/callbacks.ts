import { createHmac } from 'node:crypto';

export const webhookSecret = 'whsec_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d';
/** The secret before the rotation: Stripe signs with both for a day. */
const rolledSecret = 'whsec_1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed';

/** An event of Stripe: its type, and its object at that time. */
interface Told {
  readonly type: string;
  readonly object: object;
}

/** The waiting events: docs.stripe.com/api/events, docs.stripe.com/webhooks. */
export class Callbacks {
  readonly #waiting: Told[] = [];
  #events = 0;

  add(type: string, object: object): void {
    this.#waiting.push({ type, object });
  }

  /** @param time of the signature, in seconds since 1970 */
  take(baseUrl: string, time: number): Request[] {
    return this.#waiting.splice(0).map((told) => {
      const body = this.#event(told, time);
      return post(baseUrl, body, signature(time, body));
    });
  }

  /** Forges callbacks that claim a paid session. */
  forgeries(baseUrl: string, time: number, session: object): Request[] {
    const expired = { ...session, status: 'expired', payment_status: 'unpaid' };
    const paid = { ...session, status: 'complete', payment_status: 'paid' };
    const genuine = this.#event({ type: 'checkout.session.expired', object: expired }, time);
    const body = this.#event({ type: 'checkout.session.completed', object: paid }, time);
    const old = time - 301;
    return [
      post(baseUrl, body),
      post(baseUrl, body, `t=${time},v1=${'0'.repeat(64)}`),
      post(baseUrl, body, `t=${time},v1=${hmac('whsec_guessed', time, body)}`),
      post(baseUrl, body, `t=${time},v0=${hmac(webhookSecret, time, body)}`),
      post(baseUrl, body, `v1=${hmac(webhookSecret, time, body)}`),
      post(baseUrl, body, `t=${old},v1=${hmac(webhookSecret, old, body)}`),
      post(baseUrl, body, signature(time, genuine)),
    ];
  }

  #event({ type, object }: Told, created: number): string {
    const id = `evt_${String(++this.#events).padStart(24, '0')}`;
    return JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-07-29.dahlia',
      created,
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
  }
}

/** One signature for each valid secret, and one of another scheme, which proves nothing. */
function signature(time: number, body: string): string {
  const valid = [rolledSecret, webhookSecret].map((secret) => `v1=${hmac(secret, time, body)}`);
  return [`t=${time}`, ...valid, `v0=${'6'.repeat(64)}`].join(',');
}

const hmac = (secret: string, time: number, body: string) =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');

/** To the address in the dashboard. */
const post = (baseUrl: string, body: string, signed?: string) =>
  new Request(`${baseUrl}/payments/stripe/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signed !== undefined && { 'stripe-signature': signed }),
    },
    body,
  });
