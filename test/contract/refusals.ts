import { afterAll, beforeAll, expect } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import type { Example } from './examples.ts';
import { dealerOf } from './kinds.ts';
import type { Scene } from './scene.ts';
import { typicalMistakes } from './mistakes.ts';
import { mainRoute, routesOf } from './routes.ts';

export type Headers = Record<string, string>;

const deal = dealerOf(endpoints);

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  /** 0 if the credentials are refused without asking the database. */
  readonly trips: number;
}

/**
 * For a describe block about one endpoint whose requests are all refused: makes one example for all its tests, and
 * fails at the end if anything was written since.
 */
export function useRefused(endpoint: Endpoint, stage: { readonly scene: Scene }) {
  let example: Example;
  let before: Record<string, string>;
  beforeAll(async () => {
    example = await stage.scene.example(endpoint);
    before = await stage.scene.contents();
  });
  afterAll(async () => {
    expect(await stage.scene.contents(), 'a refused request has written').toEqual(before);
  });
  return {
    get example() {
      return example;
    },

    /**
     * Fails unless the dealt callers are refused on every route. If a refusal takes a trip, routes that repeat the
     * first one are tried with the first caller only.
     */
    async expectRefusal(callers: Record<string, Headers>, refusal: Refusal) {
      const { status, code, message, trips } = refusal;
      const body = { code, ...(message !== undefined && { message }), data: { status } };
      for (const [index, route] of routesOf(endpoint).entries()) {
        const named = deal(endpoint, Object.entries(callers));
        for (const [name, headers] of index === 0 || trips === 0 ? named : named.slice(0, 1)) {
          const client = stage.scene.client(headers);
          const reply = await stage.scene.call(client, route, example);
          expect(reply, `${name}: ${route.method}`).toMatchObject({ status, body, trips });
        }
      }
    },

    /** Fails unless this caller gets this refusal before any other mistake of the request is reported. */
    async expectPrecedence(headers: Headers, { status, code, message, trips }: Refusal) {
      const body = { code, ...(message !== undefined && { message }), data: { status } };
      for (const mistake of deal(endpoint, typicalMistakes(endpoint, example))) {
        const client = stage.scene.client(headers);
        const reply = await stage.scene.call(client, mainRoute(endpoint), example, mistake);
        expect(reply, mistake.name).toMatchObject({ status, body, trips });
      }
    },
  };
}
