import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import { useReceiver } from '../kernel/events/receiver.ts';
import { PostOffice } from '../kernel/events/post-office.ts';
import { useStore } from '../harness/store.ts';
import { Checkout, run } from '../local/checkout.ts';
import { Front } from './front.ts';
import { long } from '../harness/long.ts';

const opened = useStore();
const receiver = useReceiver();
const checkout = new Checkout();
let front: Front | undefined;

beforeAll(async () => {
  front = await Front.open(opened.store);
});

afterAll(async () => {
  await front?.close();
  await checkout.remove();
});

const command = (name: string, options: string[], environment: Record<string, string> = {}) =>
  run(join(checkout.folder, `src/cli/${name}.ts`), options, environment);

/**
 * Runs a command to its end.
 * @returns its output and its exit code
 */
async function ended(name: string, ...options: string[]) {
  const process = command(name, options);
  const code = await new Promise((resolve) => process.process.once('close', resolve));
  return { code, output: process.output() };
}

async function listening(path: string, ...options: string[]) {
  const { token } = await opened.store.createKey();
  const listener = command('listen', ['--forward', receiver.url(path), ...options], {
    SALES_API_URL: front?.url ?? '',
    SALES_API_KEY: token,
  });
  await listener.prints('To post a sample');
  const secret = /whsec_\S+/.exec(listener.output())?.[0] ?? '';
  return { listener, secret, token };
}

describe('npm run listen', () => {
  long('posts signed events, and prints the answers', async () => {
    const { listener, secret } = await listening('/hook');
    receiver.answer = () => ({ body: 'thanks' });
    const office = await PostOffice.open(opened.store);
    const product = await office.product('A course');
    await office.store.settled();
    await listener.prints('thanks');
    await listener.end('SIGINT');
    expect(listener.output()).toMatch(
      new RegExp(` product\\.created +${product}  → 200 thanks \\(\\d+ ms\\)`),
    );
    const [delivery] = receiver.at('/hook');
    const event = await verifyWebhook(delivery?.body ?? '', delivery?.headers ?? {}, secret);
    expect(event).toMatchObject({ event: 'product.created', data: { title: 'A course' } });
  });

  long('reports that nobody answered, and continues', async () => {
    const { listener } = await listening('/broken');
    receiver.answer = () => null;
    const office = await PostOffice.open(opened.store);
    await office.product('One');
    await office.store.settled();
    await listener.prints('→ no answer: ');
    receiver.answer = () => ({ status: 202 });
    await office.product('Two');
    await office.store.settled();
    await listener.prints('→ 202');
    await listener.end('SIGINT');
  });

  long('continues with the same webhook after a restart, from the entry it is given', async () => {
    receiver.answer = () => ({});
    const office = await PostOffice.open(opened.store);
    const first = await listening('/first');
    await office.product('One');
    await office.store.settled();
    await first.listener.prints('→ 200');
    await first.listener.end('SIGINT');
    const [webhook, entry] = [/Webhook +(\d+)/, /^ *(\d+) {2}product/m].map(
      (pattern) => pattern.exec(first.listener.output())?.[1] ?? '',
    );
    await office.product('Two');
    await office.store.settled();
    const second = await listening('/second', '--since', entry ?? '');
    await second.listener.prints('→ 200');
    await second.listener.end('SIGINT');
    expect(second.listener.output()).toContain(`Webhook    ${webhook}, from entry ${entry} on`);
    const titles = receiver.at('/second').map(({ body }) => JSON.parse(body).data.title);
    expect(titles).toEqual(['Two']);
    const third = await listening('/third');
    await third.listener.end('SIGINT');
    expect(third.listener.output()).toContain(
      `Webhook    ${webhook}, from entry ${Number(entry) + 1} on`,
    );
  });

  long('says what to do when the store has no such entry', async () => {
    const { token } = await opened.store.createKey();
    const listener = command('listen', ['--forward', receiver.url('/'), '--since', '4000'], {
      SALES_API_URL: front?.url ?? '',
      SALES_API_KEY: token,
    });
    const code = await new Promise((resolve) => listener.process.once('close', resolve));
    expect(code).toBe(1);
    expect(listener.output()).toMatch(
      /It belongs to another webhook or store\. Leave out --since, or begin at --since 0\.\n$/,
    );
  });

  test('names the variables that it needs', async () => {
    expect(await ended('listen', '--forward', receiver.url('/'))).toEqual({
      code: 1,
      output:
        'No store is running here: start one with `npm start`, or set SALES_API_URL and SALES_API_KEY.\n',
    });
    expect((await ended('listen')).output).toMatch(/--forward http:\/\/localhost:3000\/hook/);
  });
});

describe('npm run trigger', () => {
  long('posts a sample to the last address that listen posted to, with its secret', async () => {
    const { listener, secret } = await listening('/sample');
    receiver.answer = () => ({ body: 'thanks' });
    const { code, output } = await ended('trigger', 'order.created');
    await listener.end('SIGINT');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^order\.created → http\S+ → 200 thanks \(\d+ ms\)\n$/),
    });
    const [delivery] = receiver.at('/sample');
    const event = await verifyWebhook(delivery?.body ?? '', delivery?.headers ?? {}, secret);
    expect(event).toMatchObject({ event: 'order.created', data: { number: expect.any(String) } });
  });

  long('refuses an unknown event, and names the command that lists all events', async () => {
    const { code, output } = await ended('trigger', 'order.sold');
    expect(code).toBe(2);
    expect(output).toMatch(
      /^There is no event order\.sold\. `npm run trigger -- --help` lists all\.\n/,
    );
  });
});
