import { GroupParts, noDiscount } from '../../../schema/group-parts.ts';
import { userGroups } from '../../../schema/groups.ts';
import { type Mapped, type StepContext, imported, insertInto, withReasons } from '../mapped.ts';
import { idOf, utcOf, wholeOf } from '../values.ts';
import { SaleValues } from '../sale-values.ts';
import { folded } from '../folded.ts';
import { plainText } from '../html-text.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type Meta, groupsOf, isTicked } from './carbon.ts';
import type { Plan } from './plan.ts';
import { tiersOf } from './products.ts';
import type { sejoli } from './source.ts';

/** The shop's user groups, with what their members pay less and earn more. */
export function* groupsStep({
  staging,
  plan,
  numbers,
  now,
}: StepContext<typeof sejoli, Plan>): Generator<Mapped> {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const taken = new Set<string>();
  const posts = staging.database
    .prepare(
      `select * from posts where post_type = 'sejoli-user-group' order by cast(ID as integer)`,
    )
    .iterate() as Iterable<Record<string, string | null>>;
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
    const title = plainText(post['post_title'] ?? '').slice(0, 90) || `Group ${id}`;
    let name = title;
    while (taken.has(folded(name, 'toLowerCase'))) name = `${name} (${id})`;
    taken.add(folded(name, 'toLowerCase'));
    numbers.above(userGroups, id);
    const values = new SaleValues(plan.exponent);
    const wanted = partsOf(meta, values);
    const parts = values.isReadable ? GroupParts.safeParse(wanted).data : undefined;
    const at = utcOf(post['post_date_gmt'] ?? null) ?? now;
    const row = insertInto(userGroups, {
      id,
      name,
      priority: wholeOf(meta.get('_priority') ?? null) ?? 0,
      can_affiliate: isTicked(meta, '_can_view_affiliate'),
      can_affiliate_coupon: isTicked(meta, '_can_view_affiliate'),
      ...(parts ?? { discount: noDiscount, commissions: [], per_product: [] }),
      created_at: at,
      updated_at: at,
    });
    yield withReasons(imported('groups', id, [id], [row]), [
      ...(name === title ? [] : (['name-taken'] as const)),
      ...values.reasons,
      ...(parts ? [] : (['impossible-settings'] as const)),
    ]);
  }
}

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

/** What members pay less: a percentage, or an amount an item. */
function discountOf(fields: Meta, name: string, values: SaleValues): GroupParts['discount'] {
  const isPercentage = fields.get(`${name}_price_type`) === 'percentage';
  const price = fields.get(`${name}_price`);
  return {
    enabled: isTicked(fields, `${name}_enable`),
    value: isPercentage ? values.percentage(price) : values.amount(price),
    type: isPercentage ? 'percentage' : 'fixed',
  };
}
