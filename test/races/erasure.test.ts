import { expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock } from './queue.ts';

const opened = useStoreFixture();

test.each(['erasure', 'order'])(
  'An order that is placed while its buyer is erased keeps nothing of them: %s first',
  async (first) => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id: user_id } = await fixture.newUser();
    const place = () =>
      fixture.api.post('/orders', { product_id, user_id, note: 'For Sari', meta: { to: 'Sari' } });
    const erase = () => fixture.api.delete(`/users/${user_id}?force=true`);
    const lock = `select from users where id = ${user_id} for update`;
    const callers = first === 'order' ? [place, erase] : [erase, place];
    const replies = await behindLock(fixture.store, lock, callers, { inTurn: true });
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toEqual(first === 'order' ? [201, 200] : [200, 404]);
    const { rows } = await fixture.store.database.query(
      'select note, meta from orders where user_id = $1',
      [user_id],
    );
    expect(rows).toEqual(first === 'order' ? [{ note: null, meta: {} }] : []);
  },
);
