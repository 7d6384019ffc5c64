import { afterEach, beforeAll, expect, test } from 'vitest';
import { authorization, useScene } from '../contract/scene.ts';
import { troubles } from '../contract/trouble.ts';
import { isLong } from '../harness/long.ts';
import { ApiClient } from '../harness/client.ts';

const stage = useScene();
let agent: ApiClient;

beforeAll(async () => {
  const { store } = stage.scene;
  agent = new ApiClient(store.fetch, authorization((await store.createKey()).token));
});
afterEach(() => stage.scene.store.neon.faults.clear());

/**
 * Places an order by its tool.
 * @returns the answer to the agent
 */
async function placeOrder(idempotency_key: string) {
  const { product, buyer } = stage.scene;
  const given = { product_id: product, user_id: buyer, idempotency_key };
  const reply = await agent.post(
    '//mcp?writes=true',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'orders_create', arguments: given },
    },
    { headers: { 'mcp-protocol-version': '2025-11-25' } },
  );
  const { isError, content } = reply.body.result;
  return {
    isError,
    answer: JSON.parse(content[0].text),
    retryAfter: reply.headers.get('retry-after'),
  };
}

// Deadlines belong to the operation: test/contract/trouble.test.ts tests them.
const quick = Object.entries(troubles).filter(([, { late }]) => !late);

test.each(isLong ? quick : quick.slice(0, 3))(
  'a call that writes reports when %s, and writes once',
  async (_, { fault }) => {
    const { scene } = stage;
    const count = async () => (await scene.api.get('/orders?output=count')).body.data;
    for (const trip of [1, 2]) {
      const key = crypto.randomUUID();
      const before = await count();
      const { reached } = await scene.inTheWay(fault, trip);
      const cutOff = await placeOrder(key);
      await reached;
      expect(cutOff).toMatchObject({ isError: true, answer: { code: 'rest_unavailable' } });
      expect(Number(cutOff.retryAfter)).toBeGreaterThan(0);
      const placed = await placeOrder(key);
      expect(placed).toMatchObject({ isError: false, answer: { success: true } });
      expect(await placeOrder(key)).toEqual(placed);
      expect(await count()).toMatchObject({ count: before.count + 1 });
    }
  },
);
