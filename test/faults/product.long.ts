import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Endpoint, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import type { Fault } from '../../src/local/neon/faults.ts';
import { endpoints } from '../../src/endpoints.ts';
import { useScene } from '../contract/scene.ts';
import { Attempt, type Trouble, troubles, upTo } from '../contract/trouble.ts';
import { Tally } from './tally.ts';

// Every fault on every trip of every endpoint: the answer, the stored rows, and the answer to the same request
// afterwards.
const stage = useScene();
afterEach(() => stage.scene.store.neon.faults.clear());

const tally = new Tally('fault');
afterAll(() => tally.show());

/**
 * Operations whose repeat also delivers the due work, because nothing is sent after a lost answer.
 */
const sendsAgain = [
  'reminders.resend',
  'messages.resend',
  'messageTemplates.test',
  'webhooks.resend',
  'webhooks.test',
];

/** True for the trip that writes: the second one of a write. A write of one trip had nothing to do. */
const writes = ({ effect }: Endpoint, trip: number) => effect === 'write' && trip === 2;

async function inTrouble(endpoint: Endpoint, name: string, trouble: Trouble, trip: number) {
  const { scene } = stage;
  const attempt = await Attempt.arrange(scene, endpoint);
  const before = await scene.contents();
  await attempt.fail(name, trouble, trip);
  const after = await scene.contents();
  if (!trouble.done || !writes(endpoint, trip)) {
    expect(after).toEqual(before);
    await attempt.succeed();
    return;
  }
  expect(after).not.toEqual(before);
  if (!keepsAnswers(endpoint)) return;
  await attempt.succeedAgain();
  const repeated = await scene.contents();
  if (!sendsAgain.includes(endpoint.id)) expect(repeated).toEqual(after);
  await attempt.succeedAgain();
  expect(await scene.contents()).toEqual(repeated);
}

/** Faults that a request survives, with the number of additional tries. */
const obstacles: Record<string, [fault: Fault, tries: number]> = {
  'a serialisation failure': [{ sqlState: '40001' }, 1],
  'a deadlock': [{ sqlState: '40P01' }, 1],
  'two collisions': [{ sqlState: '40001', times: 2 }, 2],
  'a delay': [{ delay: 5 }, 0],
};

async function overcome(endpoint: Endpoint, fault: Fault, tries: number, trip: number) {
  const attempt = await Attempt.arrange(stage.scene, endpoint);
  const reply = await attempt.meet(fault, trip);
  expect(reply.status).toBe(endpoint.reply[0]);
  expect(reply.headers.get('idempotency-replayed')).toBeNull();
  // A further try of a write begins with its load.
  expect(reply.trips).toBeGreaterThanOrEqual(attempt.trips + tries);
  expect(reply.trips).toBeLessThanOrEqual(attempt.trips + tries * trip);
  if (keepsAnswers(endpoint)) await attempt.succeedAgain();
}

/** Holds a trip before its commit, and then releases it. */
async function held(endpoint: Endpoint, trip: number) {
  const { scene } = stage;
  const attempt = await Attempt.arrange(scene, endpoint);
  const before = await scene.contents();
  const fault = await scene.inTheWay({ hold: true }, trip);
  const answer = attempt.send();
  await fault.reached;
  expect(await scene.contents()).toEqual(before);
  fault.release();
  expect(await answer).toMatchObject({ status: endpoint.reply[0], trips: attempt.trips });
}

describe('every fault on every trip', () => {
  test.each(endpoints)('$id', async (endpoint) => {
    for (const trip of upTo((await Attempt.arrange(stage.scene, endpoint)).trips)) {
      for (const [name, trouble] of Object.entries(troubles)) {
        await tally.count(name, () => inTrouble(endpoint, name, trouble, trip));
      }
      for (const [name, [fault, tries]] of Object.entries(obstacles)) {
        await tally.count(name, () => overcome(endpoint, fault, tries, trip));
      }
      await tally.count('a hold before the commit', () => held(endpoint, trip));
    }
    tally.finish(endpoint.id);
  });
});
