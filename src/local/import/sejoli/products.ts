import type { Instant } from '../../../lib/instant.ts';
import { ProductParts, defaultParts } from '../../../schema/product-parts.ts';
import { products } from '../../../schema/products.ts';
import type * as z from 'zod';
import { type Mapped, type StepContext, imported, insertInto, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { uniqueSlugs } from '../slugs.ts';
import { amountOf, idOf, localOf, wholeOf } from '../values.ts';
import { keyOf, metaReader, plainText } from '../wordpress-meta.ts';
import { type Meta, groupsOf, isTicked, valuesOf } from './carbon.ts';
import { idsOf } from '../ids.ts';
import type { Plan, Shop } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;

/** What the shop sells, those in its bin as deleted, then those that are gone and that others name. */
export function* productsStep({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const groups = idsOf(staging, `select ID as id from posts where post_type = 'sejoli-user-group'`);
  const slugOf = uniqueSlugs();
  const ids = new Set<number>();
  const posts = staging.database
    .prepare(`select * from posts where post_type = 'sejoli-product' order by cast(ID as integer)`)
    .iterate() as Iterable<Record<string, string | null>>;
  for (const post of posts) {
    const id = Number(post['ID']);
    const meta = metaOf(id);
    const { parts, reasons } = partsOf(meta, plan, groups);
    const price = amountOf(meta.get('_price') ?? null, plan.exponent);
    const createdAt = localOf(post['post_date'] ?? null, plan.timezone) ?? now;
    ids.add(id);
    numbers.above(products, id);
    const row = insertInto(products, {
      ...defaultParts,
      ...parts,
      id,
      title: plainText(post['post_title'] ?? '').slice(0, 300) || `Product ${id}`,
      slug: slugOf(post['post_name'] ?? '', id),
      status: statuses[post['post_status'] ?? ''] ?? 'draft',
      type: meta.get('_product_type') === 'physical' ? 'physical' : 'digital',
      payment_type: meta.get('_payment_type') === 'recurring' ? 'recurring' : 'one-time',
      description: (post['post_content'] ?? '').slice(0, 20_000),
      excerpt: (post['post_excerpt'] ?? '').slice(0, 5000),
      price: Math.max(0, price?.units ?? 0),
      currency: plan.currency,
      enable_sale: isTicked(meta, '_enable_sale'),
      disable_sale_time: localOf(meta.get('_disable_sale_time') || null, plan.timezone),
      access_code: meta.get('_coupon_access_checkout') ?? '',
      limit_buy_time: Math.max(0, wholeOf(meta.get('_limit_buy_time') ?? null) ?? 0),
      enable_quantity: isTicked(meta, '_enable_quantity'),
      meta: { import: { source: 'sejoli' } },
      deleted_at: post['post_status'] === 'trash' ? createdAt : null,
      created_at: createdAt,
      updated_at: createdAt,
    });
    const isStrange =
      !price ||
      price.units < 0 ||
      !['digital', 'physical'].includes(meta.get('_product_type') ?? 'digital') ||
      !['one-time', 'recurring'].includes(meta.get('_payment_type') ?? 'one-time');
    const priced: Reason[] = [
      ...(isStrange ? (['value-impossible'] as const) : []),
      ...(price?.rounded ? (['amount-rounded'] as const) : []),
    ];
    yield withReasons(imported('products', id, [id], [row]), [...priced, ...reasons]);
  }
  yield* gone(staging, plan, ids, now);
}

const statuses: Readonly<Record<string, 'publish' | 'private'>> = {
  publish: 'publish',
  private: 'private',
};

function* gone(
  staging: Shop,
  { currency }: Plan,
  ids: ReadonlySet<number>,
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
      slug: `deleted-product-${id}`,
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
): { parts: Partial<Parts>; reasons: Reason[] } {
  const wanted: Parts = {
    ...defaultParts,
    tax: {
      enabled: isTicked(meta, '_enable_ppn') && plan.taxRate > 0,
      rate: plan.taxRate,
      inclusive: false,
    },
    shipping: {
      active: isTicked(meta, '_shipment_active'),
      weight_g: wholeOf(meta.get('_shipment_weight') ?? null) ?? 0,
      free: false,
      options: [],
    },
    cod: {
      active: isTicked(meta, '_shipment_cod_active'),
      fee: money(meta, '_shipment_cod_fee', plan),
    },
    variants: variantsOf(meta, plan),
    subscription: subscriptionOf(meta, plan),
    license: {
      active: isTicked(meta, '_license_active'),
      count: wholeOf(meta.get('_license_count') ?? null) ?? 0,
      expires_days: 0,
      max_resets: defaultParts.license.max_resets,
    },
    affiliate: affiliateOf(meta, plan),
    group: {
      buy_list: isTicked(meta, '_user_group_buy_permission')
        ? valuesOf(meta, '_user_group_buy_list')
            .map(Number)
            .filter((id) => groups.has(id))
        : [],
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
    reasons: [
      ...(isWhole ? [] : (['impossible-settings'] as const)),
      // What it costs to ship came from a service that isn't asked here.
      ...(wanted.shipping.active ? (['no-counterpart'] as const) : []),
    ],
  };
}

const existing = (id: number | null, ids: ReadonlySet<number>) =>
  id !== null && ids.has(id) ? id : null;

const money = (meta: Meta, name: string, { exponent }: Plan): number =>
  Math.max(0, amountOf(meta.get(name) ?? null, exponent)?.units ?? 0);

function variantsOf(meta: Meta, plan: Plan): Parts['variants'] {
  return groupsOf(meta, '_product_variants').map(({ fields, lists }, g) => {
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
        extra_price: amountOf(option.get('extra_price') ?? null, plan.exponent)?.units ?? 0,
        extra_weight: wholeOf(option.get('extra_weight') ?? null) ?? 0,
        sku: '',
        stock: null,
        active: true,
      })),
    };
  });
}

