import type { AgreedShipping } from '../../schema/orders.ts';
import { type ProductParts, defaultParts } from '../../schema/product-parts.ts';
import type { products } from '../../schema/products.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { References } from '../../schema/references.ts';
import { withoutUndefined, isSame, isSameRecord } from '../../lib/objects.ts';
import { taxWithin } from '../../lib/money.ts';
import { hyphenated, trimmed } from '../../lib/text.ts';
import { percentage } from '../../lib/schemas.ts';
import type {
  Product,
  ProductCreate,
  ProductUpdate,
  ShippingQuery,
  ShippingQuote,
} from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** Units left by variant option; '' is the product itself. Uncounted options are absent. */
export type Stock = Record<string, number>;

/** Null if the units aren't counted. */
export const unitsLeft = (stock: Stock, option_id: string): number | null =>
  Object.hasOwn(stock, option_id) ? (stock[option_id] ?? null) : null;

export interface ProductRow {
  product: typeof products.$inferSelect;
  stock: Stock;
}

type Priced = Pick<ProductRow['product'], 'price' | 'subscription'>;

/** The price of a regular term; by default the product's. */
export const priceOf = ({ price, subscription }: Priced) => subscription.regular.price || price;

/** The price of one item as it is sold: of a term, if the product is a subscription. */
export const sellingPrice = (product: Priced) =>
  product.subscription.active ? priceOf(product) : product.price;

export function toProduct({ product, stock }: ProductRow): Product {
  return {
    ...product,
    stock: unitsLeft(stock, ''),
    variants: variantsWithStock(product.variants, stock),
    meta: product.meta as Product['meta'],
  };
}

/** Adds each option's units, which are stored separately. */
export const variantsWithStock = (variants: ProductParts['variants'], stock: Stock) =>
  variants.map((group) => ({
    ...group,
    options: group.options.map((option) => ({ ...option, stock: unitsLeft(stock, option.id) })),
  }));

const slugOf = (title: string) => hyphenated(title).slice(0, 100);

/** Applies a partial update to the structured parts. */
function mergedParts(before: ProductParts, input: ProductUpdate): ProductParts {
  return {
    tax: { ...before.tax, ...input.tax },
    shipping: { ...before.shipping, ...input.shipping },
    cod: { ...before.cod, ...input.cod },
    variants: (input.variants ?? before.variants).map(withoutStock),
    subscription: { ...before.subscription, ...input.subscription },
    license: { ...before.license, ...input.license },
    affiliate: { ...before.affiliate, ...input.affiliate },
    group: { ...before.group, ...input.group },
  } as ProductParts;
}

type VariantInput = NonNullable<ProductUpdate['variants']>[number];

const withoutStock = (group: VariantInput) => ({
  ...group,
  options: group.options.map((option) => {
    const { stock_was: _, ...kept } = option;
    return { ...kept, stock: null };
  }),
});

/** An option without `stock` keeps its units. */
const optionStock = (variants: readonly VariantInput[], kept: Stock): Stock =>
  Object.fromEntries(
    variants.flatMap(({ options }) =>
      options.flatMap(({ id, stock = unitsLeft(kept, id) }) =>
        stock === null ? [] : [[id, stock]],
      ),
    ),
  );

export function newProduct(
  input: ProductCreate,
  id: number,
  currency: string | null,
  now: Date,
): ProductRow {
  const { stock, variants = [], slug, ...fields } = input;
  return {
    stock: { ...optionStock(variants, {}), ...(typeof stock === 'number' && { '': stock }) },
    product: {
      id,
      slug: slug ?? `${slugOf(input.title)}-${id}`.replace(/^-/, ''),
      status: 'publish',
      type: 'digital',
      payment_type: 'one-time',
      description: '',
      excerpt: '',
      image_url: '',
      regular_price: null,
      enable_sale: true,
      disable_sale_time: null,
      access_code: '',
      limit_buy_time: 0,
      enable_quantity: true,
      max_quantity: null,
      meta: {},
      ...withoutUndefined(fields),
      ...mergedParts(defaultParts, input),
      currency,
      deleted_at: null,
      ...firstVersion(now.toISOString()),
    },
  };
}

export function updatedProduct(before: ProductRow, input: ProductUpdate, now: Date): ProductRow {
  const { stock: units, stock_was: _, stock_delta = 0, variants, ...fields } = input;
  const stock: Stock = variants
    ? optionStock(variants, before.stock)
    : Object.fromEntries(Object.entries(before.stock).filter(([option]) => option !== ''));
  const left = units === undefined ? before.stock[''] : units;
  if (typeof left === 'number') stock[''] = left + stock_delta;
  return {
    stock,
    product: {
      ...before.product,
      ...withoutUndefined(fields),
      ...mergedParts(before.product, input),
      ...nextVersion(before.product, now),
    },
  };
}

