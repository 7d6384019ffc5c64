import { long } from '../harness/long.ts';
import { describe } from 'vitest';
import { useMoves } from './moved.ts';
import { expectMovedIn, kinds } from './mutated.ts';

const moves = useMoves();

describe.each(Object.entries(kinds))(
  'A shop of %s in which one of a hundred values is nonsense',
  (...kind) => {
    long('is imported anyway, every row accounted for (1)', () => expectMovedIn(moves, kind, 1));
  },
);
