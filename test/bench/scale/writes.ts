import { findDue, runJobs } from '../../../src/jobs/index.ts';
import type { Reply } from '../../harness/client.ts';
import type { StoreFixture } from '../../harness/store-fixture.ts';
import type { Size } from './size.ts';
import { seller } from './size.ts';

/** Runs a store's day: each kind of write, and the cron's jobs. */
export async function aDay({ api, store, newUser }: StoreFixture, size: Size): Promise<void> {
  const made = async (path: string, body: object = {}) => (await done(api.post(path, body))).data;
  const affiliate_id = seller(size, 3);
  const buyer = await newUser({ email: `day-${Date.now()}@people.example`, affiliate_id });
  const code = `DAY${Date.now()}`;
  const coupon = await made('/coupons', { code, discount: { value: 10, type: 'percentage' } });
  const place = (fields: object = {}) =>
    made('/orders', { product_id: 7, user_id: buyer.id, ...fields });
  const move = (id: number, body: object) => done(api.patch(`/orders/${id}`, body));

  const order = await place({ coupon_code: code });
  await made(`/orders/${order.id}/confirmations`, { sender: 'Day', total: order.grand_total });
  await move(order.id, { status: 'completed' });
  await made(`/orders/${order.id}/refunds`, { amount: 1000 });
  const [license] = (await done(api.get(`/licenses?order_id=${order.id}&reveal=true`))).data;
  const asked = { license: license.code, string: 'day.example' };
  for (const action of ['register', 'validate', 'status', 'unregister', 'reset']) {
    await done(api.post(`/licenses/${action}`, asked));
  }
  // An affiliate whom no earlier day has paid.
  const earner = seller(size, (31 * (40 * (Date.now() % 10_000) + 5)) % size.sellers);
  const payout = await api.post('/payouts', {
    affiliate_id: earner,
    method: 'BCA',
    reference: code,
  });
  if (payout.body.code !== 'nothing_payable') await done(Promise.resolve(payout));
  await made(`/orders/${order.id}/refunds`);
  const [commission] = (await done(api.get(`/commissions?affiliate_id=${affiliate_id}`))).data;
  await done(api.patch(`/commissions/${commission.id}`, { note: 'Seen.' }));
  const other = await place();
  await move(other.id, { quantity: 2, note: 'Two of them.' });
  await made('/reminders', { order_id: other.id, title: 'A word', content: 'Please pay.' });
  await move(other.id, { status: 'cancelled' });
  await done(api.delete(`/orders/${other.id}`));
  await made('/checkout/calculate', { product_id: 7, user_id: buyer.id, coupon: code });
  const grant = await made('/access', { user_id: buyer.id, product_id: 9 });
  await done(api.delete(`/access/${grant.id}`));
  await done(api.post(`/users/${buyer.id}/group`, { group_id: 1 }));
  await done(api.patch(`/users/${buyer.id}`, { affiliate_id: seller(size, 4) }));
  await done(api.delete(`/coupons/${coupon.id}`));
  await done(api.delete(`/users/${buyer.id}`));
  await findDue(await store.services());
  await runJobs(await store.services(), (line) => {
    throw new Error(`A job failed: ${JSON.stringify(line)}`);
  });
}

async function done(sent: Promise<Reply>) {
  const { status, body } = await sent;
  if (status >= 300) throw new Error(`Answered ${status} ${JSON.stringify(body)}`);
  return body;
}
