import { quoted } from '../lib/shell.ts';
import type { Demo } from './support/folder.ts';

/**
 * What is new to somebody who opened the store.
 * @param webhookId of the demo's own sink; undefined where the store isn't the demo
 * @param signIn a link into the console, and whom it signs in, where there is anybody
 */
export function greeting(
  demo: Demo,
  webhookId: number | undefined,
  signIn: { readonly email: string; readonly link: string } | undefined,
): string {
  const { api_base, base_url, notify_base, api_key } = demo;
  const key = `-H 'Authorization: Bearer ${api_key}'`;
  const isDemo = webhookId !== undefined;
  return `
The store is open. Ctrl-C closes it. ${dataText(isDemo)}

  Service      ${base_url}/
  API          ${api_base}
  Notify       ${notify_base}
  Docs         ${base_url}/docs
${signIn ? consoleText(signIn) : ''}
  API key      ${api_key}
${isDemo ? tokensText : ''}
To try in another terminal. The latest orders:

  curl -s '${api_base}/orders?per_page=2' ${key}
${isDemo ? demoText(demo, webhookId, key) : ''}
What is due is done within a minute. To do it now:

  curl -s -X POST '${base_url}/cdn-cgi/local/scheduled'

Each request is shown below, one per line.
`;
}

function dataText(isDemo: boolean): string {
  if (!process.env['DATABASE_URL'])
    return 'Its data stays in .local/; delete that folder to start over.';
  const where = 'Its data is in the database of DATABASE_URL';
  return isDemo ? `${where}.` : `${where}, to which only an API key was added.`;
}

const consoleText = ({ email, link }: { readonly email: string; readonly link: string }) => `
The administration console. This link signs you in, once, within ten minutes:

  ${link}

Another one: npm run --silent key -- console ${quoted(email)}
`;

const tokensText = `  Tokens       of an administrator, an affiliate and a buyer, for half a day: in .local/demo.json
`;

/** What can be tried with the records of the demo. */
function demoText({ api_base, notify_base, tokens }: Demo, webhookId: number, key: string): string {
  const order = `-H 'Content-Type: application/json' -H 'Idempotency-Key: first-order' -d '{"product_id":1,"user_id":4}'`;
  const buyer = tokens.buyer
    ? `
What the buyer's own app asks, with a session token:

  curl -s '${api_base}/me' -H 'Authorization: Bearer ${tokens.buyer}'
`
    : '';
  return `
A new order; sent twice, it is still one:

  curl -s '${api_base}/orders' ${key} ${order}
${buyer}
Events are sent to a webhook, here the store's own sink. To see what was sent:

  curl -s '${notify_base}/feed?webhook_id=${webhookId}' ${key}
`;
}
