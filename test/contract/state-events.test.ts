import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { changesOf, readStates, toldStates } from '../harness/states.ts';
import { mainRoute } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

// This webhook records every event.
beforeAll(() => stage.scene.create('/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }));

test.each(endpoints.filter(({ effect }) => effect === 'write'))(
  '$id notifies each user whose state it changes',
  async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    await scene.store.settled();
    const told = toldStates(scene.store);
    await told();
    const before = await readStates(scene.store);
    await scene.call(caller, mainRoute(endpoint), example);
    await scene.store.settled();
    const changed = changesOf(before, await readStates(scene.store));
    expect((await told()).flat()).toEqual(expect.arrayContaining(changed));
  },
);
