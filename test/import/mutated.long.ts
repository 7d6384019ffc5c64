import { describe, test } from 'vitest';
import { useMoves } from './moved.ts';
import { expectMovedIn, kinds } from './mutated.ts';

const moves = useMoves();
const seeds = Array.from({ length: 9 }, (_, i) => i + 2);

describe.each(Object.entries(kinds))(
  'A shop of %s in which one of a hundred values is nonsense',
  (...kind) => {
    test.each(seeds)('is imported anyway, every row accounted for (%i)', (seed) =>
      expectMovedIn(moves, kind, seed),
    );
  },
);
