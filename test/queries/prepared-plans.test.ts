import { expect } from 'vitest';
import { fill } from '../bench/scale/fill.ts';
import { largestIn, sizeOf } from '../bench/scale/size.ts';
import { scansOfTrips } from '../bench/scale/trips.ts';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const its = useStoreFixture();

long(
  'no statement of a prepared trip reads all of a large table',
  { timeout: 180_000 },
  async () => {
    const size = sizeOf(10_000);
    await fill(its.fixture, size, () => {});
    expect(await scansOfTrips(its.fixture.store.databaseUrl, largestIn(size))).toEqual([]);
  },
);
