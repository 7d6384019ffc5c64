/** The name by which a later start finds the webhook again. */
const name = "Demo: the service's own sink";

interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
}

/**
 * Has the store send every event to its own sink, so that its feed shows what happens. A later start
 * finds the webhook there, and corrects its address where the port is another.
 * @returns the webhook's id
 */
export async function openSinkWebhook(
  { api_base, api_key }: { api_base: string; api_key: string },
  url: string,
): Promise<number> {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api_base}/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo webhook could not be made: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
  const webhooks = await call<Webhook[]>('GET', '?sort=id&per_page=100');
  const known = webhooks.find((webhook) => webhook.name === name);
  if (known && known.url !== url) await call('PATCH', `/${known.id}`, { url });
  return known?.id ?? (await call<Webhook>('POST', '', { name, url })).id;
}
