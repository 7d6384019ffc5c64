import * as fc from 'fast-check';
import { test } from 'vitest';
import { runs } from '../../harness/long.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { useLicensedOrders } from './stage.ts';

const { opened, order, renewal, licensesOf, today, pass } = useLicensedOrders();

test('after any history the stored seats and terms equal a calculation from the history', async () => {
  const { api } = opened.fixture;
  const statuses = [
    'on-hold',
    'payment-confirm',
    'in-progress',
    'completed',
    'refunded',
    'cancelled',
  ];
  const step = fc.oneof(
    fc.record({ kind: fc.constant('order'), quantity: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('renew'), order: fc.nat(9) }),
    fc.record({
      kind: fc.constant('move'),
      order: fc.nat(9),
      status: fc.constantFrom(...statuses, 'completed', 'completed'),
    }),
    fc.record({ kind: fc.constant('register'), order: fc.nat(9), site: fc.nat(5) }),
    fc.record({ kind: fc.constant('unregister'), order: fc.nat(9), site: fc.nat(5) }),
    fc.record({ kind: fc.constant('reset'), order: fc.nat(9) }),
    fc.record({ kind: fc.constant('end'), order: fc.nat(9), days: fc.nat(90) }),
    fc.record({ kind: fc.constant('wait'), days: fc.integer({ min: 1, max: 40 }) }),
  );
  type Step = { kind: string; [field: string]: unknown };
  const sites = ['a.example', 'b.example', 'c.example', 'localhost', 'dev.example', 'x.test'];

  async function take(step: Step, orders: number[]): Promise<void> {
    const id = orders[Number(step['order'] ?? 0) % Math.max(1, orders.length)];
    if (step.kind === 'wait') return pass(Number(step['days']));
    if (step.kind === 'order') {
      orders.push(await order({ quantity: step['quantity'] }));
      return;
    }
    if (id === undefined) return;
    const [license] = await licensesOf(id);
    if (step.kind === 'renew') orders.push(await renewal(license?.order_id ?? id));
    if (step.kind === 'move') await api.patch(`/orders/${id}`, { status: step['status'] });
    if (!license) return;
    const asked = { license: license.code, string: sites[Number(step['site'])] };
    if (step.kind === 'register') await api.post('/licenses/register', asked);
    if (step.kind === 'unregister') await api.post('/licenses/unregister', asked);
    if (step.kind === 'reset') await api.post('/licenses/reset', { license: license.code });
    if (step.kind === 'end') {
      await api.post(`/licenses/${license.id}`, { expires_at: today(Number(step['days'])) });
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const orders: number[] = [];
      for (const one of steps) await take(one, orders);
      await expectIntegrity(opened.fixture);
    }),
    { numRuns: runs(10) },
  );
});

test.each([
  ['seats taken of licences', 'update licenses set activation_count = activation_count + 1'],
  ['end of licences', "update licenses set expires_at = expires_at + interval '1 second'"],
  ['number of licences by status', "delete from list_totals where list = 'licenses:active'"],
  [
    'terms of licences that their orders no longer pay for',
    "update orders set status = 'on-hold' where id in (select order_id from license_terms)",
  ],
])('the integrity check reports wrong %s', async (name, damage) => {
  await order({ status: 'completed' });
  await expectNoticed(opened.fixture, name, damage);
});
