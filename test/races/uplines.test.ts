import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { percentages } from '../harness/affiliates.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStoreFixture();

/** Users in a ring, each with the next one, their future sponsor. */
async function ring(size: number) {
  const users: number[] = [];
  for (let n = 0; n < size; n++) users.push((await opened.fixture.newUser()).id);
  return users.map((user, n) => ({ user, sponsor: users[(n + 1) % size] ?? 0 }));
}

type Ring = Awaited<ReturnType<typeof ring>>;

const lockOf = (links: Ring) =>
  `select from users where id in (${links.map(({ user }) => user).join()}) for update`;

/** The uplines of a user, as SQL; a user in a cycle is above themselves. */
const above = `with recursive uplines (id) as (
    select affiliate_id from users where id = $1
    union select u.affiliate_id from users u join uplines on u.id = uplines.id
  ) select from uplines where id = $2`;

async function isAbove(client: Client, upline: number, user: number): Promise<boolean> {
  const { rowCount } = await client.query(above, [user, upline]);
  return rowCount === 1;
}

async function hasCycle(links: Ring): Promise<boolean> {
  const { database } = opened.fixture.store;
  for (const { user } of links) if (await isAbove(database, user, user)) return true;
  return false;
}

describe('Parallel changes of sponsors that would close a cycle together', () => {
  test.each([2, 3, 5])('by %i users never close it', async (size) => {
    const { fixture } = opened;
    const links = await ring(size);
    const changes = links.map(
      ({ user, sponsor }) =>
        () =>
          fixture.api.patch(`/users/${user}`, { affiliate_id: sponsor }),
    );
    const replies = await behindLock(fixture.store, lockOf(links), changes);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(size - 1);
    const [refused] = replies.filter(({ status }) => status === 409);
    expect(refused?.body.code).toBe('rest_upline_cycle');
    expect(await hasCycle(links)).toBe(false);
  });

  test('control: a check before the write closes it', async () => {
    const { fixture } = opened;
    const links = await ring(2);
    const changes = links.map(({ user, sponsor }) =>
      transaction(fixture.store, async (client) => {
        if (await isAbove(client, user, sponsor)) return false;
        const ids = [user, sponsor];
        await client.query('update users set affiliate_id = $2 where id = $1', ids);
        return true;
      }),
    );
    expect(await behindLock(fixture.store, lockOf(links), changes)).toEqual([true, true]);
    expect(await hasCycle(links)).toBe(true);
  });
});

describe('The first payment of a new buyer, and a change that makes the buyer the sponsor of their affiliate,', () => {
  /** A new buyer with an order of an affiliate, and the lock that keeps both users from being changed. */
  async function sale() {
    const { fixture } = opened;
    await fixture.set('permanent_affiliate', true);
    await fixture.api.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['user.updated'] });
    const { id: affiliate } = await fixture.newAffiliate();
    const { id: buyer } = await fixture.newUser();
    const { database } = fixture.store;
    await database.query('insert into new_buyers (user_id, created_at) values ($1, now())', [
      buyer,
    ]);
    const programme = { enabled: true, tiers: percentages(10) };
    const { id: product_id } = await fixture.newProduct({ affiliate: programme });
    const order = await fixture.newOrder({ product_id, user_id: buyer, affiliate_id: affiliate });
    const links: Ring = [
      { user: buyer, sponsor: affiliate },
      { user: affiliate, sponsor: buyer },
    ];
    const lock = `select from users where id in (${buyer}, ${affiliate}) for no key update`;
    const pay = () => fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    const join = () => fixture.api.patch(`/users/${affiliate}`, { affiliate_id: buyer });
    return { affiliate, buyer, links, lock, pay, join };
  }

  test.each([true, false])(
    'never close a cycle, and raise no event about one: payment first: %s',
    async (isPaidFirst) => {
      const { fixture } = opened;
      const { affiliate, buyer, links, lock, pay, join } = await sale();
      const callers = isPaidFirst ? [pay, join] : [join, pay];
      const replies = await behindLock(fixture.store, lock, callers, { inTurn: true });
      expect(replies.map(({ status }) => status)).toEqual(isPaidFirst ? [200, 409] : [200, 200]);
      expect(await hasCycle(links)).toBe(false);
      expect((await fixture.user(buyer)).affiliate_id).toBe(isPaidFirst ? affiliate : null);
      const { rows } = await fixture.store.database.query(
        `select distinct (data ->> 'affiliate_id')::int as sponsor from outbox
        where event = 'user.updated' and object_id = $1`,
        [buyer],
      );
      expect(rows).toEqual(isPaidFirst ? [{ sponsor: affiliate }] : []);
    },
  );

  test('control: close one if the payment takes no turn', async () => {
    const { fixture } = opened;
    const { affiliate, buyer, links, lock, join } = await sale();
    const give = transaction(fixture.store, async (client) => {
      const { rowCount } = await client.query(
        `update users u set affiliate_id = $2 where u.id = $1
           and not exists (select from users d where d.affiliate_id = u.id)`,
        [buyer, affiliate],
      );
      return rowCount === 1;
    });
    const joins = async () => (await join()).status === 200;
    expect(await behindLock(fixture.store, lock, [give, joins])).toEqual([true, true]);
    expect(await hasCycle(links)).toBe(true);
  });
});

