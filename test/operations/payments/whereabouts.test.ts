import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { orderStatuses } from '../../../src/schema/lists.ts';
import { runs } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const step = fc.oneof(
  fc.constantFrom(...orderStatuses).map((status) => ({ kind: 'move', status }) as const),
  fc.constantFrom('pay' as const, 'delete' as const).map((kind) => ({ kind }) as const),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const moves = (...statuses: (typeof orderStatuses)[number][]): Step[] =>
  statuses.map((status) => ({ kind: 'move', status }));

/** Stripe makes refunds; with Duitku the store pays back itself. */
describe.each(['stripe', 'duitku'])('Money that came through %s', (name) => {
  const opened = useTill(name);
  let physical = 0;
  afterAll(() => expectIntegrity(opened.till));

  async function newPaid() {
    const { till } = opened;
    physical ||= (await till.fixture.newProduct({ type: 'physical', price: till.price })).id;
    const order = await till.paid({ product_id: physical });
    till.store.clock.advance(60);
    return order;
  }

  const asAdministrator = async (id: number, status: string) => {
    const { session } = await opened.till.fixture.newAdministrator();
    return session.patch(`/me/orders/${id}/status`, { status });
  };

  test.each(['orders', 'me/orders'])(
    'prevents a paid order from waiting for it again by PATCH /%s',
    async (route) => {
      const { till } = opened;
      const { id } = await newPaid();
      const before = await till.fixture.order(id);
      const reply =
        route === 'orders'
          ? await till.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' })
          : await asAdministrator(id, 'on-hold');
      expect(reply).toMatchObject({ status: 409, body: { code: 'order_has_payment' } });
      expect(await till.fixture.order(id)).toEqual(before);
    },
  );

  test('lets an order wait for it again once the provider has taken the payment back', async () => {
    const { till } = opened;
    const { id } = await newPaid();
    await till.store.database.query(
      'update payment_sessions set paid_amount = 0 where order_id = $1',
      [id],
    );
    const { status } = await till.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' });
    expect(status).toBe(200);
  });

  test.each([0, 6000])(
    'keeps the rest refundable for an order that was lowered to %d and cancelled',
    async (total) => {
      const { till } = opened;
      const { id, reference } = await newPaid();
      const patch = (body: object) => till.fixture.api.patch(`/orders/${id}`, body);
      await patch({ grand_total: total });
      await patch({ status: 'cancelled' });
      const refused = { status: 409, body: { code: 'order_has_payment' } };
      expect(await patch({ status: 'on-hold' })).toMatchObject(refused);
      expect(await asAdministrator(id, 'on-hold')).toMatchObject(refused);
      if (!(await till.givesBack())) return;
      await take(id, { kind: 'move', status: 'cancelled' });
      till.provider.refundByHand(reference);
      await till.bring();
      expect((await patch({ status: 'on-hold' })).status).toBe(200);
    },
  );

  /** Makes a step; refusals of the store are skipped. */
  async function take(id: number, change: Step): Promise<void> {
    const { till } = opened;
    const { api } = till.fixture;
    if (change.kind === 'move') {
      await api.patch(`/orders/${id}`, { status: change.status, tracking_number: 'JNE-1' });
    } else if (change.kind === 'delete') {
      await api.delete(`/orders/${id}`);
    } else if ((await till.page(id)).status === 200) {
      till.provider.pay(till.provider.references().at(-1) ?? '');
      await till.bring();
    }
    await till.later(60);
    till.provider.settleRefunds?.('succeeded');
    await till.bring();
  }

  /** Payments that belong to no paid order, are not refunded, and are in no list. */
  async function lost(id: number): Promise<unknown[]> {
    const { rows } = await opened.till.store.database.query(
      `select p.id, p.paid_amount, o.status from payment_sessions p join orders o on o.id = p.order_id
        where o.id = $1 and p.status = 'paid'
          and not (o.paid_at is not distinct from p.booked_at and o.deleted_at is null
                   and o.status in ('in-progress', 'shipping', 'completed'))
          and p.paid_amount > (select coalesce(sum(r.amount), 0) from refunds r
                                where r.order_id = o.id and r.created_at >= p.booked_at)
          and not exists (select from unexpected_payments u where u.session_id = p.id)`,
      [id],
    );
    return rows;
  }

  test('belongs to a paid order, is refunded or is listed, whatever happens to the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
        const { id } = await newPaid();
        for (const change of steps) await take(id, change);
        expect(await lost(id)).toEqual([]);
      }),
      { numRuns: runs(12), examples: [[moves('on-hold', 'cancelled')], [moves('on-hold')]] },
    );
  }, 120_000);
});
