import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { crc32 } from '../../src/lib/crc32.ts';
import { type Reply, declarationOf, isShopPage } from '../harness/client.ts';
import type { Scene } from '../contract/scene.ts';
import { ApiDocument } from './document.ts';
import { type Input, inputs, requestOf } from './requests.ts';

export interface Counts {
  readonly id: string;
  readonly inputs: number;
  accepted: number;
  refused: number;
  /** Faults, with the requests that show them. */
  readonly failures: string[];
}

/** Returns a seed that depends only on the endpoint and the round, so that inputs change with the schemas only. */
const seedOf = ({ id }: Endpoint, round: number) => crc32(`${id} ${round}`) | 0;

/** The document, which is equal for all stores. */
let document: ApiDocument | undefined;

/** The number of inputs to a write that share an example and one check of the database. */
const stretch = 20;

/**
 * Sends inputs to an endpoint on top of its example. Each answer must be declared, described by the document and no
 * 5xx. A refused write must store nothing.
 */
export async function fuzz(
  scene: Scene,
  endpoint: Endpoint,
  count: number,
  round = 0,
): Promise<Counts> {
  document ??= await ApiDocument.read(scene);
  const sample = fc.sample(inputs(endpoint, document), {
    numRuns: count,
    seed: seedOf(endpoint, round),
  });
  const counts: Counts = { id: endpoint.id, inputs: count, accepted: 0, refused: 0, failures: [] };
  let arranged = await arrange(scene, endpoint);
  for (const [index, input] of sample.entries()) {
    const looks = endpoint.effect === 'write' && index % stretch === 0;
    if (looks) arranged = await arrange(scene, endpoint);
    const request = requestOf(input, arranged.example);
    const before = looks ? await scene.contents() : undefined;
    try {
      const reply = await arranged.client.request(request.method, request.path, request);
      expectProper(reply, request, document);
      counts[reply.status < 400 ? 'accepted' : 'refused'] += 1;
      if (before && reply.status >= 400) expectSame(before, await scene.contents(), input);
    } catch (error) {
      counts.failures.push(`${String(error)}\n${show(request)}`);
    }
  }
  return counts;
}

async function arrange(scene: Scene, endpoint: Endpoint) {
  const example = await scene.example(endpoint);
  return { example, client: await scene.caller(endpoint, example) };
}

/** 5xx codes that mean that another server did not answer. */
const excused = ['gateway_unavailable'];

function expectProper(
  reply: Reply,
  { method, path }: { method: string; path: string },
  document: ApiDocument,
): void {
  if (!excused.includes(reply.body?.code)) expect(reply.status).toBeLessThan(500);
  // A hostile segment of the path can lead to another endpoint, or to none.
  const reached = declarationOf(method, new URL(path.slice(1), 'https://shop.example'));
  if (reached && !isShopPage(reached, reply)) expect(document.faults(reached, reply)).toEqual([]);
}

/** A refusal may be stored under the Idempotency-Key. */
function expectSame(
  { idempotency_keys: _, ...before }: Record<string, string>,
  { idempotency_keys: __, ...after }: Record<string, string>,
  { headers }: Input,
): void {
  expect(after, 'a refused request has written').toEqual(before);
  if (!headers['idempotency-key']) expect(__).toEqual(_);
}

const show = (request: object) => JSON.stringify(request).slice(0, 1500);
