import { expect, test } from 'vitest';
import { feedOf } from '../../packages/client/src/feed.ts';
import { isEvent } from '../../packages/client/src/index.ts';
import { useReceiver } from '../kernel/events/receiver.ts';
import { PostOffice } from '../kernel/events/post-office.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { backendOf } from './clients.ts';

const at = useStoreFixture();
const receiver = useReceiver();

/** A webhook with `product.created` events of products with these titles. */
async function webhookSent(...titles: string[]) {
  const { client, requests } = await backendOf(at.fixture.store);
  const office = await PostOffice.open(at.fixture.store);
  const { id } = await office.webhook(receiver.url('/hook'), { events: ['product.created'] });
  const send = async (title: string) => {
    await office.product(title);
    await office.store.settled();
  };
  for (const title of titles) await send(title);
  return { client, requests, webhook_id: id, send };
}

type Entries = AsyncIterable<{
  id: number;
  data: { event: string; data: unknown; object_id: number };
}>;

async function next(feed: Entries, most: number): Promise<string[]> {
  const titles: string[] = [];
  for await (const { data } of feed) {
    if (isEvent(data, 'product.created')) titles.push(data.data.title);
    if (titles.length === most) break;
  }
  return titles;
}

test('a feed continues after the last entry that was read, in the same process and in another', async () => {
  const { client, webhook_id } = await webhookSent('One', 'Two', 'Three');
  const feed = client.feed({ webhook_id });
  expect(await next(feed, 1)).toEqual(['One']);
  expect(await next(feed, 1)).toEqual(['Two']);
  expect(await next(client.feed({ webhook_id, since: feed.since }), 1)).toEqual(['Three']);
});

test('readers of one feed share its entries, and its position never goes back', async () => {
  const ids = [1, 2, 3, 4];
  const feed = feedOf(
    ({ since_id }) =>
      Promise.resolve({
        data: ids.filter((id) => id > since_id).map((id) => ({ id })),
        next_since: 4,
      }),
    { webhook_id: 1 },
  );
  const [one, other] = [feed[Symbol.asyncIterator](), feed[Symbol.asyncIterator]()];
  const read: unknown[] = [];
  for (const reader of [one, other, one, other]) read.push((await reader.next()).value);
  expect(read).toEqual(ids.map((id) => ({ id })));
  expect(feed.since).toBe(4);
});

test('a feed waits for new entries', async () => {
  const { client, requests, webhook_id, send } = await webhookSent('One');
  const feed = client.feed({ webhook_id });
  expect(await next(feed, 1)).toEqual(['One']);
  const coming = next(feed, 1);
  // The reader has been told that there are no more entries.
  await expect.poll(() => requests.length).toBe(2);
  await send('Two');
  expect(await coming).toEqual(['Two']);
});

test('a feed that waits can be stopped', async () => {
  const { client, webhook_id } = await webhookSent();
  const reason = new Error('Closing down.');
  const ending = new AbortController();
  const reading = next(client.feed({ webhook_id }, { signal: ending.signal }), 1);
  ending.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
