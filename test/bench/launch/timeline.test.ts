import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TestClock } from '../../harness/store.ts';
import { Timeline } from './timeline.ts';

const clock = new TestClock();
/** Answers after more turns of the event loop than computing takes. */
const database = {
  async fetch() {
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    return new Response();
  },
};
const timeline = new Timeline(clock, database);
const silent = { at: () => Infinity, ring: async () => undefined };

/**
 * Starts work, and other work a minute later.
 * @returns the simulated seconds that the work took
 */
async function lasting(work: () => Promise<unknown>): Promise<number> {
  const begin = timeline.now() + 10_000;
  let ended = Number.NaN;
  timeline.at(begin, async () => {
    await work();
    ended = timeline.now();
  });
  timeline.at(begin + 60_000, () => undefined);
  await timeline.run(begin + 120_000, [], silent);
  return (ended - begin) / 1000;
}

test('The simulated clock stands still while a key is computed', async () => {
  const salt = new Uint8Array(16);
  const key = await crypto.subtle.importKey('raw', salt, 'PBKDF2', false, ['deriveBits']);
  const slow = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 300_000 };
  expect(await lasting(() => crypto.subtle.deriveBits(slow, key, 512))).toBe(0);
});

test('The simulated clock stands still while the database answers', async () => {
  expect(await lasting(() => database.fetch())).toBe(0);
});

test('Work that waits for a moment continues at that moment', async () => {
  const begin = timeline.now() + 10_000;
  expect(await lasting(() => clock.until(begin + 500))).toBe(0.5);
});

test('An alarm rings once at its moment', async () => {
  const at = timeline.now() + 2000;
  const rung: number[] = [];
  let alarm = at;
  const ring = async () => {
    alarm = Infinity;
    rung.push(timeline.now());
  };
  await timeline.run(at + 10_000, [], { at: () => alarm, ring });
  expect(rung).toEqual([at]);
});