describe("A refund of the order that gave a buyer's sponsor, and the payment of the buyer's next order,", () => {
  /** A buyer with a paid order of one affiliate, and an unpaid order of another. */
  async function sales() {
    const { fixture } = opened;
    await fixture.set('permanent_affiliate', true);
    const { id: buyer } = await fixture.newUser();
    const { database } = fixture.store;
    await database.query('insert into new_buyers (user_id, created_at) values ($1, now())', [
      buyer,
    ]);
    const programme = { enabled: true, tiers: percentages(10) };
    const place = async (affiliate_id: number, status: string) => {
      const { id: product_id } = await fixture.newProduct({ affiliate: programme });
      return fixture.newOrder({ product_id, user_id: buyer, affiliate_id, status });
    };
    const { id: first } = await fixture.newAffiliate();
    const { id: second } = await fixture.newAffiliate();
    const waiting = await place(second, 'on-hold');
    const paid = await place(first, 'completed');
    expect((await fixture.user(buyer)).affiliate_id).toBe(first);
    const move = (id: number, status: string) => () =>
      fixture.api.patch(`/orders/${id}`, { status });
    const callers = [move(paid.id, 'refunded'), move(waiting.id, 'completed')];
    const lock = `select from buyer_sponsors where user_id = ${buyer} for update`;
    return { buyer, first, second, waiting, callers, lock };
  }

  test.each([true, false])(
    'give the buyer the affiliate of the next order, whichever comes first: refund: %s',
    async (isRefundFirst) => {
      const { fixture } = opened;
      const { buyer, second, callers, lock } = await sales();
      const order = isRefundFirst ? callers : callers.toReversed();
      const replies = await behindLock(fixture.store, lock, order, { inTurn: true });
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect((await fixture.user(buyer)).affiliate_id).toBe(second);
      const { rows } = await fixture.store.database.query(
        'select o.affiliate_id from buyer_sponsors b join orders o on o.id = b.order_id where b.user_id = $1',
        [buyer],
      );
      expect(rows).toEqual([{ affiliate_id: String(second) }]);
    },
  );

  test('control: leave the buyer without a sponsor if the payment takes no turn', async () => {
    const { fixture } = opened;
    const { buyer, waiting, callers, lock } = await sales();
    const pay = transaction(fixture.store, async (client) => {
      const found = 'select order_id from buyer_sponsors where user_id = $1';
      const { rows } = await client.query<{ order_id: string | null }>(found, [buyer]);
      await client.query(`select from users where id = $1 for share`, [buyer]);
      const isOpen = rows[0]?.order_id === null;
      const paid = `update orders set status = 'completed', paid_at = now() where id = $1`;
      await client.query(paid, [waiting.id]);
      return !isOpen;
    });
    const [refund] = callers;
    const refunded = async () => (await refund?.())?.status === 200;
    expect(await behindLock(fixture.store, lock, [refunded, pay], { inTurn: true })).toEqual([
      true,
      true,
    ]);
    expect((await fixture.user(buyer)).affiliate_id).toBeNull();
  });
});
