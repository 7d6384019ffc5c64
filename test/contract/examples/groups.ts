import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const groups: Examples = {
  'groups.list': () => ({}),
  'groups.get': async (scene) => ({ params: { id: (await newGroup(scene)).id } }),
  'groups.create': () => ({ body: { name: newName() } }),
  'groups.update': async (scene) => ({
    params: { id: (await newGroup(scene)).id },
    body: { name: newName() },
  }),
  'users.group': ({ buyer }) => ({ params: { id: buyer } }),
  'users.setGroup': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { group_id: (await newGroup(scene)).id },
  }),
  'groups.delete': async (scene) => ({ params: { id: (await newGroup(scene)).id } }),
};

let names = 0;
const newName = () => `Partners ${++names}`;

const newGroup = (scene: Scene) => scene.create('/user-groups', { name: newName() });
