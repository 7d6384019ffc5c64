import { expect, test } from 'vitest';
import { type ApiClient, fromConsole } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStoreFixture();
const root = '//console/api/v1';

/** An unused role, and an administrator who gives it. */
async function start() {
  const { fixture } = opened;
  const { id } = await fixture.newAdministrator();
  const owner: ApiClient = fixture.store.client(
    fromConsole(await fixture.store.consoleSession(id)),
  );
  const fields = { name: `Role ${crypto.randomUUID()}`, scopes: ['orders:read'] };
  const role: number = (await owner.post(`${root}/staff-roles`, fields)).body.data.id;
  const user = (await fixture.newUser()).id;
  return { owner, role, user, lock: `select from staff_roles where id = ${role} for update` };
}

test.each(['given', 'deleted'])(
  'Of giving and deleting a role at once, %s first, one succeeds, and nobody holds a deleted role',
  async (first) => {
    const { owner, role, user, lock } = await start();
    const give = () => owner.patch(`${root}/users/${user}`, { staff_role_id: role });
    const remove = () => owner.delete(`${root}/staff-roles/${role}`);
    const both = first === 'given' ? [give, remove] : [remove, give];
    const replies = await behindLock(opened.fixture.store, lock, both);
    const [given, deleted] = first === 'given' ? replies : replies.toReversed();
    const { staff_role_id } = await opened.fixture.user(user);
    const answers = [given?.status, deleted?.status, deleted?.body.code, staff_role_id];
    expect([
      [200, 409, 'staff_role_in_use', role],
      [404, 200, undefined, null],
    ]).toContainEqual(answers);
  },
);

test('Control: a check before the deletion fails on the foreign key', async () => {
  const { role, user, lock } = await start();
  const { store } = opened.fixture;
  const give = transaction(store, async (client) => {
    await client.query('update users set staff_role_id = $1 where id = $2', [role, user]);
    return true;
  });
  const remove = transaction(store, async (client) => {
    const { rowCount } = await client.query('select from users where staff_role_id = $1', [role]);
    if (rowCount === 0) await client.query('delete from staff_roles where id = $1', [role]);
    return true;
  });
  const ended = (work: () => Promise<boolean>) => () =>
    work().catch(({ code }: { code: string }) => code);
  expect(await behindLock(store, lock, [ended(give), ended(remove)])).toContain('23503');
});
