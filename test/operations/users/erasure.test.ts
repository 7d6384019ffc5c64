import { beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { long } from '../../harness/long.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';
import type { ApiClient } from '../../harness/client.ts';

const stage = useAffiliateStore();
let api: ApiClient;
let users = 0;

beforeAll(() => {
  api = stage.at.fixture.api;
});

const done = async (asked: Promise<Awaited<ReturnType<ApiClient['post']>>>) => {
  const reply = await asked;
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body.data;
};

/** A user with a marker word in every field that somebody can write. */
async function written(word: string) {
  const { fixture } = stage.at;
  const user = await fixture.newAffiliate({ email: `erased-${++users}@mail.example` });
  const product = await stage.at.newCourse({}, { license: { active: true, count: 1 } });
  const meta = { [word]: word };
  const order = await stage.at.sell(product, { user_id: user.id, note: word, meta });
  const paths = { order: `/orders/${order.id}` };
  await done(api.post(`${paths.order}/confirmations`, { sender: word, total: 1 }));
  const [confirmation] = (await api.get(`${paths.order}/confirmations`)).body.data;
  const rejection = { status: 'rejected', reject_reason: word };
  await done(api.post(`/confirmations/${confirmation.id}`, rejection));
  const text = { order_id: order.id, title: word, content: word };
  const reminder = await done(api.post('/reminders', text));
  await fixture.store.database.query('update reminders set last_error = $2 where id = $1', [
    reminder.id,
    `550 ${word}`,
  ]);
  await done(api.patch(paths.order, { status: 'completed' }));
  await done(api.post(`${paths.order}/refunds`, { amount: 1, reason: word }));
  const sold = await stage.at.sell(product, { affiliate_id: user.id });
  for (const of of [order, sold]) {
    const [commission] = await stage.at.ledger(of);
    await done(api.patch(`/commissions/${commission?.id}`, { note: word }));
  }
  const access = { user_id: user.id, product_id: product.id };
  const grant = await done(api.post('/access', { ...access, note: word }));
  await done(api.delete(`/access/${grant.id}`));
  const [license] = (await api.get(`/licenses?user_id=${user.id}&reveal=true`)).body.data;
  await done(api.post(`/licenses/${license.id}`, { note: word, meta }));
  const used = { license: license.code, string: 'installation-7', label: word, meta };
  expect((await api.post('/licenses/register', used)).status).toBe(200);
  return { user, order, license };
}

/** Everything that contains a word, as table and text, without webhook deliveries and stored answers. */
async function traces(word: string): Promise<string[]> {
  const { database } = stage.at.fixture.store;
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'idempotency_keys'`,
  );
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const { rowCount } = await database.query(
        `select from ${name} t where position($1 in t::text) > 0`,
        [word],
      );
      return rowCount === 0 ? [] : [name];
    }),
  );
  return found.flat();
}

describe('Erasing a user', () => {
  test('leaves no text that anybody wrote about them or their purchases', async () => {
    const { user, order, license } = await written('personalword');
    expect((await traces('personalword')).sort()).toEqual([
      'access_grants',
      'commissions',
      'confirmations',
      'license_activations',
      'licenses',
      'order_history',
      'orders',
      'refunds',
      'reminders',
    ]);
    const reply = await api.delete(`/users/${user.id}`);
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(await traces('personalword')).toEqual([]);

    const after = await stage.at.fixture.order(order.id);
    expect(after).toMatchObject({ note: null, meta: {}, grand_total: order.grand_total });
    expect(after.history.map(({ note }) => note)).toEqual(after.history.map(() => null));
    const { data } = (await api.get(`/licenses/${license.id}`)).body;
    expect(data).toMatchObject({ strings: ['installation-7'], activation_count: 1, meta: {} });
  });

  long('leaves no messages or reminders that were sent to their address', async () => {
    const { fixture } = stage.at;
    const { database } = fixture.store;
    const contact = { email: 'Named.Person@mail.example', phone: '081234500011' };
    const user = await done(api.post('/users', contact));
    const other = await written('aboutother');
    const text = { order_id: other.order.id, title: 'namedword', content: 'namedword' };
    const at = { ...text, scheduled_at: '2099-01-01T00:00:00Z' };
    const named = [
      await done(api.post('/reminders', { ...at, recipient: contact.email.toLowerCase() })),
      await done(
        api.post('/reminders', { ...at, recipient: contact.phone, media_type: 'whatsapp' }),
      ),
      await done(api.post('/reminders', { ...at, recipient: 'somebody@mail.example' })),
    ];
    const insert = `insert into messages (kind, medium, recipient_named, recipient, content, status, due_at,
        last_error, created_at, updated_at)
      select 'test', medium, true, recipient, '{"subject": "namedword", "text": ""}', 'failed', now(),
             '550 namedword', now(), now()
        from (values ('email', 'named.person@mail.example'), ('whatsapp', '0812-3450-0011'),
                     ('email', 'somebody@mail.example')) as test (medium, recipient)
      returning id`;
    const tests = (await database.query<{ id: string }>(insert)).rows.map(({ id }) => Number(id));
    await done(api.delete(`/users/${user.id}`));
    const left = async (table: string, ids: number[]) =>
      (
        await database.query<{ id: string }>(
          `select id from ${table} t where id = any ($1) and (position('namedword' in t::text) > 0
              or recipient <> '' or status = 'pending') order by id`,
          [ids],
        )
      ).rows.map(({ id }) => Number(id));
    expect(
      await left(
        'reminders',
        named.map(({ id }) => id),
      ),
    ).toEqual([named[2].id]);
    expect(await left('messages', tests)).toEqual([tests[2]]);
  });

  long('keeps texts about others', async () => {
    const other = await written('otherword');
    const before = await traces('otherword');
    await done(api.delete(`/users/${(await written('goneword')).user.id}`));
    expect(await traces('otherword')).toEqual(before);
    expect((await stage.at.fixture.order(other.order.id)).note).toBe('otherword');
  });

  test('keeps amounts: no payment or count changes', async () => {
    const { user, order } = await written('figures');
    const before = await stage.at.amounts(order);
    const { rows } = await stage.at.fixture.store.database.query('table commission_rollups');
    await done(api.delete(`/users/${user.id}`));
    expect(await stage.at.amounts(order)).toEqual(before);
    const after = await stage.at.fixture.store.database.query('table commission_rollups');
    expect(after.rows).toEqual(rows);
  });

  describe('forgets the answers kept for an Idempotency-Key', () => {
    let user: User;
    let session: ApiClient;
    let keys = 0;
    const headers = () => ({ headers: { 'idempotency-key': `erasure-${++keys}` } });
    const kept = async () => {
      const { rows } = await stage.at.fixture.store.database.query<{ operation: string }>(
        `select operation from idempotency_keys where body <> '' order by operation, key`,
      );
      return rows.map(({ operation }) => operation);
    };

    test('that identify them, and no others', async () => {
      const { fixture } = stage.at;
      const email = 'forget@mail.example';
      const mine = headers();
      const fay = { email, display_name: 'Fay Forget', roles: ['affiliate'] };
      user = await done(api.post('/users', fay, mine));
      session = await fixture.store.session(user.id);
      await done(session.patch('/me/profile', { phone: '+6281234' }, headers()));
      const administrator = await fixture.newAdministrator();
      const acting = await fixture.store.session(
        user.id,
        fixture.store.switchedBy(administrator.id),
      );
      await done(acting.patch('/me/profile', { phone: '+6281235' }, headers()));
      await done(api.patch(`/users/${user.id}`, { phone: '+6281236' }, headers()));
      const course = await stage.at.newCourse();
      const order = { product_id: course.id, user_id: user.id };
      await done(api.post('/orders', order, headers()));
      expect(await kept()).toEqual([
        'me.profile.update',
        'me.profile.update',
        'orders.create',
        'users.create',
        'users.update',
      ]);

      const product = { title: 'Kept', price: 1, meta: { about: user.id } };
      await done(api.post('/products', product, headers()));
      const namesake = { email: `other@mail.example`, phone: String(user.id) };
      await done(api.post('/users', namesake, headers()));
      const { id: other } = await fixture.newUser();
      const theirs = { product_id: course.id, user_id: other, affiliate_id: user.id };
      const sold = await done(api.post('/orders', theirs, headers()));
      expect(sold.affiliate).toMatchObject({ id: user.id });
      const last = headers();
      await done(api.delete(`/users/${user.id}`, last));
      const left = ['orders.create', 'products.create', 'users.create', 'users.delete'];
      expect(await kept()).toEqual(left);
      const again = await api.delete(`/users/${user.id}`, last);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });

    test('and refuses to carry out their requests again', async () => {
      const { fixture } = stage.at;
      const course = await stage.at.newCourse();
      const { id } = await fixture.newUser();
      const order = await fixture.newOrder({
        product_id: course.id,
        user_id: id,
        status: 'completed',
      });
      const mine = headers();
      const refund = () => api.post(`/orders/${order.id}/refunds`, { amount: 1 }, mine);
      expect((await refund()).status).toBe(201);
      await done(api.delete(`/users/${id}`));
      expect(await refund()).toMatchObject({
        status: 422,
        body: { code: 'rest_idempotency_mismatch' },
      });
      expect(await fixture.order(order.id)).toMatchObject({ refunded_total: 1 });
    });
  });
});

test('An erased person’s number is forgotten too, when no message to it is left', async () => {
  const { fixture } = stage.at;
  const { database } = fixture.store;
  const user = await done(
    api.post('/users', { email: 'n@mail.example', phone: '+62 812 5550 147' }),
  );
  await database.query(
    `insert into message_suppressions (medium, address, reason, created_at)
     values ('whatsapp', '+628125550147', 'bounced', now()), ('whatsapp', '+628125550148', 'bounced', now())`,
  );
  await done(api.delete(`/users/${user.id}`));
  const { rows } = await database.query('select address from message_suppressions');
  expect(rows).toEqual([{ address: '+628125550148' }]);
});

test('A shop form that waits for the link in its mail is erased with the address', async () => {
  const { database } = stage.at.fixture.store;
  const user = await done(api.post('/users', { email: 'waits@mail.example' }));
  await database.query(
    `insert into purchase_forms (key, name, email, phone, network, created_at)
     values ('a', 'waitingword', 'waits@mail.example', 'waitingword', '', now()),
            ('b', 'strangerword', 'other@mail.example', '', '', now())`,
  );
  await done(api.delete(`/users/${user.id}`));
  expect(await traces('waitingword')).toEqual([]);
  expect(await traces('strangerword')).toEqual(['purchase_forms']);
});
