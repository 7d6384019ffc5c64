import { type Deployment, servicesOf } from '../../../src/kernel/deployment/services.ts';
import { deliverDue } from '../../../src/kernel/events/delivery.ts';
import type { ApiClient } from '../../harness/client.ts';
import type { Store } from '../../harness/store.ts';

export interface Owned {
  readonly id: number;
  readonly secret: string;
}

/** The jobs' deliveries to healthy and to failing endpoints, each in an invocation of its own. */
export async function sweep(deployment: Deployment): Promise<void> {
  const healthy = deliverDue(servicesOf(deployment), 'healthy');
  await healthy.catch(() => {});
  await deliverDue(servicesOf(deployment), 'failing');
  await healthy;
}

export class PostOffice {
  readonly store: Store;
  readonly api: ApiClient;

  private constructor(store: Store, api: ApiClient) {
    this.store = store;
    this.api = api;
  }

  static async open(store: Store): Promise<PostOffice> {
    return new PostOffice(store, await store.key());
  }

  webhook = async (url: string, fields: object = {}): Promise<Owned> => {
    const reply = await this.api.post('/webhooks', { url, ...fields });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return reply.body.data;
  };

  /**
   * Creates a product, which causes one `product.created`.
   * @returns its id
   */
  product = async (title = 'Course'): Promise<number> =>
    (await this.api.post('/products', { title, price: 100 })).body.data.id;

  async sweepAfter(seconds: number): Promise<void> {
    await this.store.settled();
    this.store.clock.advance(seconds);
    await sweep(await this.store.services());
  }

  outbox = async (webhook: { id: number }) => {
    const { rows } = await this.store.database.query<{
      event_id: string;
      event: string;
      attempts: number;
      next_attempt_at: Date;
      lease_until: Date | null;
      delivered_at: Date | null;
    }>('select * from outbox where webhook_id = $1 order by id', [webhook.id]);
    return rows;
  };

  feed = async (webhook: { id: number }, query: Record<string, string | number> = {}) => {
    const search = new URLSearchParams({ webhook_id: String(webhook.id), ...strings(query) });
    return this.api.get(`//api/svc-notify/v1/feed?${search.toString()}`);
  };
}

const strings = (values: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
