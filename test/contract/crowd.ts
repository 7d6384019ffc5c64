import { endpoints } from '../../src/endpoints.ts';
import type { OrderStatus } from '../../src/schema/lists.ts';
import { newPromoted } from './examples/affiliates.ts';
import { mainRoute } from './routes.ts';
import type { Scene } from './scene.ts';

const day = 86_400;

/** Fills a store with records in every state that the API knows, over several days. */
export async function crowd(scene: Scene): Promise<void> {
  await actOutExamples(scene);
  await placeOrders(scene);
  await holdByHand(scene);
  await scene.store.settled();
}

async function actOutExamples(scene: Scene): Promise<void> {
  for (const endpoint of endpoints.filter(({ effect }) => effect === 'write')) {
    const example = await scene.example(endpoint);
    await scene.call(await scene.caller(endpoint, example), mainRoute(endpoint), example);
  }
  await scene.store.settled();
}

/** Ways to a status: the changes of a new order, one after the other. */
const ways: readonly (readonly OrderStatus[])[] = [
  [],
  ['payment-confirm'],
  ['in-progress'],
  ['in-progress', 'shipping'],
  ['in-progress', 'completed'],
  ['completed'],
  ['completed', 'refunded'],
  ['cancelled'],
];

async function placeOrders(scene: Scene): Promise<void> {
  const { api, store, affiliate } = scene;
  // The buyer has an affiliate's bank account, which makes a risk that holds the commissions.
  const friend = await scene.newUser({ affiliate_id: affiliate, bank_info: '' });
  const buyers = [friend, scene.buyer];
  const sellers = [affiliate, await scene.newUser({ roles: ['affiliate'] })];
  const shipping = { active: true, free: true, options: [] };
  const regular = { duration: 1, period: 'monthly', price: 9_000 };
  const tiers = [{ tier: 1, fee: 20, type: 'percentage' }];
  const products = [
    await newPromoted(scene),
    await scene.newProduct({ type: 'physical', shipping, affiliate: { enabled: true, tiers } }),
    await scene.newProduct({
      payment_type: 'recurring',
      subscription: { active: true, regular },
      license: { active: true, count: 1 },
    }),
  ];
  for (const [i, statuses] of [...ways, ...ways].entries()) {
    const physical = statuses.includes('shipping');
    const id = await scene.newOrder({
      product_id: products[physical ? 1 : i % 3],
      user_id: buyers[i % 2],
      affiliate_id: sellers[i % 5 === 0 ? 1 : 0],
      quantity: 1 + (i % 3),
      ...(i % 4 === 0 && { meta: { plan: 'pro' } }),
    });
    for (const status of statuses) {
      const tracking = status === 'shipping' && { shipping: { tracking_number: 'JNE1' } };
      await api.patch(`/orders/${id}`, { status, ...tracking });
    }
    store.clock.advance(day / 4);
  }
  const risks = await api.get(`/risks?status=open&affiliate_id=${sellers[0]}&per_page=100`);
  for (const { id } of risks.body.data) await api.post(`/risks/${id}`, { decision: 'clear' });
  await api.post('/payouts', { affiliate_id: sellers[0], method: 'bank', reference: 'April' });
}

async function holdByHand(scene: Scene): Promise<void> {
  const { api, store, buyer, affiliate, product } = scene;
  const at = (days: number) =>
    new Date(store.clock.now().getTime() + days * day * 1000).toISOString();
  for (const days of [-9, 9]) {
    const user_id = await scene.newUser({ first_name: 'Sari', status: 'blocked' });
    await scene.create('/access', { user_id, product_id: product, start: at(days) });
    await scene.create('/access', { user_id, product_id: product, end_active: at(days + 20) });
  }
  const group_id = (await scene.create('/user-groups', { name: 'Gold' })).id;
  await scene.newUser({ group_id, meta: { plan: 'pro' } });
  await scene.newManager();
  for (const status of ['draft', 'publish']) {
    const content = { title: 'A', product_ids: [product], status };
    const { id: content_id } = await scene.create('/access/content', content);
    await scene.create('/files', { product_id: product, content_id, name: 'a.pdf', size: 7 });
    await scene.newProduct({
      title: 'Handbook',
      status: status === 'draft' ? 'private' : 'draft',
      meta: { plan: 'pro' },
    });
  }

  await scene.create('/coupons', { code: 'WAITING', status: 'pending', user_id: affiliate });
  await scene.create('/coupons', { code: 'NARROW', rule: { apply_only: [product] } });
  const url = 'http://127.0.0.1:1/';
  await scene.create('/webhooks', { url, events: ['*'], status: 'paused' });
  for (const status of ['active', 'inactive', 'pending']) {
    await scene.create('/licenses', {
      ...{ product_id: product, user_id: buyer, status },
      meta: { plan: 'pro' },
    });
  }
  const order_id = await scene.newOrder();
  for (const media_type of ['email', 'whatsapp', 'sms']) {
    const phone = media_type !== 'email' && { recipient: '+628112233445' };
    const reminder = { order_id, title: 'A', content: 'B', media_type, ...phone };
    const { id } = await scene.create('/reminders', reminder);
    if (media_type === 'sms') await api.patch(`/reminders/${id}`, { status: 'cancelled' });
  }
  for (const status of ['approved', 'rejected']) {
    const paid = await scene.newOrder({ user_id: affiliate });
    const { id } = await scene.create('/confirmations', { order_id: paid, total: 15_000 });
    await api.patch(`/confirmations/${id}`, { status });
  }
}
