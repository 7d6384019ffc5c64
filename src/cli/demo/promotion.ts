import type { Products } from './catalogue.ts';
import type { People } from './people.ts';
import type { DemoClient } from './client.ts';

export async function createGroup(shop: DemoClient, { members }: People): Promise<void> {
  const group_id = await shop.create('/user-groups', 'group', {
    name: 'Gold',
    priority: 10,
    discount: { enabled: true, value: 5, type: 'percentage' },
    commissions: [{ tier: 1, fee: 30, type: 'percentage' }],
  });
  await shop.send('POST', `/users/${members[0]}/group`, { group_id }, 'group-member');
}

/** Creates coupons of the store, a template for affiliates, and an affiliate's copy of it. */
export async function createCoupons(
  shop: DemoClient,
  { affiliate }: People,
  { course }: Products,
): Promise<void> {
  const coupon = (code: string, body: object) =>
    shop.create('/coupons', `coupon-${code}`, { code, ...body });
  await coupon('WELCOME10', {
    discount: { value: 10, type: 'percentage' },
    rule: { first_order_only: true },
    limit_use_per_user: 1,
  });
  const coupon_parent_id = await coupon('PARTNER', {
    discount: { value: 50_000, type: 'fixed' },
    rule: { use_by_affiliate: true, limit_affiliate_coupon: 3, apply_only: [course] },
  });
  await coupon('BUDI50', { user_id: affiliate, coupon_parent_id });
  // The documentation's examples use this coupon.
  await coupon('HEMAT10', { discount: { value: 10, type: 'percentage' } });
}

export async function createTemplates(shop: DemoClient): Promise<void> {
  await shop.create('/reminder-templates', 'template-order', {
    type: 'order',
    offset: 1,
    title: 'Your order waits',
    content: 'Hello {{name}}, please pay {{amount}}.',
  });
  await shop.create('/reminder-templates', 'template-term', {
    type: 'recurring',
    offset: 3,
    direction: 'before',
    title: 'Your membership ends soon',
    content: 'Hello {{name}}, renew it in time.',
  });
}
