import { describe, expect, test } from 'vitest';
import { useGroups } from './stage.ts';

const { stage, newGroup } = useGroups();

describe('Prices of a group', () => {
  test('are part of the unit price; those of a product take precedence over the general ones', async () => {
    const { fixture } = stage;
    const product = await fixture.newProduct({ price: 9999 });
    const other = await fixture.newProduct({ price: 9999 });
    const group = await newGroup({
      discount: { enabled: true, value: 10, type: 'percentage' },
      per_product: [
        { product_id: product.id, discount: { enabled: true, value: 4999, type: 'fixed' } },
      ],
    });
    const member = await fixture.newUser({ group_id: group.id });
    const buy = (product_id: number, user_id?: number) =>
      fixture.newOrder({ product_id, quantity: 3, ...(user_id && { user_id }) });
    expect(await buy(product.id)).toMatchObject({ unit_price: 9999, grand_total: 29_997 });
    expect(await buy(product.id, member.id)).toMatchObject({
      ...{ unit_price: 5000, subtotal: 15_000, discount_total: 0, grand_total: 15_000 },
    });
    // A tenth is taken off and rounded once for each item.
    expect(await buy(other.id, member.id)).toMatchObject({ unit_price: 8999, subtotal: 26_997 });
    const { body } = await fixture.api.post('/checkout/calculate', {
      ...{ product_id: product.id, user_id: member.id },
    });
    expect(body.data).toMatchObject({ unit_price: 5000, grand_total: 5000 });
  });

  test('are never below 0, and stay with an order that was placed', async () => {
    const { fixture } = stage;
    const product = await fixture.newProduct({ price: 1000 });
    const group = await newGroup({ discount: { enabled: true, value: 5000, type: 'fixed' } });
    const member = await fixture.newUser({ group_id: group.id });
    const order = await fixture.newOrder({ product_id: product.id, user_id: member.id });
    expect(order).toMatchObject({ unit_price: 0, grand_total: 0, status: 'completed' });
    await fixture.api.patch(`/user-groups/${group.id}`, { discount: { value: 400 } });
    const paid = await fixture.newOrder({ product_id: product.id, user_id: member.id });
    expect(paid.unit_price).toBe(600);
    await fixture.api.patch(`/user-groups/${group.id}`, { discount: { enabled: false } });
    const { body } = await fixture.api.patch(`/orders/${paid.id}`, { quantity: 2 });
    expect(body.data).toMatchObject({ unit_price: 600, grand_total: 1200 });
  });

  test('take off no more than a cheaper option leaves, also of the terms that follow a trial', async () => {
    const { fixture } = stage;
    const options = [{ id: 'lite', label: 'Lite', extra_price: -60_000 }];
    const sized = { price: 100_000, variants: [{ id: 'size', label: 'Size', options }] };
    const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
    const regular = { duration: 1, period: 'monthly', price: 100_000 };
    const single = await fixture.newProduct(sized);
    const club = (subscription: object) =>
      fixture.newProduct({ ...sized, subscription: { active: true, regular, ...subscription } });
    const group = await newGroup({ discount: { enabled: true, value: 50, type: 'percentage' } });
    const { id: user_id } = await fixture.newUser({ group_id: group.id });
    const cartOf = ({ id }: { id: number }) => ({ product_id: id, user_id, variants: ['lite'] });
    for (const product of [single, await club({})]) {
      const order = await fixture.newOrder(cartOf(product));
      expect(order).toMatchObject({ unit_price: 60_000, grand_total: 0, status: 'completed' });
    }
    const trial = cartOf(await club({ tryout }));
    const { body } = await fixture.api.post('/checkout/calculate', trial);
    expect(body.data).toMatchObject({ grand_total: 0, subscription: { price: 0 } });
    const { id: order_parent_id } = await fixture.newOrder(trial);
    expect(await fixture.newOrder({ ...trial, order_parent_id })).toMatchObject({ grand_total: 0 });
  });
});

describe('A product', () => {
  test('can be sold to certain groups only', async () => {
    const { fixture } = stage;
    const group = await newGroup();
    const product = await fixture.newProduct({ group: { buy_list: [group.id] } });
    const member = await fixture.newUser({ group_id: group.id });
    const stranger = await fixture.newUser();
    const order = (user: { id: number }) =>
      fixture.api.post('/orders', { product_id: product.id, user_id: user.id });
    expect((await order(member)).status).toBe(201);
    expect(await order(stranger)).toMatchObject({ status: 409, body: { code: 'product_closed' } });
  });

  test('can name existing groups only', async () => {
    const { fixture } = stage;
    const product = await fixture.newProduct();
    for (const group of [{ buy_list: [999_999] }, { update_group_to: 999_999 }]) {
      const [field] = Object.keys(group);
      const refused = {
        status: 404,
        body: { data: { params: { [`group.${field}`]: 'unknown id' } } },
      };
      const made = await fixture.api.post('/products', { title: 'T', price: 1, group });
      expect(made).toMatchObject(refused);
      expect(await fixture.api.patch(`/products/${product.id}`, { group })).toMatchObject(refused);
    }
  });

  test('can move its buyers into a group once their order is completed', async () => {
    const { fixture } = stage;
    const group = await newGroup({ priority: 3 });
    const higher = await newGroup({ priority: 4 });
    const product = await fixture.newProduct({ group: { update_group_to: group.id } });
    const buyer = await fixture.newUser();
    const order = await fixture.newOrder({ product_id: product.id, user_id: buyer.id });
    expect((await fixture.user(buyer.id)).group_id).toBe(null);
    await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect(await fixture.user(buyer.id)).toMatchObject({ group_id: group.id, version: 2 });
    // Buyers never move to a lower group.
    const above = await fixture.newUser({ group_id: higher.id });
    const free = { product_id: product.id, user_id: above.id, status: 'completed' };
    await fixture.newOrder(free);
    expect((await fixture.user(above.id)).group_id).toBe(higher.id);
  });
});
