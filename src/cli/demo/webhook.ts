import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Address } from './client.ts';

interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

const calling =
  ({ api_base, api_key }: Address) =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api_base}/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo webhook could not be made: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };

/** Creates a webhook of the demo. A later start finds it by its name, and corrects its address if the port changed. */
async function openWebhook(
  store: Address,
  webhook: { name: string; url: string; events: string[] },
) {
  const call = calling(store);
  const webhooks = await call<Webhook[]>('GET', '?sort=id&per_page=100');
  const known = webhooks.find(({ name }) => name === webhook.name);
  const { url } = webhook;
  if (known && known.url !== url) await call('PATCH', `/${known.id}`, { url });
  return { id: known?.id ?? (await call<Webhook>('POST', '', webhook)).id, isNew: !known };
}

/**
 * Creates a webhook that sends every event to the store's own sink, so that its feed has entries.
 * @returns the webhook's id
 */
export async function openSinkWebhook(store: Address, url: string): Promise<number> {
  const name = "Demo: the service's own sink";
  return (await openWebhook(store, { name, url, events: ['*'] })).id;
}

export async function startBrokenReceiver() {
  const server = createServer((_, response) => response.writeHead(500).end('Out of order'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hook`, close };
}

export async function openFailingWebhook(store: Address, url: string): Promise<void> {
  const name = 'Demo: a receiver that is out of order';
  const { id, isNew } = await openWebhook(store, { name, url, events: ['product.*'] });
  if (!isNew) return;
  const call = calling(store);
  for (let i = 0; i < 3; i++) await call('POST', `/${id}/test`);
}
