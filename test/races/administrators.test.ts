import { beforeEach, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStoreFixture();

beforeEach(async () => {
  await opened.fixture.store.database.query(`update users set roles = '{member}'`);
});

/** Administrators in a ring, each about to take the next one's role. */
async function ring(size: number) {
  const people: Awaited<ReturnType<typeof opened.fixture.newAdministrator>>[] = [];
  for (let n = 0; n < size; n++) people.push(await opened.fixture.newAdministrator());
  return people.map(({ id, session }, n) => ({
    id,
    session,
    other: people[(n + 1) % size]?.id ?? 0,
  }));
}

type Ring = Awaited<ReturnType<typeof ring>>;

const lockOf = (people: Ring) =>
  `select from users where id in (${people.map(({ id }) => id).join()}) for update`;

async function administrators() {
  const { rows } = await opened.fixture.store.database.query<{ count: number }>(
    `select count(*)::int from users where roles @> '{administrator}' and status = 'active'`,
  );
  return rows[0]?.count;
}

describe('Administrators who take the role from each other at once', () => {
  test.each([
    [2, { roles: ['member'] }],
    [5, { roles: ['member'] }],
    [4, { status: 'blocked' }],
  ])('%i of them leave one: %j', async (size, fields) => {
    const people = await ring(size);
    const changes = people.map(
      ({ session, other }) =>
        () =>
          session.patch(`/me/users/${other}`, fields),
    );
    const replies = await behindLock(opened.fixture.store, lockOf(people), changes);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(size - 1);
    const [refused] = replies.filter(({ status }) => status !== 200);
    // An administrator who has lost the role meanwhile is refused before the guard decides.
    expect(['last_administrator', 'rest_forbidden']).toContain(refused?.body.code);
    expect(await administrators()).toBe(1);
  });

  test('control: a check before the write leaves none', async () => {
    const people = await ring(2);
    const changes = people.map(({ other }) =>
      transaction(opened.fixture.store, async (client) => {
        const { rowCount } = await client.query(
          `select from users where id <> $1 and roles @> '{administrator}'`,
          [other],
        );
        if (rowCount === 0) return false;
        await client.query(`update users set roles = '{member}' where id = $1`, [other]);
        return true;
      }),
    );
    expect(await behindLock(opened.fixture.store, lockOf(people), changes)).toEqual([true, true]);
    expect(await administrators()).toBe(0);
  });
});
