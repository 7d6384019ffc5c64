import { long } from '../harness/long.ts';
import { expect } from 'vitest';
import { drain } from './drain.ts';

long('two hundred messages go out once each, and webhooks get their events meanwhile', async () => {
  const { arrived, turns, delivered } = await drain(200);
  expect(arrived).toBe(200);
  expect(delivered).toBe(turns);
});
