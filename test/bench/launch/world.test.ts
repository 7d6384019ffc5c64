import { expect } from 'vitest';
import { long } from '../../harness/long.ts';
import { openStore } from '../../harness/store.ts';
import { World } from './world.ts';

long(
  'Of twenty orders of a launch, all are placed, and every message about them is sent',
  async () => {
    const store = await openStore();
    const world = new World(store, 'IDR');
    try {
      await world.open();
      const { timeline, ways } = world;
      const start = timeline.now();
      for (let n = 0; n < 20; n++)
        timeline.at(start, () => world.order(`b${n}`, ways[n % ways.length] ?? '', () => 0.5));
      await world.until(start + 3_600_000);
      const { rows } = await store.database.query(
        `select (select count(*)::int from orders) as orders,
              (select count(*)::int from messages where status = 'queued') as waiting,
              (select count(*)::int from messages where kind = 'order-placed' and status = 'sent') as sent`,
      );
      expect(rows[0]).toMatchObject({ orders: 20, waiting: 0 });
      expect(rows[0].sent).toBeGreaterThan(10);
      expect(world.logs).toEqual([]);
    } finally {
      await world.close();
      await store.close();
    }
  },
);
