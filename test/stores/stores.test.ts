import { once } from 'node:events';
import { createServer } from 'node:net';
import { appendFile, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { readManifest } from '../../src/cli/archive/manifest.ts';
import { long } from '../harness/long.ts';
import { patience } from '../local/interrupted.ts';
import { World, addSteps, stepsOf } from './world.ts';

const cli = (file: string) => resolve(import.meta.dirname, '../../src/cli', file);
const [keyCommand, checkCommand] = [cli('key.ts'), cli('check-deployment.ts')];

const world = new World();

beforeAll(() => world.open());
afterAll(() => world.close());

const options = { timeout: patience };

long(
  'npm run store -- add makes a store that answers, is set up and has an owner who can sign in',
  options,
  async () => {
    const words = await world.adding('roti');
    const plan = await world.store(...words, '--dry-run');
    expect([plan.code, world.neon.projects, await readdir(world.folder)]).toEqual([0, [], []]);
    for (const step of addSteps) expect(plan.printed).toContain(`\n  ${step}`);

    const { code, printed } = await world.store(...words);
    expect(code, printed).toBe(0);
    expect(stepsOf(printed)).toEqual(addSteps);
    const [, address = '', link = ''] =
      /(http:\/\/127\.0\.0\.1:\d+)(\/console\/#link=svclink_\w+)$/.exec(printed) ?? [];
    expect(words).toContain(address);
    expect(link).not.toBe('');
    await world.expectOnce('roti');
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'ok' }),
    ]);
    expect(world.cloudflare.unknown).toEqual([]);
  },
);

long(
  'The worker gets only its own secrets, and only the owner can read the files of a store',
  options,
  async () => {
    const secrets = JSON.parse(
      await readFile(join(world.folder, 'roti.secrets'), 'utf8'),
    ) as Record<string, string>;
    const given = world.cloudflare.secrets('sales-api-roti');
    expect(Object.keys(given).toSorted()).toEqual([
      'API_KEY_PEPPERS',
      'DATABASE_URL',
      'SESSION_KEYS',
    ]);
    expect(given).toEqual(expect.objectContaining({ DATABASE_URL: secrets['DATABASE_URL'] }));
    expect(given['DATABASE_URL']).toContain('-pooler.');
    for (const file of (await readdir(world.folder)).filter((name) => name.startsWith('roti')))
      expect((await stat(join(world.folder, file))).mode & 0o077, file).toBe(0);
    expect(await readdir(world.folder)).not.toContain('roti.upload.json');
  },
);

long(
  'A store whose creation was killed is finished by the next run, without duplicates',
  options,
  async () => {
    const words = await world.adding('kue');
    await world.kill(words, (running) => running.prints('\n  database '));
    const { code, printed } = await world.store('add', 'kue');
    expect(code, printed).toBe(0);
    await world.expectOnce('kue');
  },
);

long(
  'npm run store -- list and status show every store, and the fault of each',
  options,
  async () => {
    const list = await world.store('list');
    expect(list.printed).toMatch(/^store +address +version +schema +ready/);
    expect(list.printed).toMatch(/^roti +http:\/\/127\.0\.0\.1:\d+ +0\.1\.0 +\d{4} +yes/m);
    expect((await world.store('status', 'roti')).code).toBe(0);
    const file = join(world.folder, 'roti.toml');
    const deployed = await readFile(file, 'utf8');
    await appendFile(file, '[vars]\nMIDTRANS_MODE = "prod"\n');
    const changed = await world.store('status', 'roti');
    expect([changed.code, changed.printed]).toEqual([
      1,
      expect.stringMatching(
        /^roti .* yes[^]*\nroti:\n {2}The next deployment will be refused: [^]*MIDTRANS_MODE is sandbox or production\./m,
      ),
    ]);
    await writeFile(file, deployed);
    await world.query('roti', "update store_mark set backed_up_at = now() - interval '9 days'");
    const { code, printed } = await world.store('status');
    expect(code).toBe(1);
    expect(printed).toMatch(
      /\n\nroti:\n {2}backup_age is \d+, and counts as out of order from 691200 on$/,
    );
  },
);

