import { quoted } from '../lib/shell.ts';
import type { Demo } from './support/folder.ts';

interface OpenedStore {
  /** The name of its file in .local. */
  readonly file: string;
  /** The webhook to the demo's sink; undefined if the store isn't the demo. */
  readonly webhook_id?: number | undefined;
  readonly signIn?: { readonly email: string; readonly link: string } | undefined;
  readonly doesJobs: boolean;
  readonly hasShop: boolean;
}

export function greeting(
  demo: Demo,
  { file, webhook_id, signIn, doesJobs, hasShop }: OpenedStore,
): string {
  const { api_base, base_url, notify_base, api_key } = demo;
  const isDemo = webhook_id !== undefined;
  const key = `-H 'Authorization: Bearer ${api_key}'`;
  const addresses = `  Service      ${base_url}/
  API          ${api_base}
  Notify       ${notify_base}
  Docs         ${base_url}/docs`;
  const paragraphs = [
    `The store is open. Ctrl-C closes it. ${dataText(demo, isDemo)}`,
    addresses,
    file !== 'demo.json' && otherStoreText(file),
    hasShop && shopText(base_url),
    signIn && consoleText(signIn),
    api_key === undefined
      ? noKeyText
      : `  API key      ${api_key}${isDemo ? `\n${tokensText(file)}` : ''}`,
    api_key && !signIn && noAdministratorText(api_base, key),
    api_key && ordersText(api_base, key),
    ...(isDemo ? demoTexts(demo, key) : []),
    isDemo && doesJobs && feedText(notify_base, webhook_id, key),
    doesJobs ? jobsText(base_url) : noJobsText,
    'Each request is shown below, one per line.',
  ];
  return `\n${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

function dataText({ api_key }: Demo, isDemo: boolean): string {
  if (!process.env['DATABASE_URL'])
    return 'Its data stays in .local/; delete that folder to start over.';
  const where = 'Its data is in the database of DATABASE_URL';
  return isDemo || api_key === undefined
    ? `${where}.`
    : `${where}, to which only an API key was added.`;
}

const consoleText = ({ email, link }: { readonly email: string; readonly link: string }) =>
  `The administration console. This link signs you in, once, within ten minutes:

  ${link}

Another one: npm run --silent key -- console ${quoted(email)}`;

const shopText = (base_url: string) =>
  `The shop, for buyers: buy by transfer, approve the payment in the console, and see the order's page change:

  ${base_url}/`;

const noKeyText = `There is no API key and no link into the console: to get them, start with API_KEY_PEPPERS and SESSION_KEYS set to
what the deployment of this store has.`;

const noAdministratorText = (api_base: string, key: string) =>
  `The store has no administrator. To get a link into the console, make your user an administrator in another terminal, with
API_KEY_PEPPERS set as here, and start the store again:

  curl -s '${api_base}/users' ${key} -H 'Content-Type: application/json' -d '{"email":"you@example.com"}'
  npm run --silent key -- administrator you@example.com`;

const tokensText = (file: string) =>
  `  Tokens       of an administrator, an affiliate and a buyer, for half a day: in .local/${file}`;

const otherStoreText = (file: string) =>
  `Another store of this checkout is open and keeps .local/demo.json, which commands without DATABASE_URL read. This
store's addresses and key are in .local/${file}.`;

const ordersText = (api_base: string, key: string) =>
  `To try in another terminal. The latest orders:

  curl -s '${api_base}/orders?per_page=2' ${key}`;

function demoTexts({ api_base, tokens }: Demo, key: string): (string | undefined)[] {
  const order = `-H 'Content-Type: application/json' -H 'Idempotency-Key: first-order' -d '{"product_id":1,"user_id":4}'`;
  return [
    `A new order; sent twice, it is still one:

  curl -s '${api_base}/orders' ${key} ${order}`,
    tokens.buyer &&
      `What the buyer's own app asks, with a session token:

  curl -s '${api_base}/me' -H 'Authorization: Bearer ${tokens.buyer}'`,
  ];
}

const feedText = (notify_base: string, webhook_id: number, key: string) =>
  `Events are sent to a webhook, here the store's own sink. To see what was sent:

  curl -s '${notify_base}/feed?webhook_id=${webhook_id}' ${key}`;

const jobsText = (base_url: string) =>
  `Due jobs run within a minute. To run them now: curl -s -X POST '${base_url}/cdn-cgi/local/scheduled'`;

const noJobsText =
  "The store's deployment runs the due jobs. To run them here too, start with: npm start -- --jobs";
