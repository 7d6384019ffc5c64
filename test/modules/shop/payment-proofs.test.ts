import { beforeAll, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, orderPath, orderIdsOf, report } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let slug: string;

beforeAll(async () => {
  ({ slug } = await opened.fixture.newProduct({ title: 'Course', price: 15_000 }));
});

test('a payment proof is uploaded by a file field in two trips; another type of file is refused', async () => {
  const { fixture } = opened;
  const path = orderPath(await buy(fixture.store, slug, { email: 'proof@people.example' }));
  const upload = (bytes?: Uint8Array<ArrayBuffer>) => report(fixture.store, path, bytes);
  const wrong = await upload(new TextEncoder().encode('no picture'));
  expect((await visit(fixture.store, wrong.headers.get('location') ?? '')).text).toContain(
    'cannot read this file as a picture',
  );
  const sent = await upload();
  expect([sent.status, sent.trips]).toEqual([303, 2]);
  const [id = 0] = await orderIdsOf(fixture.store, 'proof@people.example');
  expect((await fixture.order(id)).status).toBe('payment-confirm');
  const { body } = await fixture.api.get(`/confirmations?order_id=${id}`);
  // The form asks for no amount, and so none is stated in the buyer's name.
  expect(body.data).toMatchObject([{ detail: { total: null }, amount_matches: false }]);
  expect((await visit(fixture.store, path)).text).toContain('Your proof of payment has arrived');
  await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  const paid = await visit(fixture.store, path);
  expect(paid.text).toContain('your payment has arrived');
  expect(paid.text).not.toContain('type="file"');
});

test('a store that keeps no files takes the report of a payment without a picture', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const { bucket } = store;
  store.bucket = undefined;
  store.restart();
  try {
    const path = orderPath(await buy(store, slug, { email: 'no-bucket@people.example' }));
    const page = await visit(store, path);
    expect(page.text).not.toContain('type="file"');
    expect(page.text).toContain('I have paid');
    const body = new FormData();
    body.set('paid', '1');
    const say = () => visit(store, `${path}/proof`, { method: 'POST', body });
    const sent = await say();
    expect([sent.status, sent.trips]).toEqual([303, 2]);
    expect((await say()).status).toBe(303);
    const [id = 0] = await orderIdsOf(store, 'no-bucket@people.example');
    expect((await fixture.order(id)).status).toBe('payment-confirm');
    const { body: kept } = await fixture.api.get(`/confirmations?order_id=${id}`);
    expect(kept.data).toMatchObject([{ status: 'pending', detail: { proof: '', total: null } }]);
    expect((await visit(store, path)).text).toContain('We look for your transfer');
  } finally {
    store.bucket = bucket;
    store.restart();
  }
});

test('the page of an order shows why its last payment proof was rejected', async () => {
  const { fixture } = opened;
  const path = orderPath(await buy(fixture.store, slug, { email: 'rejected@people.example' }));
  const reject = async (body: object) => {
    await report(fixture.store, path);
    const [id = 0] = await orderIdsOf(fixture.store, 'rejected@people.example');
    const { body: found } = await fixture.api.get(`/confirmations?order_id=${id}&status=pending`);
    const review = `/confirmations/${found.data[0].id}`;
    expect((await fixture.api.post(review, { status: 'rejected', ...body })).status).toBe(200);
    return (await visit(fixture.store, path)).text;
  };
  expect(await reject({})).not.toContain('The reason:');
  expect(await reject({ reject_reason: 'The amount is <unreadable>.' })).toContain(
    'The reason: The amount is &lt;unreadable&gt;.',
  );
});

test('an order accepts ten payment proofs and no more', async () => {
  const { store } = opened.fixture;
  const path = orderPath(await buy(store, slug, { email: 'proofs@people.example' }));
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await report(store, path)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
});