long(
  'npm run check:deployment reports how a deployment differs from the local store, and what its store lacks',
  options,
  async () => {
    const file = await readFile(join(world.folder, 'roti.toml'), 'utf8');
    const secrets = JSON.parse(
      await readFile(join(world.folder, 'roti.secrets'), 'utf8'),
    ) as Record<string, string>;
    const address = /address = "(.*)"/.exec(file)?.[1] ?? '';
    const key = await world.command(keyCommand, ['create', '--name', 'Check', '--all-scopes'], {
      DATABASE_URL: secrets['DATABASE_URL_DIRECT'] ?? '',
      API_KEY_PEPPERS: secrets['API_KEY_PEPPERS'] ?? '',
    });
    const SALES_API_KEY = /svcapi_\w+/.exec(key.printed)?.[0] ?? '';
    const { code, printed } = await world.command(checkCommand, [address], { SALES_API_KEY });
    const told = Object.fromEntries(
      [...printed.matchAll(/^(.+?) {2,}(as here|DIFFERS) +(.*)$/gm)].map(([, name, is, found]) => [
        name,
        `${is}: ${found}`,
      ]),
    );
    expect(code, printed).toBe(1);
    expect(printed).toMatch(/lacks\n {2}limits: sending up to 300 wrong keys.*\n {2}limits$/m);
    expect(told).toMatchObject({
      version: expect.stringContaining('as here: 0.1.0'),
      database: expect.stringContaining('as here: 200'),
      reads: expect.stringContaining('as here: one trip each'),
      'a write twice': expect.stringContaining('as here: 2 trips'),
      'writes at once': 'as here: 1 of 8 writes with the same version succeeded',
      revocation: 'as here: 200, then 401',
      scheduler: 'as here: keeps the last contact',
      deliveries: expect.stringContaining('as here: delivered after'),
      lacks: expect.stringContaining('DIFFERS: '),
    });
    expect(
      await world.query('roti', "select from users where email like '%@check.example'"),
    ).toEqual([]);
    await world.query('roti', "update api_keys set revoked_at = now() where name = 'Check'");
  },
);

long(
  'A command that must not continue ends with exit code 2, and changes nothing',
  options,
  async () => {
    const files = await readdir(world.folder);
    const address =
      /address = "(.*)"/.exec(await readFile(join(world.folder, 'roti.toml'), 'utf8'))?.[1] ?? '';
    const wanted = ['--owner', 'b@shop.example', '--currency', 'IDR'];
    for (const [words, reason] of [
      [['add', 'twin', '--address', address, ...wanted], 'have the same address'],
      [['add', 'Twin', '--address', 'https://twin.example', ...wanted], 'in lower case'],
      [
        [
          'add',
          'twin',
          '--address',
          'https://twin.example/api',
          ...wanted.slice(0, 2),
          '--currency',
          'XXZ',
        ],
        'currency',
      ],
      [['add', 'twin', '--address', 'https://twin.example'], 'Give --owner, --currency as well.'],
      [['add', 'roti', '--currency', 'USD'], 'has another value for currency'],
      [['deploy', 'nobody'], 'There is no store nobody'],
      [['console', 'roti', 'nobody@shop.example'], 'Nobody with a role'],
    ] as const) {
      const { code, printed } = await world.store(...words);
      expect([code, printed], words.join(' ')).toEqual([2, expect.stringContaining(reason)]);
    }
    expect(await readdir(world.folder)).toEqual(files);
  },
);

long(
  'npm run store -- deploy rolls back the worker of a store that is not ready, stops there, and leaves the rest',
  options,
  async () => {
    const before = world.cloudflare.scripts.get('sales-api-kue')?.deployed.at(-1);
    const rest = world.cloudflare.scripts.get('sales-api-roti')?.deployed.length;
    world.cloudflare.onUpload = (_, script) => script.replaceAll('/readyz', '/brokenz');
    const { code, printed } = await world.store('deploy', '--all', '--first', 'kue');
    world.cloudflare.onUpload = (_, script) => script;
    expect(code, printed).toBe(1);
    expect(printed).toContain(`rolled back to ${before}`);
    expect(printed).toContain('Not begun: roti.');
    expect(printed).toContain('Go on with: npm run store -- deploy kue');
    expect(world.cloudflare.scripts.get('sales-api-kue')?.deployed.at(-1)).toBe(before);
    expect(world.cloudflare.scripts.get('sales-api-roti')?.deployed).toHaveLength(rest ?? 0);
    expect((await world.store('status', 'kue')).code).toBe(0);
  },
);

