import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { Members, linkIn } from '../modules/shop/member.ts';
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
