import type { Examples } from '../examples.ts';
import { fromConsole } from '../../harness/client.ts';
import type { Scene } from '../scene.ts';

let made = 0;

async function newRole({ store, administrator }: Scene): Promise<number> {
  const client = store.client(fromConsole(await store.consoleSession(administrator)));
  const role = { name: `Role ${++made}`, scopes: ['orders:read'] };
  return (await client.post('//console/api/v1/staff-roles', role)).body.data.id;
}

export const staffRoles: Examples = {
  'staffRoles.list': () => ({}),
  'staffRoles.create': () => ({ body: { name: `Packing ${++made}`, scopes: ['orders:read'] } }),
  'staffRoles.update': async (scene) => ({
    params: { id: await newRole(scene) },
    body: { scopes: ['orders:read', 'confirmations:write'] },
  }),
  'staffRoles.delete': async (scene) => ({ params: { id: await newRole(scene) } }),
};
