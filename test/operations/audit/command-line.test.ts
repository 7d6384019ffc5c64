import { beforeAll, expect, test } from 'vitest';
import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import { Keys } from '../../../src/cli/keys.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let keys: Keys;
let links: ConsoleLinks;

beforeAll(async () => {
  const { database, environment } = opened.fixture.store;
  const { API_KEY_PEPPERS = '' } = await environment;
  keys = new Keys(database, API_KEY_PEPPERS);
  links = new ConsoleLinks(database, API_KEY_PEPPERS);
});

async function entriesOf(work: () => Promise<unknown>) {
  const { database } = opened.fixture.store;
  await database.query('delete from audit_log');
  await work();
  const { rows } = await database.query(
    `select actor_type, actor_id, operation, subject_type, subject_id, before, after
       from audit_log order by id`,
  );
  return rows;
}

const byNobody = { actor_type: 'system', actor_id: null, before: null, after: null };

test('The command line leaves an audit entry for each key that it makes, rotates and revokes', async () => {
  const { id } = await opened.fixture.store.createKey();
  const entries = await entriesOf(async () => {
    await keys.create({ name: 'Backend', scopes: ['orders:read'], signs_in_administrators: false });
    await keys.rotate(id, 24);
    await keys.revoke(id);
  });
  const ofKey = { ...byNobody, subject_type: 'keys' };
  const made = (await keys.list()).at(-1);
  expect(entries).toEqual([
    { ...ofKey, operation: 'keys.create', subject_id: `${made?.id}` },
    { ...ofKey, operation: 'keys.rotate', subject_id: `${id}` },
    { ...ofKey, operation: 'keys.revoke', subject_id: `${id}` },
  ]);
});

test('The command line leaves an audit entry for a key to which it adds scopes, and none if it has them', async () => {
  const name = 'Demo';
  const few = ['orders:read', 'users:read'] as const;
  const token = await keys.create({ name, scopes: [...few], signs_in_administrators: false });
  const made = (await keys.list()).at(-1);
  const wanted = ['orders:read', 'payouts:read', 'risks:read'] as const;
  const all = [...few, 'payouts:read', 'risks:read'];
  const entries = await entriesOf(async () => {
    await keys.addScopes(token, wanted);
    await keys.addScopes(token, wanted);
    await keys.addScopes(token, few);
  });
  expect(entries).toEqual([
    {
      ...{ ...byNobody, operation: 'keys.update', subject_type: 'keys', subject_id: `${made?.id}` },
      ...{ before: { scopes: few }, after: { scopes: all } },
    },
  ]);
  expect((await keys.list()).at(-1)).toEqual({ ...made, scopes: all });
});

test('The command line leaves no audit entry for a key that it refuses to rotate or revoke', async () => {
  const { id } = await opened.fixture.store.createKey();
  await keys.revoke(id);
  expect(await entriesOf(() => keys.revoke(id))).toEqual([]);
  expect(await entriesOf(() => keys.rotate(id, 24))).toEqual([]);
});

test('The command line leaves an audit entry with the roles of a user that it gives and takes', async () => {
  const { newUser, newAdministrator } = opened.fixture;
  const { id, email } = await newUser();
  await newAdministrator();
  const entries = await entriesOf(async () => {
    await keys.makeAdministrator(email);
    await keys.makeAdministrator(email);
    await keys.unmakeAdministrator(email);
    await keys.unmakeAdministrator(email);
    await keys.giveRole(email, 'Support');
    await keys.giveRole(email, 'Support');
  });
  const ofUser = {
    ...byNobody,
    ...{ operation: 'users.update', subject_type: 'users', subject_id: `${id}` },
  };
  const [member, both] = [{ roles: ['member'] }, { roles: ['member', 'administrator'] }];
  expect(entries).toEqual([
    { ...ofUser, before: member, after: both },
    { ...ofUser, before: both, after: member },
    { ...ofUser, before: { staff_role_id: null }, after: { staff_role_id: 3 } },
  ]);
});

test('The command line leaves no audit entry where it refuses to remove the only administrator', async () => {
  const { database } = opened.fixture.store;
  await database.query(`update users set roles = '{member}'`);
  const { email } = await opened.fixture.newAdministrator();
  const refused = () => expect(keys.unmakeAdministrator(email)).rejects.toThrow('only');
  expect(await entriesOf(refused)).toEqual([]);
});

test('The command line leaves an audit entry for each link into the console, with the user whom it signs in', async () => {
  const { email, id } = await opened.fixture.newAdministrator();
  const entries = await entriesOf(async () => {
    await links.create(email, 'https://shop.example');
    await links.create('nobody@people.example', 'https://shop.example');
  });
  expect(entries).toEqual([
    {
      ...byNobody,
      ...{ operation: 'console.links.create', subject_type: 'users', subject_id: `${id}` },
    },
  ]);
});
