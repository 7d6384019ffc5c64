import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { Members, linkIn, takeMessages } from '../modules/shop/member.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
const callers = 8;

describe('Of eight people who use a sign-in link at once', () => {
  /** The lock of a link's row, behind which callers queue. */
  const lockOf = (prefix: string) =>
    `select from account_links where prefix = '${prefix}' for update`;

  test('one is signed in', async () => {
    const { fixture } = opened;
    const members = new Members(fixture);
    const link = linkIn(await members.mint((await fixture.newUser()).id));
    const [, prefix = ''] = link.split('_');
    const answers = await behindLock(
      fixture.store,
      lockOf(prefix),
      times(callers, () => members.send('/account/session', { link })),
    );
    expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  });

  long('control: a check of the link before its use lets several in', async () => {
    const { fixture } = opened;
    const members = new Members(fixture);
    const link = linkIn(await members.mint((await fixture.newUser()).id));
    const [, prefix = ''] = link.split('_');
    const enter = async (client: Client) => {
      const { rowCount } = await client.query(
        `select from account_links where prefix = $1 and used_at is null`,
        [prefix],
      );
      if (!rowCount) return false;
      await client.query('update account_links set used_at = now() where prefix = $1', [prefix]);
      return true;
    };
    const entered = await behindLock(
      fixture.store,
      lockOf(prefix),
      times(callers, transaction(fixture.store, enter)),
    );
    expect(entered.filter(Boolean).length).toBeGreaterThan(1);
  });
});

test.each(['link', 'change'])(
  'A sign-in link that is requested while the address changes signs nobody in: %s first',
  async (first) => {
    const { fixture } = opened;
    const { store } = fixture;
    const relay = await takeMessages(fixture);
    const members = new Members(fixture);
    const user = await fixture.newUser();
    const email = `moved-${first}@people.example`;
    const ask = async () => {
      await members.send('/account/link', { email: user.email });
      await store.settled();
    };
    const change = async () => {
      expect((await fixture.api.patch(`/users/${user.id}`, { email })).status).toBe(200);
    };
    const callers = first === 'link' ? [ask, change] : [change, ask];
    const lock = `select from users where id = ${user.id} for update`;
    await behindLock(store, lock, callers, { inTurn: true });
    const link = /svcenter_\w+/.exec((await relay.sent()).join(' '))?.[0] ?? '';
    relay.close();
    const entered = await members.send('/account/session', { link });
    expect(entered.headers.has('set-cookie')).toBe(false);
    const { rows } = await store.database.query(
      'select from account_links where user_id = $1 and used_at is null',
      [user.id],
    );
    expect(rows).toEqual([]);
  },
);

test('A code that is requested before the number changes, and stored after it, confirms nothing', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const relay = await takeMessages(fixture);
  const members = new Members(fixture);
  const user = await fixture.newUser({ phone: '+62 812 5550 555' });
  const headers = await members.signIn(user.id);
  const lock = "select pg_advisory_xact_lock(hashtext('account.codes'))";
  const ask = async () => {
    await members.send('/account/phone', {}, headers);
    await store.settled();
    return true;
  };
  const change = async (client: Client) => {
    await fixture.api.patch(`/users/${user.id}`, { phone: '+62 812 5550 777' });
    await client.query(lock);
    return true;
  };
  await behindLock(store, lock, [ask, transaction(store, change)], { inTurn: true });
  expect((await fixture.user(user.id)).phone).toBe('+62 812 5550 777');
  expect((await relay.sent()).join(' ')).not.toContain('is your code');
  relay.close();
  const { rows } = await store.database.query('select from account_codes where user_id = $1', [
    user.id,
  ]);
  expect(rows).toEqual([]);
});
