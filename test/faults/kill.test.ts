import { long } from '../harness/long.ts';
import { expect } from 'vitest';
import { killUnderLoad } from './kill.ts';

long(
  'PostgreSQL is killed under load: nothing acknowledged is lost, no retry orders twice',
  async () => {
    const { orders, unavailable } = await killUnderLoad({ kills: 1, callers: 4 });
    expect(orders).toBeGreaterThan(0);
    expect(unavailable).toBeGreaterThan(0);
  },
);