long(
  'A deployment takes all removed secrets away at once, and can be repeated if Cloudflare refuses it or lacks one',
  options,
  async () => {
    const { cloudflare } = world;
    const worker = 'sales-api-kue';
    const file = join(world.folder, 'kue.secrets');
    const own = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    const duitku = { DUITKU_MERCHANT_CODE: 'D1234', DUITKU_API_KEY: 'duitku-key' };
    const all = { ...own, ...duitku, FONNTE_TOKEN: 'token' };
    await writeFile(file, JSON.stringify(all));
    const added = await world.store('deploy', 'kue');
    expect(added.printed).toContain('deployed, with DUITKU_MERCHANT_CODE, DUITKU_API_KEY, FONNTE_');
    await cloudflare.changeSecrets(worker, { OF_SOMEBODY: 'by hand' });
    await writeFile(file, JSON.stringify({ ...own, FONNTE_TOKEN: 'token' }));

    cloudflare.onUpload = () => {
      throw new Error('Please try again.');
    };
    const refused = await world.store('deploy', 'kue');
    cloudflare.onUpload = (_, script) => script;
    expect(refused.code, refused.printed).toBe(1);
    expect(cloudflare.secrets(worker)).toMatchObject(duitku);

    const { deployed = [] } = cloudflare.scripts.get(worker) ?? {};
    const before = deployed.length;
    const taken = await world.store('deploy', 'kue');
    expect([taken.code, taken.printed]).toEqual([
      0,
      expect.stringContaining('deployed, without DUITKU_MERCHANT_CODE, DUITKU_API_KEY ('),
    ]);
    expect(deployed).toHaveLength(before + 1);
    expect(Object.keys(cloudflare.secrets(worker)).toSorted()).toEqual([
      ...['API_KEY_PEPPERS', 'DATABASE_URL', 'FONNTE_TOKEN', 'OF_SOMEBODY', 'SESSION_KEYS'],
    ]);

    await cloudflare.changeSecrets(worker, { FONNTE_TOKEN: null, OF_SOMEBODY: null });
    expect((await world.store('deploy', 'kue')).code).toBe(0);
    expect(cloudflare.secrets(worker)).toHaveProperty('FONNTE_TOKEN', 'token');
    await cloudflare.changeSecrets(worker, { FONNTE_TOKEN: null });
    await writeFile(file, JSON.stringify(own));
    const gone = await world.store('deploy', 'kue');
    expect([gone.code, gone.printed]).toEqual([0, expect.stringContaining(', without FONNTE_TO')]);
  },
);

long(
  'A deployment that was killed after its upload leaves no removed secret behind, and is not rolled back to',
  options,
  async () => {
    const { cloudflare } = world;
    const worker = 'sales-api-kue';
    const file = join(world.folder, 'kue.secrets');
    const own = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ ...JSON.parse(own), FONNTE_TOKEN: 'token' }));
    cloudflare.onUpload = (_, script) => script.replaceAll('/readyz', '/brokenz');
    const deploying = world.begin('deploy', 'kue');
    const deployed = new Promise((resolve) => {
      cloudflare.onDeployed = () => resolve(deploying.end('SIGKILL', 'group'));
    });
    await deployed;
    cloudflare.onDeployed = () => undefined;
    expect(cloudflare.secrets(worker)).toHaveProperty('FONNTE_TOKEN');
    const version = cloudflare.scripts.get(worker)?.deployed.at(-1);
    await writeFile(file, own);
    const { code, printed } = await world.store('deploy', 'kue');
    cloudflare.onUpload = (_, script) => script;
    expect(code, printed).toBe(1);
    expect(printed).toContain(`the version before it, ${version}, was not seen ready either.`);
    expect(cloudflare.secrets(worker)).not.toHaveProperty('FONNTE_TOKEN');
    expect((await world.store('deploy', 'kue')).code).toBe(0);
  },
);

long(
  'A backup holds rows and pictures, encrypted; a drill reads it without a difference, and refuses a changed one',
  options,
  async () => {
    const file = join(world.folder, 'kue.toml');
    await writeFile(file, `${await readFile(file, 'utf8')}\npictures = true\n`);
    await world.query(
      'kue',
      `insert into media (key, user_id, purpose, type, width, height, size, created_at)
         select key, (select min(id) from users), 'creative', 'image/png', 1, 1, 5, now()
           from unnest(array['a.png', 'lost.png']) key`,
    );
    world.cloudflare.objects.set('sales-api-kue-media/objects/a.png', Buffer.from('image'));
    const backup = await world.store('backup', 'kue');
    expect([backup.code, backup.printed]).toEqual([
      0,
      expect.stringContaining('1 pictures and files, 1 of them new; 1 are not in the bucket: '),
    ]);
    const again = await world.store('backup', 'kue', '--keep', '1');
    expect([again.code, again.printed]).toEqual([
      0,
      expect.stringMatching(/1 pictures and files, 0 of them new.*1 deleted, 1 left/s),
    ]);
    const [name = ''] = await readdir(join(world.folder, 'backups/kue'));
    const folder = join(world.folder, 'backups/kue', name);
    const { exported_at } = await readManifest(folder);
    expect(name).toBe(exported_at.replaceAll(':', '-'));
    for (const one of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(one.parentPath, one.name);
      expect((await stat(path)).mode & 0o077, path).toBe(0);
      if (one.isFile()) expect(/ana@|image/.test(await readFile(path, 'latin1')), path).toBe(false);
    }
    const drill = await world.store('restore', 'kue', folder, '--drill');
    expect([drill.code, drill.printed]).toEqual([
      0,
      expect.stringMatching(
        /1 pictures and files; 1 are not in the backup: pictures\/lost\.png, 0 diff/,
      ),
    ]);
    const users = join(folder, 'users.ndjson.sealed');
    const whole = await readFile(users);
    await writeFile(users, whole.fill(0, 20, 24));
    const changed = await world.store('restore', 'kue', folder, '--drill');
    expect([changed.code, changed.printed]).toEqual([
      1,
      expect.stringContaining('by another BACKUP_KEY, belongs to another backup, or was changed'),
    ]);
  },
);

