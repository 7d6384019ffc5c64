import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { Keys } from '../../src/cli/keys.ts';
import { addingSteps } from '../../src/cli/store/adding.ts';
import { invitation } from '../../src/cli/store/people.ts';
import { addSecrets, completeSecrets } from '../../src/cli/store/secrets.ts';
import { changeSettingsIn } from '../../src/cli/store-settings.ts';
import { long } from '../harness/long.ts';
import { useStore } from '../harness/store.ts';

const opened = useStore();
const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'ana@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};

long('Adding a store again leaves the settings and people of an open one as they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'adding-'));
  vi.stubEnv('STORES_DIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const { database, databaseUrl: url } = opened.store;
  const { API_KEY_PEPPERS = '' } = await completeSecrets(store);
  await addSecrets(store, { DATABASE_URL: url, DATABASE_URL_DIRECT: url });
  const add = () =>
    Promise.all(
      addingSteps(store, {})
        .filter(({ name }) => ['settings', 'owner'].includes(name))
        .map(({ run }) => run()),
    );
  await database.query('update settings set currency = null');
  expect(await add()).toEqual([
    expect.stringContaining(', IDR, '),
    'ana@shop.example, a new user, is an administrator',
  ]);
  await changeSettingsIn(url, { notification_email: 'office@shop.example' });
  await database.query(
    `insert into users (display_name, email, roles, created_at, updated_at)
       values ('', 'budi@shop.example', '{administrator}', now(), now())`,
  );
  await new Keys(database, API_KEY_PEPPERS).unmakeAdministrator('ana@shop.example');
  expect(await add()).toEqual(['as they were', 'as it was: budi@shop.example is an administrator']);
  expect((await changeSettingsIn(url, {})).notification_email).toBe('office@shop.example');
  expect(
    (await database.query("select roles from users where email = 'ana@shop.example'")).rows,
  ).toEqual([{ roles: ['member'] }]);
  expect(await invitation(store)).toMatch(
    /^This link signs budi@shop\.example in, .*\n\nhttps:\/\/api\.shop\.example\/console\/#link=svclink_/,
  );
  await new Keys(database, API_KEY_PEPPERS).makeAdministrator('ana@shop.example');
  await database.query("update users set id = id + 10 where email = 'ana@shop.example'");
  expect(await invitation(store)).toMatch(/^This link signs ana@shop\.example in, /);
  await database.query("update users set status = 'blocked'");
  expect(await add()).toEqual([
    'as they were',
    'nobody is an administrator: ana@shop.example is blocked',
  ]);
  expect(await invitation(store)).toBe(
    `Nobody is an administrator, because ana@shop.example is blocked. Set another \`owner\` in ${join(folder, 'roti.toml')}, then run the command again.`,
  );
});
