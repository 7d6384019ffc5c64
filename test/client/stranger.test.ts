import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedHeaders } from '../../src/kernel/events/signing.ts';
import { Till } from '../operations/payments/till.ts';
import { Front } from './front.ts';
import { useProject } from './project.ts';

const project = useProject();

const program = `
import { createClient, createSessionClient, isEvent, verifyWebhook } from 'sales-api-client';

type Setup = { url: string; apiKey: string; hook: string; product_id: number };
let secret = '';
const heard: string[] = [];

export async function receive(request: Request): Promise<Response> {
  const event = await verifyWebhook(await request.text(), request.headers, secret);
  heard.push(isEvent(event, 'order.completed') ? event.data.number : event.type);
  return new Response();
}

export async function sell({ url, apiKey, hook, product_id }: Setup, pay: () => Promise<void>) {
  const client = createClient({ url, apiKey });
  const { data: webhook } = await client.webhooks.create({ url: hook, events: ['order.completed'] });
  secret = webhook.secret;
  const { data: buyer } = await client.users.create({ email: 'ana@people.example' });
  const input = { product_id, user_id: buyer.id, payment_gateway: 'xendit' };
  const { data: order } = await client.orders.create(input);
  const { data: payment } = await client.orders.paymentGateway(order);
  await pay();
  const { data: completed } = await client.orders.list({ status: 'completed', user_id: buyer.id });
  const { data: session } = await client.sessions.create({ user_id: buyer.id });
  const me = createSessionClient({ url, token: session.token });
  const { data: own } = await me.orders.list();
  return { page: payment.session?.url, completed: completed.length, own: own[0]?.number, number: order.number, heard };
}
`;

/** Runs the program with a real server for its webhook, and signals when the buyer shall pay. */
const driver = `
import { createServer } from 'node:http';
import { receive, sell } from './program.js';
const { SALES_URL: url, SALES_KEY: apiKey, PRODUCT, PAY } = process.env;
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const answer = await receive(new Request('http://hook', { method: 'POST', headers: request.headers, body }));
  response.writeHead(answer.status).end();
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const hook = 'http://127.0.0.1:' + server.address().port + '/hook';
const pay = async () => void (await fetch(PAY));
console.log(JSON.stringify(await sell({ url, apiKey, hook, product_id: Number(PRODUCT) }, pay)));
server.close();
`;

let till: Till | undefined;
let front: Front | undefined;
/** Makes the buyer pay when it is called. */
let bank: Server | undefined;

/** Adds an unknown field to an answer, as a later version of the service may do. */
function newer(text: string): string {
  const said = JSON.parse(text) as { data: object };
  created = { ...created, ...said.data };
  return JSON.stringify({ ...said, comet: 1, data: grown(said.data) });
}

const grown = (data: object): object =>
  Array.isArray(data) ? data.map((each: object) => grown(each)) : { ...data, comet: true };

/** The last answered value of each field, such as the webhook's address and secret. */
let created: { url?: string; secret?: string } = {};

/** Makes the buyer pay, sends an unknown event, and delivers everything. */
async function paid({ provider, bring, store }: Till): Promise<void> {
  const { url = '', secret = '' } = created;
  const body = JSON.stringify({ id: 'evt_1', type: 'comet-seen', data: { tail: 'long' } });
  const headers = await signedHeaders({ id: 'evt_1', at: new Date(), body }, [secret]);
  await fetch(url, { method: 'POST', headers, body });
  provider.pay(provider.references().at(-1) ?? '');
  await bring();
  await store.settled();
}

beforeAll(async () => {
  const opened = await Till.open('xendit', 'IDR', 0);
  till = opened;
  // The program checks signatures by the real time.
  opened.store.clock.set(new Date().toISOString());
  front = await Front.open(opened.store, newer);
  bank = createServer((_, response) => void paid(opened).finally(() => response.end()));
  bank.listen(0, '127.0.0.1');
  await once(bank, 'listening');
});

afterAll(async () => {
  bank?.close();
  await front?.close();
  await till?.close();
});

test('a new project sells, is paid, reads as its buyer and receives the events, even if newer fields and events exist', async () => {
  expect(program.trim().split('\n').length).toBeLessThan(40);
  expect(await project.compile('program', program)).toEqual([]);
  const { token } = (await till?.store.createKey()) ?? {};
  const printed = await project.run(driver, {
    SALES_URL: front?.url ?? '',
    SALES_KEY: token ?? '',
    PRODUCT: String(till?.product_id),
    PAY: `http://127.0.0.1:${(bank?.address() as AddressInfo | undefined)?.port}`,
  });
  const result = JSON.parse(printed) as { number: string; page: string };
  expect(result).toEqual({
    page: expect.stringMatching(/^https?:/),
    completed: 1,
    own: result.number,
    number: expect.any(String),
    heard: ['comet-seen', result.number],
  });
});
