import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waker } from '../../../src/kernel/command/wake.ts';
import { TestClock } from '../../harness/store.ts';

let calls: number;
let answer: () => Promise<void>;
const clock = new TestClock();
const wakeable = {
  goOn: async () => {},
  wake: () => {
    calls++;
    return answer();
  },
};

beforeEach(() => {
  calls = 0;
  answer = async () => {};
});

afterEach(() => vi.useRealTimers());

test('an isolate wakes the scheduler for all writes of 45 seconds', async () => {
  const wake = waker({ getByName: () => wakeable }, clock);
  await wake();
  clock.advance(44);
  await wake();
  expect(calls).toBe(1);
  clock.advance(1);
  await wake();
  expect(calls).toBe(2);
});

test('a scheduler that does not answer is waited for one second, and then not called for a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answer = () => new Promise(() => {});
  const wake = waker({ getByName: () => wakeable }, clock);
  const waiting = wake().catch(({ message }: Error) => message);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe('The scheduler did not answer.');
  await expect(wake()).rejects.toThrow('The scheduler did not answer a moment ago.');
  expect(calls).toBe(1);
  clock.advance(5);
  answer = async () => {};
  await wake();
  expect(calls).toBe(2);
});

test('a deployment without a scheduler wakes nothing', async () => {
  await expect(waker(undefined, clock)()).resolves.toBeUndefined();
});
