import type { Instant } from '../../../lib/instant.ts';
import { ProductParts, defaultParts } from '../../../schema/product-parts.ts';
import { products } from '../../../schema/products.ts';
import type * as z from 'zod';
import { type Mapped, type StepContext, imported, insertInto, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import { slugChange, slugsOf, uniqueSlugs } from '../slugs.ts';
import { idOf, localOf } from '../values.ts';
import { description, plainText } from '../html-text.ts';
import { keyOf, metaReader } from '../wordpress-meta.ts';
import { type Meta, groupsOf, isTicked, valuesOf } from './carbon.ts';
import { idsOf } from '../ids.ts';
import type { Plan, Shop } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;

/** What the shop sells, those in its bin as deleted, then those that are gone and that others name. */
export function* productsStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const groups = idsOf(staging, `select ID as id from posts where post_type = 'sejoli-user-group'`);
  const slugOf = uniqueSlugs(slugsOf(staging, 'sejoli-product'));
  const ids = new Set<number>();
  const posts = staging.database
    .prepare(`select * from posts where post_type = 'sejoli-product' order by cast(ID as integer)`)
    .iterate() as Iterable<Record<string, string | null>>;
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
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
    const createdAt = localOf(post['post_date'] ?? null, plan.timezone) ?? now;
    ids.add(id);
    numbers.above(products, id);
    const slug = slugOf(post['post_name'] ?? '', id);
    const renaming = slugChange(post, slug);
    const row = insertInto(products, {
      ...defaultParts,
      ...parts,
      id,
      title: plainText(post['post_title'] ?? '').slice(0, 300) || `Product ${id}`,
      slug,
      ...sale,
      status: isSold ? (statuses[post['post_status'] ?? ''] ?? 'draft') : 'draft',
      type: meta.get('_product_type') === 'physical' ? 'physical' : 'digital',
      payment_type: meta.get('_payment_type') === 'recurring' ? 'recurring' : 'one-time',
      description: description(post['post_content'] ?? '').slice(0, 20_000),
      excerpt: description(post['post_excerpt'] ?? '').slice(0, 5000),
      currency: plan.currency,
      enable_sale: isTicked(meta, '_enable_sale'),
      access_code: meta.get('_coupon_access_checkout') ?? '',
      enable_quantity: isTicked(meta, '_enable_quantity'),
      meta: { import: { source: 'sejoli' } },
      deleted_at: post['post_status'] === 'trash' ? createdAt : null,
      created_at: createdAt,
      updated_at: createdAt,
    });
    const isStrange =
      !['digital', 'physical'].includes(meta.get('_product_type') ?? 'digital') ||
      !['one-time', 'recurring'].includes(meta.get('_payment_type') ?? 'one-time');
    yield withReasons(
      imported('products', id, [id], [row]),
      [
        ...values.reasons,
        ...(isStrange ? (['value-impossible'] as const) : []),
        ...(isSold ? [] : (['not-on-sale'] as const)),
        ...reasons,
        ...renaming.reasons,
      ],
      renaming.detail,
    );
  }
  yield* gone(staging, plan, { ids, slugOf }, now);
}

const statuses: Readonly<Record<string, 'publish' | 'private'>> = {
  publish: 'publish',
  private: 'private',
};

function* gone(
  staging: Shop,
  { currency }: Plan,
  { ids, slugOf }: { ids: ReadonlySet<number>; slugOf: ReturnType<typeof uniqueSlugs> },
  at: Instant,
): Generator<Mapped> {
  const mentioned = idsOf(
    staging,
    `select product_id as id from sejolisa_orders union select product_id from sejolisa_affiliates
     union select product_id from sejolisa_licenses union select product_id from sejolisa_subscriptions`,
  );
  for (const id of [...mentioned].sort((a, b) => a - b)) {
    if (ids.has(id)) continue;
    const row = insertInto(products, {
      ...defaultParts,
      id,
      title: `Deleted product ${id}`,
      slug: slugOf(`deleted-product-${id}`, id),
      status: 'draft',
      currency,
      enable_sale: false,
      deleted_at: at,
      created_at: at,
      updated_at: at,
    });
    const placeholder = imported('products', id, [id], [row]);
    yield { ...placeholder, outcome: 'placeholder', reasons: ['deleted-in-source'] };
  }
}

type Parts = ProductParts;

/** The parts of a product, each as the store takes them; one that it doesn't is left out, and said. */
function partsOf(
  meta: Meta,
  plan: Plan,
  groups: ReadonlySet<number>,
  values: SaleValues,
): { parts: Partial<Parts>; isWhole: boolean; reasons: Reason[] } {
  const buyers = valuesOf(meta, '_user_group_buy_list').map(Number);
  const buy_list = isTicked(meta, '_user_group_buy_permission')
    ? buyers.filter((id) => groups.has(id))
    : [];
  // Not for everybody, where all of them are gone.
  if (isTicked(meta, '_user_group_buy_permission') && buyers.length > 0 && buy_list.length === 0)
    values.unreadable();
  const rate = isTicked(meta, '_enable_ppn') ? values.percentage(plan.taxRate) : 0;
  const wanted: Parts = {
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
  const shapes: Readonly<Record<string, z.ZodType>> = ProductParts.shape;
  const good = Object.entries(wanted).filter(
    ([name, part]) => shapes[name]?.safeParse(part).success,
  );
  const isWhole = good.length === Object.keys(wanted).length;
  return {
    parts: Object.fromEntries(good),
    isWhole,
    reasons: [
      ...(isWhole ? [] : (['impossible-settings'] as const)),
      // What it costs to ship came from a service that isn't asked here.
      ...(wanted.shipping.active ? (['no-counterpart'] as const) : []),
    ],
  };
}

const existing = (id: number | null, ids: ReadonlySet<number>) =>
  id !== null && ids.has(id) ? id : null;

function variantsOf(meta: Meta, values: SaleValues): Parts['variants'] {
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

/** How long a term is, in the seller's own words. */
export const termOf = (meta: Meta, isTryout: boolean, values = new SaleValues(0)) => {
  const part = isTryout ? '_subscription_tryout' : '_subscription';
  return {
    duration: Math.max(1, values.whole(meta.get(`${part}_duration`))),
    period: periods[meta.get(`${part}_period`) ?? ''] ?? 'monthly',
  };
};

export const signupFeeOf = (meta: Meta, plan: Plan): number =>
  isTicked(meta, '_subscription_has_signup_fee')
    ? new SaleValues(plan.exponent).amount(meta.get('_subscription_signup_fee'))
    : 0;

const subscriptionOf = (meta: Meta, values: SaleValues): Parts['subscription'] => ({
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
});

/** Commission tiers of a list of Carbon Fields: a percentage, or an amount an item. */
export const tiersOf = (groups: readonly { readonly fields: Meta }[], values: SaleValues) =>
  groups.map(({ fields }, i) => {
    const isPercentage = fields.get('type') === 'percentage';
    const said = fields.get('number');
    const fee = isPercentage ? values.percentage(said) : values.amount(said);
    return { tier: i + 1, fee, type: isPercentage ? ('percentage' as const) : ('fixed' as const) };
  });

const affiliateOf = (meta: Meta, values: SaleValues): Parts['affiliate'] => ({
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
