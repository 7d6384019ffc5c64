import { describe, expect, test } from 'vitest';
import { turnOf } from '../../src/jobs/alarm-clock.ts';

describe('It is the turn of a job', () => {
  const turns = new Map([['done', 1000]]);

  test('once work is due', () => {
    expect(turnOf({ job: 'new', at: 500 }, turns)).toBe(500);
    expect(turnOf({ job: 'done', at: 1001 }, turns)).toBe(1001);
  });

  test('again after a minute, if its last turn left work', () => {
    expect(turnOf({ job: 'done', at: 1000 }, turns)).toBe(61_000);
    expect(turnOf({ job: 'done', at: 0 }, turns)).toBe(61_000);
  });
});