long(
  'A backup becomes the store in a new database, and the one before stays; a killed restore goes on',
  options,
  async () => {
    await world.query('kue', "update settings set store_name = 'As it was'");
    expect((await world.store('backup', 'kue')).code).toBe(0);
    const name = (await readdir(join(world.folder, 'backups/kue'))).toSorted().at(-1) ?? '';
    const folder = join(world.folder, 'backups/kue', name);
    await world.query('kue', "update settings set store_name = 'Broken'");
    await world.query('kue', "update users set status = 'blocked' where id = 1");
    world.cloudflare.objects.clear();
    await world.kill(['restore', 'kue', folder], (running) => running.prints('\n  read '));
    const { code, printed } = await world.store('restore', 'kue', folder);
    expect(code, printed).toBe(0);
    expect(printed).toContain('was read before');
    expect(printed).toMatch(/ {4}The backup brought back .*:\n {6}blocked people: 1 \(id 1\)$/m);
    const projects = world.neon.projects.filter((one) => one.name.startsWith('sales-api-kue'));
    expect(projects).toHaveLength(2);
    const settings = await world.store('settings', 'kue');
    expect(settings.printed).toMatch(/^store_name +As it was$/m);
    expect(await world.query('kue', 'select store_name from settings')).toEqual([
      { store_name: 'Broken' },
    ]);
    const given = world.cloudflare.secrets('sales-api-kue')['DATABASE_URL'];
    expect(given).toContain(projects[1]?.database);
    expect([...world.cloudflare.objects.keys()]).toEqual(['sales-api-kue-media/objects/a.png']);
    const status = await world.store('status', 'kue');
    expect(status.code).toBe(0);
    expect(status.printed).toMatch(/^kue .* 0\.\d h /m);
  },
);

long(
  'A store whose port is taken is not deployed, and the error names the port; the next run adds it',
  options,
  async () => {
    const words = await world.adding('sibuk');
    const port = Number(/:(\d+)$/.exec(words[3] ?? '')?.[1]);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const refused = await world.store(...words);
    expect(refused.code).toBe(1);
    expect(refused.printed).toContain(`Port ${port} of the store's address is taken`);
    other.close();
    await once(other, 'close');
    const { code, printed } = await world.store(...words);
    expect(code, printed).toBe(0);
  },
);

long('A store with the database of another one is not deployed', options, async () => {
  const file = join(world.folder, 'kue.secrets');
  const own = await readFile(file, 'utf8');
  const roti = JSON.parse(await readFile(join(world.folder, 'roti.secrets'), 'utf8')) as Record<
    string,
    string
  >;
  const { DATABASE_URL, DATABASE_URL_DIRECT } = roti;
  await writeFile(file, JSON.stringify({ ...JSON.parse(own), DATABASE_URL, DATABASE_URL_DIRECT }));
  const { code, printed } = await world.store('deploy', 'kue');
  expect([code, printed]).toEqual([2, expect.stringContaining('belongs to the store http')]);
  await writeFile(file, own);
});

long(
  'npm run store -- settings changes a store by the rules of the service, and remove lists what remains',
  options,
  async () => {
    const set = await world.store('settings', 'roti', 'store_name=Roti Bersama');
    expect([set.code, set.printed]).toEqual([
      0,
      expect.stringMatching(/^store_name +Roti Bersama$/m),
    ]);
    const plan = await world.store('remove', 'roti');
    expect([plan.code, plan.printed]).toEqual([0, expect.stringContaining('What stays behind')]);
    expect(world.cloudflare.scripts.has('sales-api-roti')).toBe(true);
    const removed = await world.store('remove', 'roti', '--yes');
    expect(removed.code, removed.printed).toBe(0);
    expect(world.cloudflare.scripts.has('sales-api-roti')).toBe(false);
    expect((await world.store('list')).printed).not.toContain('roti');
  },
);