/** Compares the product and its stock. */
export const isSameProduct = (before: ProductRow, after: ProductRow): boolean =>
  isSameRecord(before.product, after.product) && isSame(before.stock, after.stock);

/** Refuses new units without the units that they replace: sales change the units, but not the version. */
export function stockRefusal(
  before: ProductRow,
  input: ProductUpdate,
): Refusal<'rest_invalid_param' | 'rest_conflict' | 'out_of_stock'> | undefined {
  return deltaRefusal(before, input) ?? setRefusal(input, before) ?? optionsRefusal(before, input);
}

type SetUnits = Pick<ProductUpdate, 'stock' | 'stock_was'>;

function setRefusal({ stock, stock_was }: SetUnits, before: ProductRow) {
  const left = unitsLeft(before.stock, '');
  if (stock !== undefined && stock_was === undefined) {
    return invalid('stock', 'needs stock_was, the units it replaces; or send stock_delta');
  }
  return replacementRefusal('stock_was', { stock, stock_was }, left);
}

function optionsRefusal({ product, stock }: ProductRow, { variants = [] }: ProductUpdate) {
  const known = new Set(product.variants.flatMap(({ options }) => options.map(({ id }) => id)));
  return variants
    .flatMap(({ options }, group) => options.map((option, at) => ({ option, group, at })))
    .map(({ option, group, at }) => {
      const path = `variants.${group}.options.${at}`;
      const left = unitsLeft(stock, option.id);
      const isSet = option.stock !== undefined && option.stock !== left && known.has(option.id);
      return isSet && option.stock_was === undefined
        ? invalid(`${path}.stock`, 'needs stock_was, the units it replaces; or leave stock out')
        : replacementRefusal(`${path}.stock_was`, option, left);
    })
    .find((refusal) => refusal !== undefined);
}

function replacementRefusal(param: string, { stock, stock_was }: SetUnits, left: number | null) {
  if (stock_was === undefined) return undefined;
  if (stock === undefined) return invalid(param, 'goes with stock');
  return stock_was === left
    ? undefined
    : refuse('rest_conflict', {
        message: 'The stock is no longer what stock_was says. Read the product and try again.',
        params: { [param]: left === null ? 'is not counted' : `is ${left} by now` },
      });
}

const invalid = (param: string, reason: string) =>
  refuse('rest_invalid_param', { params: { [param]: reason } });

function deltaRefusal(before: ProductRow, input: ProductUpdate) {
  const units = before.stock[''];
  if (input.stock_delta === undefined) return undefined;
  if (input.stock !== undefined || units === undefined) {
    return invalid('stock_delta', 'needs a product whose stock is counted, and no stock beside it');
  }
  return units + input.stock_delta < 0 ? refuse('out_of_stock') : undefined;
}

/** Refuses a product that is paid by subscription and has none: it would be sold once, for good. Stored ones can change. */
export const termRefusal = (after: ProductRow, before?: ProductRow) =>
  isWithoutTerm(after) && !(before && isWithoutTerm(before))
    ? invalid('subscription.active', 'must be true for a product with payment_type recurring')
    : undefined;

const isWithoutTerm = ({ product: { payment_type, subscription } }: ProductRow) =>
  payment_type === 'recurring' && !subscription.active;

type Tier = ProductParts['affiliate']['tiers'][number];
type ShippingOption = ProductParts['shipping']['options'][number];

/** Refuses commission tiers that could together exceed the amount they are paid from. Stored ones can stay. */
export function tierRefusal(
  { product }: ProductRow,
  before?: ProductRow,
): Refusal<'rest_invalid_param'> | undefined {
  const reason = refusedTiers(product);
  return reason === undefined || (before && refusedTiers(before.product) !== undefined)
    ? undefined
    : refuse('rest_invalid_param', { params: { 'affiliate.tiers': reason } });
}

function refusedTiers(product: ProductRow['product']): string | undefined {
  const { tiers } = product.affiliate;
  return new Set(tiers.map(({ tier }) => tier)).size < tiers.length
    ? 'each tier may stand once'
    : (tiers.map(refusedFee).find(Boolean) ??
        (exceedBase(tiers, product) ? 'all tiers together may not exceed the price' : undefined));
}

