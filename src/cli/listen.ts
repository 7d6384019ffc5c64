import { createHmac } from 'node:crypto';
import {
  type Client,
  type FeedEntry,
  createClient,
  isApiError,
} from '../../packages/client/src/index.ts';
import { type ForwardResult, forward } from './support/forward.ts';
import { Refused, UsageError, command } from './support/command.ts';
import { readDemo, writeListener } from './support/folder.ts';

const usage = `Follows the events of a store, and posts each to an address on this machine, signed like a delivery.

  npm run --silent listen -- --forward http://localhost:3000/hook

It follows the store that runs here, or the deployment in SALES_API_URL, with the API key in SALES_API_KEY.

  --webhook ID     follows this webhook; by default one of its own, which it creates
  --since ID       begins after this entry of the feed, whose id the first column shows; by default with the next event`;

/** Milliseconds between two requests to a feed. */
const interval = 1000;

/** The name by which a later start finds the webhook again. */
const name = 'npm run listen';

/**
 * @returns the store to listen to
 * @throws Error naming the missing variable
 */
async function store() {
  const { SALES_API_URL: url, SALES_API_KEY: apiKey } = process.env;
  if (url && apiKey) return { url, apiKey };
  if (url || apiKey) throw new Refused('Set both SALES_API_URL and SALES_API_KEY.');
  const demo = await readDemo();
  if (demo?.api_key) return { url: demo.api_base, apiKey: demo.api_key };
  throw new Error(
    'No store is running here: start one with `npm start`, or set SALES_API_URL and SALES_API_KEY.',
  );
}

/** Finds or creates the webhook to the store's own sink. */
async function followed(client: Client, url: string): Promise<number> {
  const answer = await fetch(new URL('/', url)).catch((error: Error) => {
    throw new Error(`No store answers at ${url}.`, { cause: error });
  });
  const { notify_base } = (await answer.json()) as { notify_base: string };
  const sink = `${notify_base}/sink`;
  for await (const webhook of client.webhooks.list.all()) {
    if (webhook.name === name && webhook.url === sink && webhook.status === 'active')
      return webhook.id;
  }
  const { data } = await client.webhooks.create({ name, url: sink });
  return data.id;
}

async function latest(client: Client, webhook_id: number): Promise<number> {
  const { data } = await client.webhooks.deliveries(webhook_id, { per_page: 1 });
  return data[0]?.id ?? 0;
}

function explained(error: unknown, webhook_id: number): unknown {
  if (!isApiError(error, 'notify.feed') || !('since_id' in error.params)) return error;
  return new Error(
    `--since is not an entry of webhook ${webhook_id}: since_id ${error.params['since_id']}. It belongs to another webhook or store. Leave out --since, or begin at --since 0.`,
  );
}

/** Builds the body of a delivery. The feed doesn't have the event's id, so the entry's is used. */
const bodyOf = (
  { id, type, at, data: { event, data, object_id } }: FeedEntry,
  webhook_id: number,
) => ({
  id: `evt_${webhook_id}-${id}`,
  type,
  event,
  object_id,
  created_at: `${at.replace(' ', 'T')}.000Z`,
  data,
});

const lineOf = ({ id, data }: FeedEntry, { answer, milliseconds }: ForwardResult) =>
  [
    String(id).padStart(6),
    data.event.padEnd(26),
    data.object_id,
    `→ ${answer} (${milliseconds} ms)`,
  ].join('  ');

const options = {
  forward: { type: 'string' },
  webhook: { type: 'string' },
  since: { type: 'string' },
} as const;

await command({ usage, options }, async ({ values }) => {
  if (!values.forward)
    throw new UsageError('Give the address to post to: --forward http://localhost:3000/hook');
  if (values.since !== undefined && !/^\d{1,15}$/.test(values.since))
    throw new UsageError('--since must be the number of an entry.');
  const { url, apiKey } = await store();
  const client = createClient({ url, apiKey });
  const webhook_id = Number(values.webhook ?? (await followed(client, url)));
  const since = Number(values.since ?? (await latest(client, webhook_id)));
  // The secret is the same in every start, so the receiver is configured once.
  const secret = `whsec_${createHmac('sha256', apiKey).update(name).digest('base64')}`;
  await writeListener({ forward: values.forward, secret });
  console.log(`Events of ${url} are posted to ${values.forward}. Ctrl-C ends it.\n`);
  console.log(`  Secret     ${secret}\n  Webhook    ${webhook_id}, from entry ${since} on\n`);
  console.log('To post a sample: npm run --silent trigger -- order.created\n');
  try {
    for await (const entry of client.feed({ webhook_id, since, interval })) {
      const outcome = await forward(values.forward, bodyOf(entry, webhook_id), secret);
      console.log(lineOf(entry, outcome));
    }
  } catch (error) {
    throw explained(error, webhook_id);
  }
});
