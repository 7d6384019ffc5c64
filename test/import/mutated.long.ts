import { describe, expect, test } from 'vitest';
import { contents } from './contents.ts';
import { dialects } from './dump-writer.ts';
import { useMoves } from './moved.ts';
import { expectMovedIn, kinds } from './mutated.ts';
import { writeDump } from './shops.ts';

const moves = useMoves();
const { dumpPath, moved } = moves;
const seeds = Array.from({ length: 9 }, (_, i) => i + 2);

describe.each(Object.entries(kinds))(
  'A shop of %s in which one of a hundred values is nonsense',
  (...kind) => {
    test.each(seeds)('is imported anyway, every row accounted for (%i)', (seed) =>
      expectMovedIn(moves, kind, seed),
    );
  },
);

test.each(Object.entries(kinds))(
  'the same shop of %s in every dialect gives the same store',
  async (name, { importer, shop }) => {
    const tables = shop(7, 40);
    const stores = [];
    for (const dialect of dialects) {
      const path = dumpPath(`${name} ${dialect.name}`.replaceAll(/\W/g, '-'));
      writeDump(path, tables, dialect);
      stores.push(await contents((await moved(importer, path)).store));
    }
    expect(stores.length).toBeGreaterThan(3);
    for (const store of stores) expect(store).toEqual(stores[0]);
  },
  60_000,
);
