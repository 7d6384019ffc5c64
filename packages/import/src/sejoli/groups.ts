import { GroupParts, noGroupDiscount, userGroups } from '../../../../src/exports/store.ts';
import { folded } from '../folded.ts';
import { because, insertInto } from '../mapped.ts';
import { postsOf } from '../step.ts';
import { idOf, utcOf, wholeOf } from '../values.ts';
import { SaleValues } from '../sale-values.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type Meta, groupsOf, isTicked } from './carbon.ts';
import { eachRow } from './plan.ts';
import { tiersOf } from './products.ts';

export const groupsStep = eachRow({
  entity: 'groups',
  ...postsOf('sejoli-user-group'),
  reader({ staging, plan, now }) {
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const taken = new Set<string>();
    return (post, id) => {
      const meta = metaOf(id);
      const title = plainText(post.post_title ?? '').slice(0, 90) || `Group ${id}`;
      let name = title;
      while (taken.has(folded(name, 'toLowerCase'))) name = `${name} (${id})`;
      taken.add(folded(name, 'toLowerCase'));
      const values = new SaleValues(plan.exponent);
      const wanted = partsOf(meta, values);
      const parts = values.isReadable ? GroupParts.safeParse(wanted).data : undefined;
      const at = utcOf(post.post_date_gmt) ?? now;
      const row = insertInto(userGroups, {
        id,
        name,
        priority: wholeOf(meta.get('_priority') ?? null) ?? 0,
        can_affiliate: isTicked(meta, '_can_view_affiliate'),
        can_affiliate_coupon: isTicked(meta, '_can_view_affiliate'),
        ...(parts ?? { discount: noGroupDiscount, commissions: [], per_product: [] }),
        created_at: at,
        updated_at: at,
      });
      const reasons = [
        ...because({ 'name-taken': name !== title }),
        ...values.reasons,
        ...because({ 'impossible-settings': !parts }),
      ];
      return { rows: [row], reasons };
    };
  },
});

const partsOf = (meta: Meta, values: SaleValues): GroupParts => ({
  discount: discountOf(meta, '_group_discount', values),
  commissions: tiersOf(groupsOf(meta, '_group_commissions'), values),
  per_product: groupsOf(meta, '_group_setup_per_product').flatMap(({ fields, lists }) => {
    const product_id = idOf(fields.get('product'));
    if (product_id === null) return [];
    const commissions = (lists.get('commission') ?? []).map((tier) => ({ fields: tier }));
    return [
      {
        product_id,
        discount: discountOf(fields, 'discount', values),
        commissions: tiersOf(commissions, values),
      },
    ];
  }),
});

/** Reads the discount of members: a percentage, or an amount per item. */
function discountOf(fields: Meta, name: string, values: SaleValues): GroupParts['discount'] {
  const isPercentage = fields.get(`${name}_price_type`) === 'percentage';
  const price = fields.get(`${name}_price`);
  return {
    enabled: isTicked(fields, `${name}_enable`),
    value: isPercentage ? values.percentage(price) : values.amount(price),
    type: isPercentage ? 'percentage' : 'fixed',
  };
}
