import { Agent } from 'node:http';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { tripsOf } from '../contract/examples.ts';
import type { Scene } from '../contract/scene.ts';
import { timed } from './load.ts';
import { median } from './rates.ts';
import { exampleRequest } from './requests.ts';

/** The effect of a delay of each round trip on a request. */
export interface Delayed {
  endpoint: string;
  /** (t − t₀) / D: how many delays the request waited for. */
  ratio: number;
  /** The most it may be: a read waits for one trip, a write for two. */
  goal: number;
}

/** Operations on files: a bare workerd has no buckets. */
const withFiles = ['me.media.uploadImage', 'me.media.get', 'media.get'];

/** Milliseconds every trip is delayed by. */
const delay = 100;
const rounds = 3;

/** Measures each endpoint that asks the database by its example, with the delay and without, in turn. */
export async function measureDelays(
  scene: Scene,
  origin: string,
  onEndpoint: (endpoint: string) => void,
): Promise<Delayed[]> {
  const agent = new Agent({ keepAlive: true });
  const measured: Delayed[] = [];
  try {
    for (const endpoint of endpoints.filter(({ id }) => !withFiles.includes(id))) {
      const trips = tripsOf(endpoint, await scene.example(endpoint));
      if (trips === 0) continue;
      onEndpoint(endpoint.id);
      const plain: number[] = [];
      const slow: number[] = [];
      // The first round warms up.
      for (let round = 0; round <= rounds; round++) {
        const [without, withDelay] = [
          await timeOne(scene, endpoint, { origin, agent, delay: 0 }),
          await timeOne(scene, endpoint, { origin, agent, delay }),
        ];
        if (round === 0) continue;
        plain.push(without);
        slow.push(withDelay);
      }
      const ratio = (median(slow) - median(plain)) / delay;
      measured.push({ endpoint: endpoint.id, ratio, goal: 1.05 * trips });
    }
  } finally {
    agent.destroy();
  }
  return measured;
}

/** Arranges the example anew, without delay, and times its request. */
async function timeOne(
  scene: Scene,
  endpoint: Endpoint,
  { origin, agent, delay: each }: { origin: string; agent: Agent; delay: number },
): Promise<number> {
  const request = await exampleRequest(scene, endpoint, origin);
  const { faults } = scene.store.neon;
  if (each > 0) faults.next({ delay: each, times: 10 });
  try {
    return await timed(request, agent);
  } finally {
    faults.clear();
  }
}
