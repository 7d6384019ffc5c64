import { randomInt } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World, addSteps, stepsOf } from './world.ts';

/** The number of stores; fewer for a quick run. */
const count = Number(process.env['STORES'] ?? 30);

/** A store takes almost a minute, on a busy machine more. */
const options = { timeout: count * 600_000 };

const world = new World();
const names = Array.from({ length: count }, (_, n) => `store-${String(n + 1).padStart(2, '0')}`);
const [first = '', second = ''] = names;

beforeAll(() => world.open());
afterAll(() => world.close());

async function newestBackup(name: string): Promise<string> {
  const folder = join(world.folder, 'backups', name);
  return join(folder, (await readdir(folder)).toSorted().at(-1) ?? '');
}

/**
 * Kills a command at a random moment of each of its steps.
 * @param steps in order; each is recognised by the last line of the previous step
 */
async function killInEach(words: readonly string[], steps: readonly string[]): Promise<void> {
  const seed = randomInt(1_000_000);
  console.log(`Kills of ${words.join(' ')}: seed ${seed}`);
  for (const [i, step] of steps.entries()) {
    const before = steps[i - 1];
    await world.kill(words, async (running) => {
      await (before === undefined ? pause(300) : running.prints(`\n  ${before} `));
      // Some steps end sooner, so that the kill hits the next one.
      await Promise.race([pause((seed * (i + 1)) % 700), running.prints(`\n  ${step} `)]).catch(
        () => undefined,
      );
    });
  }
}

test(
  'A store whose creation is killed in every step exists once after the next run',
  options,
  async () => {
    const words = await world.adding(first);
    await killInEach(words, addSteps);
    const { code, printed } = await world.store(...words);
    expect(code, printed).toBe(0);
    await world.expectOnce(first);
  },
);

test(
  'If adding a store is killed after a vendor created something but before it answered, the next run does not create it twice',
  options,
  async () => {
    const words = await world.adding(second);
    const making = world.begin(...words);
    world.neon.onCreated = async () => void (await making.end('SIGKILL', 'group'));
    await untilEnded(making);
    world.neon.onCreated = async () => undefined;
    const uploading = world.begin(...words);
    world.cloudflare.onUpload = (_, script) => {
      void uploading.end('SIGKILL', 'group');
      return script;
    };
    await untilEnded(uploading);
    world.cloudflare.onUpload = (_, script) => script;
    const { code, printed } = await world.store(...words);
    expect(code, printed).toBe(0);
    await world.expectOnce(second);
  },
);

/** Waits for the end of a process that is killed elsewhere. */
async function untilEnded(running: { ended: () => boolean }): Promise<void> {
  while (!running.ended()) await pause(50);
}

test(
  'Stores are added one after the other, each with a database, a worker and limits of its own',
  options,
  async () => {
    for (const name of names.slice(2)) {
      const { code, printed } = await world.store(...(await world.adding(name)));
      expect(code, printed).toBe(0);
      await world.expectOnce(name);
    }
    const files = await Promise.all(
      names.map((name) => readFile(join(world.folder, `${name}.toml`), 'utf8')),
    );
    const namespaces = files.map((text) => Number(/namespace = (\d+)/.exec(text)?.[1]));
    expect(new Set(namespaces.flatMap((one) => [one, one + 1])).size).toBe(2 * count);
    const { code, printed } = await world.store('status');
    expect(code, printed).toBe(0);
    expect(printed.split('\n')).toHaveLength(count + 1);
  },
);

test(
  'An upgrade of all stops at the store that fails, which is rolled back, and continues once it is fixed',
  options,
  async () => {
    const broken = names[Math.floor(count / 2)] ?? '';
    const deployed = (name: string) =>
      world.cloudflare.scripts.get(`sales-api-${name}`)?.deployed ?? [];
    const before = new Map(names.map((name) => [name, deployed(name).length]));
    const last = deployed(broken).at(-1);
    world.cloudflare.onUpload = (name, script) =>
      name === `sales-api-${broken}` ? script.replaceAll('/readyz', '/brokenz') : script;
    const failed = await world.store('deploy', '--all', '--first', second);
    world.cloudflare.onUpload = (_, script) => script;
    expect(failed.code, failed.printed).toBe(1);
    expect(failed.printed).toContain(`rolled back to ${last}`);
    const left = names.slice(names.indexOf(broken) + 1);
    expect(failed.printed).toContain(`Not begun: ${left.join(', ')}.`);
    for (const name of left) expect(deployed(name)).toHaveLength(before.get(name) ?? 0);
    expect((await world.store('status')).code).toBe(0);
    const mended = await world.store('deploy', '--all');
    expect(mended.code, mended.printed).toBe(0);
    for (const name of left) expect(deployed(name)).toHaveLength((before.get(name) ?? 0) + 1);
  },
);

test('A deployment that is killed in every step is finished by the next run', options, async () => {
  const words = ['deploy', first];
  await killInEach(words, addSteps.slice(addSteps.indexOf('check'), addSteps.indexOf('settings')));
  const { code, printed } = await world.store(...words);
  expect(code, printed).toBe(0);
  await world.expectOnce(first);
  expect((await world.store('status', first)).code).toBe(0);
});

test('Every store is backed up, and read in a drill without a difference', options, async () => {
  for (const name of names) {
    const backup = await world.store('backup', name, '--keep', '1');
    expect(backup.code, backup.printed).toBe(0);
    const drill = await world.store('restore', name, await newestBackup(name), '--drill');
    expect([drill.code, drill.printed]).toEqual([0, expect.stringContaining('0 differences')]);
  }
});

test(
  'Peppers are rotated with both of them valid in between, and the worker gets the new ones',
  options,
  async () => {
    const peppers = async () =>
      world.cloudflare.secrets(`sales-api-${second}`)['API_KEY_PEPPERS'] ?? '';
    const before = await peppers();
    expect((await world.store('rotate', second, 'peppers')).code).toBe(0);
    expect(await peppers()).toMatch(new RegExp(`^2:\\S+ ${before}$`));
    const finished = await world.store('rotate', second, 'peppers', '--finish');
    expect(finished.code, finished.printed).toBe(0);
    expect(await peppers()).toMatch(/^2:\S+$/);
  },
);

test(
  'The password of the database is changed right before the worker gets it; strings of another database are refused',
  options,
  async () => {
    const given = () => world.cloudflare.secrets(`sales-api-${second}`)['DATABASE_URL'];
    const before = given();
    const { code, printed } = await world.store('rotate', second, 'database');
    expect(code, printed).toBe(0);
    expect(stepsOf(printed).slice(-4)).toEqual(['password', 'worker', 'ready', 'fill']);
    expect(given()).not.toBe(before);
    const project = world.neon.projects.find(({ name }) => name === `sales-api-${second}`);
    expect(given()).toContain(project?.password);
    const other = world.neon.resolve(`postgres://x/${world.neon.projects[0]?.database}`);
    const refused = await world.store('rotate', second, 'database', '--database', other);
    expect([refused.code, refused.printed]).toEqual([
      2,
      expect.stringContaining('lead to another database'),
    ]);
  },
);
