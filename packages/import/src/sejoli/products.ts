import { type ProductParts, defaultParts, products } from '../../../../src/exports/store.ts';
import { type ImportedRow, type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type Post, acceptedParts, goneProduct, postColumns } from '../records/product.ts';
import { SaleValues } from '../sale-values.ts';
import { slugChange, slugsOf, uniqueSlugs } from '../slugs.ts';
import { postRows, postsOf } from '../step.ts';
import { entryOf, idOf, localOf } from '../values.ts';
import { keyOf, metaReader } from '../wordpress-meta.ts';
import { type Meta, groupsOf, isTicked, valuesOf } from './carbon.ts';
import { idsOf } from '../ids.ts';
import type { Context, Plan, SejoliStep } from './plan.ts';

/** Imports products, trashed ones as deleted, then missing ones that other rows name. */
export const productsStep: SejoliStep = {
  entity: 'products',
  ids: [{ entity: 'products', ...postsOf('sejoli-product') }],
  *map(context) {
    const { staging } = context;
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    const groups = idsOf(
      staging,
      `select ID as id from posts where post_type = 'sejoli-user-group'`,
    );
    const slugOf = uniqueSlugs(slugsOf(staging, 'sejoli-product'));
    const ids = new Set<number>();
    for (const post of postRows(staging, 'sejoli-product')) {
      const id = Number(post['ID']);
      const slug = slugOf(post['post_name'] ?? '', id);
      ids.add(id);
      yield mapped(
        'products',
        id,
        productOf(post, { id, slug, meta: metaOf(id), groups }, context),
      );
    }
    yield* gone(context, ids, slugOf);
  },
};

const goneQuery = `
  select product_id as id from sejolisa_orders union select product_id from sejolisa_affiliates
   union select product_id from sejolisa_licenses union select product_id from sejolisa_subscriptions`;

function* gone(
  { staging, plan, now }: Context,
  ids: ReadonlySet<number>,
  slugOf: ReturnType<typeof uniqueSlugs>,
): Generator<MappedRow> {
  for (const id of [...idsOf(staging, goneQuery)].sort((a, b) => a - b)) {
    if (ids.has(id)) continue;
    const slug = slugOf(`deleted-product-${id}`, id);
    yield mapped('products', id, goneProduct(id, { ...plan, title: '', slug, at: now }));
  }
}

function productOf(
  post: Post,
  { id, slug, meta, groups }: { id: number; slug: string; meta: Meta; groups: ReadonlySet<number> },
  { plan, now }: Context,
): ImportedRow {
  const values = new SaleValues(plan.exponent);
  const { parts, isWhole, reasons } = partsOf(meta, plan, groups, values);
  const sale = {
    price: values.amount(meta.get('_price')),
    disable_sale_time: values.moment(meta.get('_disable_sale_time'), (text) =>
      localOf(text, plan.timezone),
    ),
    limit_buy_time: values.limit(meta.get('_limit_buy_time')),
  };
  const isSold = isWhole && values.isReadable;
  const row = insertInto(products, {
    ...defaultParts,
    ...parts,
    ...postColumns(post, id, localOf(post['post_date'] ?? null, plan.timezone) ?? now, isSold),
    ...sale,
    slug,
    type: meta.get('_product_type') === 'physical' ? 'physical' : 'digital',
    payment_type: meta.get('_payment_type') === 'recurring' ? 'recurring' : 'one-time',
    currency: plan.currency,
    enable_sale: isTicked(meta, '_enable_sale'),
    access_code: meta.get('_coupon_access_checkout') ?? '',
    enable_quantity: isTicked(meta, '_enable_quantity'),
    meta: { import: { source: 'sejoli' } },
  });
  const isStrange =
    !['digital', 'physical'].includes(meta.get('_product_type') ?? 'digital') ||
    !['one-time', 'recurring'].includes(meta.get('_payment_type') ?? 'one-time');
  const renaming = slugChange(post, slug);
  return {
    rows: [row],
    reasons: [
      ...values.reasons,
      ...because({
        ...{ 'value-impossible': isStrange, 'not-on-sale': !isSold },
        'tools-missing': groupsOf(meta, '_sejoli_affiliate_tool').length > 0,
      }),
      ...reasons,
      ...renaming.reasons,
    ],
    detail: renaming.detail,
  };
}