function refusedFee({ fee, type }: Tier): string | undefined {
  if (type === 'percentage') {
    return percentage.safeParse(fee).success
      ? undefined
      : 'a percentage is 100 at most, with at most 4 decimals';
  }
  return Number.isInteger(fee)
    ? undefined
    : 'a fixed fee is a whole number of the smallest currency unit';
}

/**
 * Tells if the fees for one item exceed its price without the tax contained in it. A subscription earns from the price
 * of a term: a trial earns nothing, and nobody earns from the sign-up fee.
 */
function exceedBase(tiers: readonly Tier[], product: ProductRow['product']): boolean {
  const { tax } = product;
  const price = sellingPrice(product);
  const base = BigInt(price - (tax.enabled && tax.inclusive ? taxWithin(price, tax.rate) : 0));
  const scale = 1_000_000n;
  const fees = tiers.map(({ fee, type }) =>
    type === 'percentage' ? base * BigInt(Math.round(fee * 10_000)) : BigInt(fee) * scale,
  );
  return fees.reduce((sum, fee) => sum + fee, 0n) > base * scale;
}

/** Returns the reason why a product can't be bought now. The access code opens a closed checkout. */
export function isClosed(
  { status, enable_sale, disable_sale_time, access_code }: ProductRow['product'],
  code: string | undefined,
  now: Date,
): boolean {
  const opening = trimmed(access_code.normalize());
  if (opening !== '' && code === opening) return false;
  const over = disable_sale_time !== null && disable_sale_time <= now.toISOString();
  return status !== 'publish' || !enable_sale || over;
}

export const productReferences = ({ group }: Pick<ProductUpdate, 'group'>): References => ({
  'group.buy_list': { of: 'user_groups', ids: group?.buy_list },
  'group.update_group_to': {
    of: 'user_groups',
    ids: group?.update_group_to ? [group.update_group_to] : [],
  },
});

/** Some products are sold only to certain groups. */
export const isSoldTo = (
  { group }: ProductRow['product'],
  { group_id }: { group_id: number | null },
): boolean => group.buy_list.length === 0 || group.buy_list.includes(group_id ?? 0);

export const notForGroup = () =>
  refuse('product_closed', { message: 'This product is sold to certain user groups only.' });

/** All ways if no country is named. */
export const shippingOptions = (
  { shipping, type }: Pick<ProductRow['product'], 'shipping' | 'type'>,
  country: string | undefined,
) =>
  type !== 'physical' || !shipping.active
    ? []
    : shipping.options.filter(
        ({ countries }) => countries.length === 0 || !country || countries.includes(country),
      );

/** Each started kilogram counts. */
export function shippingCost(
  { cost, per_kg, free_above, free }: Omit<AgreedShipping, 'weight_g'>,
  goods: number,
  grams: number,
): Pick<ShippingQuote, 'cost' | 'free_reason'> {
  if (free) return { cost: 0, free_reason: 'product' };
  if (free_above !== null && goods >= free_above) return { cost: 0, free_reason: 'free-above' };
  return { cost: cost + per_kg * Math.ceil(Math.max(0, grams) / 1000), free_reason: null };
}

export const shippingLabel = ({ label, courier, service }: ShippingOption) =>
  label || `${courier} ${service}`.trim();

export const chosenOptions = (
  { variants }: Pick<ProductRow['product'], 'variants'>,
  optionIds: readonly string[],
) => variants.flatMap(({ options }) => options).filter(({ id }) => optionIds.includes(id));

/** The ways to ship a cart, by flat rates and weights. Leaves out costs that JSON can't represent exactly. */
export function shippingQuotes(
  product: ProductRow['product'],
  query: ShippingQuery,
): ShippingQuote[] {
  const { shipping, currency } = product;
  const quantity = query.quantity ?? 1;
  const chosen = chosenOptions(product, query.variants?.split(',').map(trimmed) ?? []);
  const sum = (own: number, extras: readonly number[]) => extras.reduce((a, b) => a + b, own);
  const extraPrices = chosen.map(({ extra_price }) => extra_price);
  const extraWeights = chosen.map(({ extra_weight }) => extra_weight);
  const goods = query.subtotal ?? sum(sellingPrice(product), extraPrices) * quantity;
  const grams = sum(shipping.weight_g, extraWeights) * quantity;
  return shippingOptions(product, query.country)
    .map((option): ShippingQuote => ({
      id: option.id,
      courier: option.courier,
      service: option.service,
      label: shippingLabel(option),
      ...shippingCost({ ...option, free: shipping.free }, goods, grams),
      currency,
      etd_days_min: option.etd_days_min,
      etd_days_max: option.etd_days_max,
      cod: option.cod,
    }))
    .filter(({ cost }) => Number.isSafeInteger(cost));
}
