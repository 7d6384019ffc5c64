import { expect } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

export function useGroups() {
  const stage = useStoreFixture();
  let names = 0;

  async function newGroup(fields: object = {}) {
    const body = { name: `Group ${++names}`, ...fields };
    const reply = await stage.fixture.api.post('/user-groups', body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body.data as { id: number; name: string; version: number };
  }

  return { stage, newGroup };
}