/** Reads the parts of a product. A part that the store refuses is left out and reported. */
function partsOf(
  meta: Meta,
  plan: Plan,
  groups: ReadonlySet<number>,
  values: SaleValues,
): { parts: Partial<ProductParts>; isWhole: boolean; reasons: Reason[] } {
  const buyers = valuesOf(meta, '_user_group_buy_list').map(Number);
  const buy_list = isTicked(meta, '_user_group_buy_permission')
    ? buyers.filter((id) => groups.has(id))
    : [];
  // Without its groups, the product would be for everybody.
  if (isTicked(meta, '_user_group_buy_permission') && buyers.length > 0 && buy_list.length === 0)
    values.unreadable();
  const rate = isTicked(meta, '_enable_ppn') ? values.percentage(plan.taxRate) : 0;
  const wanted: ProductParts = {
    ...defaultParts,
    tax: {
      enabled: isTicked(meta, '_enable_ppn') && rate > 0,
      rate,
      inclusive: false,
    },
    shipping: {
      active: isTicked(meta, '_shipment_active'),
      weight_g: values.whole(meta.get('_shipment_weight')),
      free: false,
      options: [],
    },
    cod: {
      active: isTicked(meta, '_shipment_cod_active'),
      fee: values.amount(meta.get('_shipment_cod_fee')),
    },
    variants: variantsOf(meta, values),
    subscription: subscriptionOf(meta, values),
    license: {
      active: isTicked(meta, '_license_active'),
      count: values.whole(meta.get('_license_count')),
      expires_days: 0,
      max_resets: defaultParts.license.max_resets,
    },
    affiliate: affiliateOf(meta, values),
    group: {
      buy_list,
      update_group_to: isTicked(meta, '_user_group_update_check')
        ? existing(idOf(meta.get('_user_group_update')), groups)
        : null,
    },
  };
  const { parts, isWhole } = acceptedParts(wanted);
  return {
    parts,
    isWhole,
    // Sejoli asked another service for the shipping cost. The store doesn't.
    reasons: because({
      'impossible-settings': !isWhole,
      'shipping-missing': wanted.shipping.active,
    }),
  };
}

const existing = (id: number | null, ids: ReadonlySet<number>) =>
  id !== null && ids.has(id) ? id : null;

function variantsOf(meta: Meta, values: SaleValues): ProductParts['variants'] {
  const groups = groupsOf(meta, '_product_variants').map(({ fields, lists }, g) => {
    const name = fields.get('name') ?? '';
    const group = `${keyOf(name, 'variant').slice(0, 50)}-${g + 1}`;
    return {
      id: group,
      key: group,
      label: name.slice(0, 500),
      required: fields.get('required') === 'yes',
      options: (lists.get('variant') ?? []).map((option, i) => ({
        id: `${group}-${i + 1}`,
        key: `${group}-${i + 1}`,
        label: (option.get('name') ?? '').slice(0, 500),
        extra_price: values.surcharge(option.get('extra_price')),
        extra_weight: Math.trunc(values.number(option.get('extra_weight'))),
        sku: '',
        stock: null,
        active: true,
      })),
    };
  });
  return groups.filter(({ options }) => options.length > 0);
}

const periods: Readonly<Record<string, 'daily' | 'monthly' | 'yearly'>> = {
  daily: 'daily',
  monthly: 'monthly',
  yearly: 'yearly',
};

export const termOf = (meta: Meta, isTryout: boolean, values = new SaleValues(0)) => {
  const part = isTryout ? '_subscription_tryout' : '_subscription';
  return {
    duration: Math.max(1, values.whole(meta.get(`${part}_duration`))),
    period: entryOf(periods, meta.get(`${part}_period`)) ?? 'monthly',
  };
};

export const signupFeeOf = (meta: Meta, plan: Plan): number =>
  isTicked(meta, '_subscription_has_signup_fee')
    ? new SaleValues(plan.exponent).amount(meta.get('_subscription_signup_fee'))
    : 0;

const subscriptionOf = (meta: Meta, values: SaleValues): ProductParts['subscription'] => ({
  active: meta.get('_payment_type') === 'recurring',
  regular: { ...termOf(meta, false, values), price: 0 },
  tryout: {
    active: isTicked(meta, '_subscription_has_tryout'),
    ...termOf(meta, true, values),
    first_only: isTicked(meta, '_subscription_tryout_first_time_only'),
  },
  signup: {
    active: isTicked(meta, '_subscription_has_signup_fee'),
    fee: values.amount(meta.get('_subscription_signup_fee')),
  },
  max_renewal: values.limit(meta.get('_subscription_max_renewal_days')),
  ...{ payments: null, after: 'keep', grace_days: 0 },
});

/** Reads commission tiers: a percentage, or an amount per item. */
export const tiersOf = (groups: readonly { readonly fields: Meta }[], values: SaleValues) =>
  groups.map(({ fields }, i) => {
    const isPercentage = fields.get('type') === 'percentage';
    const said = fields.get('number');
    const fee = isPercentage ? values.percentage(said) : values.amount(said);
    return { tier: i + 1, fee, type: isPercentage ? ('percentage' as const) : ('fixed' as const) };
  });

const affiliateOf = (meta: Meta, values: SaleValues): ProductParts['affiliate'] => ({
  enabled: isTicked(meta, '_sejoli_enable_affiliate'),
  require_purchase: isTicked(meta, '_sejoli_enable_affiliate_if_already_bought'),
  tiers: tiersOf(groupsOf(meta, '_sejoli_commission'), values),
  hold_days: 0,
  landing_page: webLinkOr(meta.get('_sejoli_landing_page')),
  links: groupsOf(meta, '_sejoli_affiliate_links')
    .map(({ fields }, i) => ({
      key: `link-${i + 1}`,
      title: (fields.get('title') ?? '').slice(0, 500),
      description: (fields.get('description') ?? '').slice(0, 500),
      link: webLinkOr(fields.get('link')),
    }))
    .filter(({ link }) => link !== ''),
  tools: [],
});

const webLinkOr = (link: string | undefined): string =>
  /^https?:\/\//.test(link ?? '') ? (link ?? '') : '';