const periods: Readonly<Record<string, 'daily' | 'monthly' | 'yearly'>> = {
  daily: 'daily',
  monthly: 'monthly',
  yearly: 'yearly',
};

/** How long a term is, in the seller's own words. */
export const termOf = (meta: Meta, isTryout: boolean) => {
  const part = isTryout ? '_subscription_tryout' : '_subscription';
  return {
    duration: Math.max(1, wholeOf(meta.get(`${part}_duration`) ?? null) ?? 1),
    period: periods[meta.get(`${part}_period`) ?? ''] ?? 'monthly',
  };
};

export const signupFeeOf = (meta: Meta, plan: Plan): number =>
  isTicked(meta, '_subscription_has_signup_fee')
    ? money(meta, '_subscription_signup_fee', plan)
    : 0;

const subscriptionOf = (meta: Meta, plan: Plan): Parts['subscription'] => ({
  active: meta.get('_payment_type') === 'recurring',
  regular: { ...termOf(meta, false), price: 0 },
  tryout: {
    active: isTicked(meta, '_subscription_has_tryout'),
    ...termOf(meta, true),
    first_only: isTicked(meta, '_subscription_tryout_first_time_only'),
  },
  signup: {
    active: isTicked(meta, '_subscription_has_signup_fee'),
    fee: money(meta, '_subscription_signup_fee', plan),
  },
  max_renewal: Math.max(0, wholeOf(meta.get('_subscription_max_renewal_days') ?? null) ?? 0),
});

/** Commission tiers of a list of Carbon Fields: a percentage, or an amount an item. */
export const tiersOf = (groups: readonly { readonly fields: Meta }[], { exponent }: Plan) =>
  groups.map(({ fields }, i) => {
    const isPercentage = fields.get('type') === 'percentage';
    const fee = isPercentage
      ? Math.round(Number(fields.get('number') || 0) * 10_000) / 10_000
      : (amountOf(fields.get('number') ?? null, exponent)?.units ?? 0);
    return { tier: i + 1, fee, type: isPercentage ? ('percentage' as const) : ('fixed' as const) };
  });

const affiliateOf = (meta: Meta, plan: Plan): Parts['affiliate'] => ({
  enabled: isTicked(meta, '_sejoli_enable_affiliate'),
  require_purchase: isTicked(meta, '_sejoli_enable_affiliate_if_already_bought'),
  tiers: tiersOf(groupsOf(meta, '_sejoli_commission'), plan),
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
