import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { placeOf } from '../../src/cli/store/databases.ts';
import { differencesText, findDifferences } from '../../src/cli/store/undone.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { openRestoredStore } from './archives.ts';
import { PostOffice } from '../kernel/events/post-office.ts';
import { useReceiver } from '../kernel/events/receiver.ts';

const opened = useStoreFixture();
const receiver = useReceiver();

// The database driver of this process is that of the store that opened last.
beforeEach(() => opened.fixture.store.restart());

test('A restore ends the sessions of before the backup, and counts what was revoked, rotated, blocked, erased and suppressed since', async () => {
  const { fixture } = opened;
  const { store, api } = fixture;
  const parent = await mkdtemp(join(tmpdir(), 'report-'));
  const folder = join(parent, 'backup');
  const { id: kept } = await fixture.newUser();
  const { id: before } = await fixture.newUser();
  const { id: blocked } = await fixture.newUser();
  const { id: erased } = await fixture.newUser();
  const revoke = (id: number) =>
    store.database.query('update api_keys set revoked_at = now() where id = $1', [id]);
  const rotate = async (id: number) => {
    await store.database.query(
      `with former as (update api_key_secrets set expires_at = now() where api_key_id = $1)
       insert into api_key_secrets (prefix, api_key_id, hash, pepper_version, created_at)
       values ('AfterBackup1', $1, '', 1, now())`,
      [id],
    );
  };
  const suppress = (address: string) =>
    store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at)
       values ('email', $1, 'unsubscribed', now())`,
      [address],
    );
  const keyBefore = await store.createKey();
  const keySince = await store.createKey();
  const rotated = await store.createKey();
  const { body } = await api.post('/sessions', { user_id: kept });
  await api.patch(`/users/${before}`, { status: 'blocked' });
  await revoke(keyBefore.id);
  await suppress('before@shop.example');
  await writeArchive(store.database, folder, () => undefined);
  await api.patch(`/users/${before}`, { display_name: 'Changed since' });
  await api.patch(`/users/${blocked}`, { status: 'blocked' });
  await api.delete(`/users/${erased}?force=true`);
  await revoke(keySince.id);
  await rotate(rotated.id);
  await suppress('since@shop.example');
  const again = await openRestoredStore(folder, opened.fixture);
  try {
    // The second database stands for one of another restore of the backup.
    const previous = [store.databaseUrl, again.store.databaseUrl] as const;
    const differences = await findDifferences(
      previous,
      again.store.database,
      new Date().toISOString(),
    );
    expect(differences.found).toMatchObject({
      keys: [String(keySince.id)],
      rotated: [String(rotated.id)],
      blocked: [String(blocked)],
      erased: [String(erased)],
      suppressed: ['email since@shop.example'],
    });
    expect(differencesText(differences)).toBe(
      [
        `Compared with ${placeOf({ direct: previous[0] })}, ${placeOf({ direct: previous[1] })}:`,
        'The backup brought back what had been ended. End it again (docs/backups.md):',
        `  revoked API keys: 1 (id ${keySince.id})`,
        `  rotated API keys, whose former secrets work again: 1 (id ${rotated.id})`,
        `  blocked people: 1 (id ${blocked})`,
        `  erased people: 1 (id ${erased})`,
        '  suppressed addresses: 1',
      ].join('\n'),
    );
    const session = again.store.client({ authorization: `Bearer ${body.data.token}` });
    expect(await session.get('/me')).toMatchObject({
      status: 401,
      body: { message: 'This session has been revoked.' },
    });
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});

test('A restore counts the orders, refunds and payouts of after the backup, and names databases that do not answer', async () => {
  const { fixture } = opened;
  const { store, api } = fixture;
  const parent = await mkdtemp(join(tmpdir(), 'report-'));
  const folder = join(parent, 'backup');
  const product = await fixture.newProduct({
    ...{ price: 100_000, stock: null },
    affiliate: { enabled: true, hold_days: 0, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] },
  });
  const { id: affiliate_id } = await fixture.newUser({ roles: ['affiliate'], bank_info: 'BRI 77' });
  const { id: user_id } = await fixture.newUser();
  const order = () => fixture.newOrder({ product_id: product.id, user_id, affiliate_id });
  const complete = async ({ id }: { id: number }) =>
    expect(await api.patch(`/orders/${id}`, { status: 'completed' })).toMatchObject({
      status: 200,
    });
  const pay = (reference: string) =>
    api.post('/payouts', { affiliate_id, method: 'BRI', reference });
  const [first, second, third, fourth] = [
    await order(),
    await order(),
    await order(),
    await order(),
  ];
  for (const one of [first, second, third]) await complete(one);
  const known = (await pay('before the backup')).body.data;
  await api.post(`/orders/${first.id}/refunds`, { amount: 1000 });
  await writeArchive(store.database, folder, () => undefined);
  // The clock of the store.
  const since = first.created_at;
  store.clock.advance(60);
  await complete(fourth);
  await complete(await order());
  await order();
  expect(await pay('since the backup')).toMatchObject({ status: 201 });
  expect(await api.post(`/payouts/${known.id}/cancel`)).toMatchObject({ status: 200 });
  expect(await api.post(`/orders/${second.id}/refunds`)).toMatchObject({ status: 201 });
  const again = await openRestoredStore(folder, opened.fixture);
  try {
    const compare = (...previous: string[]) =>
      findDifferences(previous, again.store.database, since);
    expect(differencesText(await compare(again.store.databaseUrl))).toBe(
      `Compared with ${placeOf({ direct: again.store.databaseUrl })}: the restore undid none of the changes that docs/backups.md lists.`,
    );
    expect(differencesText(await compare())).toMatch(
      /^Compared with no database: OLD_DATABASES names none that was in use after the backup/,
    );
    const down = 'postgres://nobody:secret@127.0.0.1:1/down';
    const differences = await compare(store.databaseUrl, down);
    expect(differences.found).toMatchObject({
      ...{ placed: [expect.anything(), expect.anything()], bought: [expect.anything()] },
      ...{ paid: [String(fourth.id)], refunds: [expect.anything()], manual: [expect.anything()] },
      ...{ decided: [], byHand: [], payouts: [expect.anything()], returned: [String(known.id)] },
    });
    expect(differencesText(differences)).toMatch(
      new RegExp(
        [
          'The store no longer has what came after the backup. Enter it again before .*:',
          ...['  new orders: 2 .*', '  new orders that were paid: 1 .*'],
          '  earlier orders that were paid since: 1 .*',
          ...['  earlier orders that were completed since, .*: 1 .*', '  refunds: 1 .*'],
          ...[
            '  refunds that no provider sent: 1 .*',
            '  payouts, which would be paid again: 1 .*',
          ],
          '  earlier payouts that were cancelled or returned since: 1 .*',
          'Records that were added or changed after the backup, including those above:',
          ...['  orders: 4 .*', '  access: 4 .*', '  commissions: 7 .*', '  risks: 1 .*'],
          'Not compared. Ask the database yourself .*:',
          '  127.0.0.1:1/down: The database could not be reached: .*$',
        ].join('\n'),
      ),
    );
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});

const account = (number: string) => ({
  ...{ bank_code: '014', bank_name: 'BCA', number, holder: 'Sari' },
});

test('A restore names what would be paid again, or to a former account, and each right that was taken away', async () => {
  const { fixture } = opened;
  const { store, api } = fixture;
  const parent = await mkdtemp(join(tmpdir(), 'report-'));
  const folder = join(parent, 'backup');
  let accounts = 5_550_000;
  const newAffiliate = () =>
    fixture.newUser({ roles: ['affiliate'], bank_account: account(String((accounts += 1))) });
  const product = await fixture.newProduct({
    ...{ price: 100_000, stock: null, license: { active: true, max: 1 } },
    affiliate: { enabled: true, hold_days: 0, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] },
  });
  const buyer = await fixture.newUser();
  const sale = async () => {
    const affiliate = await newAffiliate();
    const order = await fixture.newOrder({
      ...{ product_id: product.id, user_id: buyer.id, affiliate_id: affiliate.id },
      status: 'completed',
    });
    const commissions = (await api.get(`/commissions?order_id=${order.id}`)).body.data;
    return { affiliate, order, commission: commissions[0].id as number };
  };
  const [settled, cancelled, corrected] = [await sale(), await sale(), await sale()];
  const [withdrawn, transferred, waiting] = [await sale(), await sale(), await sale()];
  const started = await fixture.newOrder({
    ...{ product_id: product.id, user_id: buyer.id, status: 'in-progress' },
  });
  const club = await fixture.newProduct({ subscription: { active: true } });
  await fixture.newOrder({ product_id: club.id, user_id: buyer.id, status: 'completed' });
  const subscription = (await api.get(`/subscriptions?user_id=${buyer.id}`)).body.data[0];
  const group = (await api.post('/user-groups', { name: 'Gold' })).body.data;
  const draft = async ({ affiliate }: { affiliate: { id: number } }) =>
    (await api.post('/payout-runs', { affiliates: [affiliate.id] })).body.data;
  const confirm = ({ id }: { id: number }) => api.post(`/payout-runs/${id}/confirm`);
  const former = await draft(transferred);
  const drafted = await draft(waiting);
  await confirm(former);
  const coupon = (
    await api.post('/coupons', { code: 'TEN', discount: { value: 10, type: 'percentage' } })
  ).body.data;
  const office = await PostOffice.open(store);
  const webhook = await office.webhook(receiver.url('/ended'), { events: ['product.created'] });
  const key = await store.createKey();
  const grant = (await api.post('/access', { user_id: buyer.id, product_id: product.id })).body
    .data;
  const licence = (await api.get(`/licenses?reveal=true&order_id=${settled.order.id}`)).body
    .data[0];
  await writeArchive(store.database, folder, () => undefined);
  const since = product.created_at;
  const change = async (path: string, body: object) =>
    expect(await api.patch(path, body), path).toMatchObject({ status: 200 });
  await change(`/commissions/${settled.commission}`, { paid_status: true });
  await change(`/commissions/${cancelled.commission}`, { status: 'cancelled' });
  await change(`/commissions/${corrected.commission}`, { commission: 777, reason: 'Agreed.' });
  await change(`/orders/${withdrawn.order.id}`, { status: 'in-progress' });
  await change(`/orders/${started.id}`, { status: 'completed' });
  await change(`/subscriptions/${subscription.id}`, { next_price: 777 });
  await api.post(`/users/${buyer.id}/group`, { group_id: group.id });
  await confirm(drafted);
  const line = `/payout-runs/${former.id}/lines/${former.lines[0].id}`;
  expect((await api.post(line, { result: 'paid' })).status).toBe(200);
  await change(`/users/${settled.affiliate.id}`, { bank_account: account('7770007') });
  await change(`/users/${buyer.id}`, { affiliate_id: settled.affiliate.id });
  await change(`/users/${cancelled.affiliate.id}`, { roles: ['member'] });
  await change(`/users/${corrected.affiliate.id}`, { email: 'moved@shop.example' });
  await change(`/products/${product.id}`, { price: 200_000 });
  await change(`/coupons/${coupon.id}`, { status: 'pending' });
  expect(
    await api.post('/licenses/register', { license: licence.code, string: 'pc-1' }),
  ).toMatchObject({ status: 200 });
  await store.database.query("update licenses set status = 'inactive', updated_at = now()");
  await store.database.query("update api_keys set scopes = '{orders:read}' where id = $1", [
    key.id,
  ]);
  await store.database.query(
    "update settings set notification_email = 'a@b.c', updated_at = now()",
  );
  await store.database.query(
    "update staff_roles set scopes = '{}', updated_at = now() where id = 1",
  );
  expect(await api.delete(`/webhooks/${webhook.id}`)).toMatchObject({ status: 200 });
  expect(await api.delete(`/access/${grant.id}`)).toMatchObject({ status: 200 });
  const again = await openRestoredStore(folder, opened.fixture);
  try {
    const differences = await findDifferences([store.databaseUrl], again.store.database, since);
    const ids = (...all: number[]) => all.map(String);
    expect(differences.unread).toEqual([]);
    expect(differences.found).toMatchObject({
      settled: ids(settled.commission),
      cancelled: ids(cancelled.commission),
      corrected: ids(corrected.commission),
      withdrawn: ids(withdrawn.order.id),
      completed: ids(started.id),
      runs: ids(drafted.id),
      lines: ids(former.lines[0].id),
      members: ids(buyer.id),
      renewals: ids(subscription.id),
      accounts: ids(settled.affiliate.id),
      sponsors: ids(buyer.id),
      terms: ids(product.id),
      coupons: ids(coupon.id),
      settings: ids(1),
      addresses: ids(corrected.affiliate.id),
      roles: ids(cancelled.affiliate.id),
      permissions: ids(1),
      narrowed: ids(key.id),
      receivers: ids(webhook.id),
      grants: ids(grant.id),
      seats: ids(licence.id),
      licenses: ids(1, 2, 3, 4, 5, 6),
    });
    const text = differencesText(differences);
    expect(text).toContain(
      `  people whose bank account changed, and who would be paid at the former one: 1 (id ${settled.affiliate.id})`,
    );
    expect(text).not.toMatch(/555000|7770007|moved@shop/);
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});

test('The statements of docs/backups.md that list changes fit the schema', async () => {
  const text = await readFile(resolve(import.meta.dirname, '../../docs/backups.md'), 'utf8');
  const lists = [...text.matchAll(/```sql\n(select [^]*?)```/g)].map(([, sql = '']) => sql);
  expect(lists).toHaveLength(2);
  for (const sql of lists) await opened.fixture.store.database.query(sql);
});
