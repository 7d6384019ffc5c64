import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
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
