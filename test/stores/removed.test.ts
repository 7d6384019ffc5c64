import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { patience } from '../local/interrupted.ts';
import { World } from './world.ts';

const world = new World();

beforeAll(() => world.open());
afterAll(() => world.close());

async function succeed(...words: string[]): Promise<void> {
  const { code, printed } = await world.store(...words);
  expect(code, printed).toBe(0);
}

long(
  'A store with the name of a removed one does not take its database, and is added once the project at Neon is deleted',
  { timeout: patience },
  async () => {
    const words = await world.adding('roti');
    const fileOf = (ending: string) => join(world.folder, `roti.${ending}`);
    await succeed(...words);
    await succeed('remove', 'roti', '--yes');
    const { code, printed } = await world.store(...words);
    expect([code, printed]).toEqual([
      2,
      expect.stringMatching(
        /API_KEY_PEPPERS are not those of the store [^]*in the project sales-api-roti \([\w-]+\), which Neon had already: .* put its files back .* in .*\/removed, as roti\.N\.toml, roti\.N\.secrets, roti\.N\.uploaded\), .* delete the project in Neon's console, then run this command again\./,
      ),
    ]);
    expect(await readFile(fileOf('secrets'), 'utf8')).not.toContain('DATABASE_URL');
    for (const ending of ['toml', 'secrets', 'uploaded'])
      await copyFile(join(world.folder, `removed/roti.1.${ending}`), fileOf(ending));
    await succeed('deploy', 'roti');
    await succeed('remove', 'roti', '--yes');
    const [project = {}] = world.neon.projects;
    Object.assign(project, { name: 'deleted' });
    await succeed(...words);
  },
);
