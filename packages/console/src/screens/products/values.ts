import type {
  Product,
  ProductCreate,
  ProductUpdate,
  ShippingOption,
  VariantGroup,
} from '../../api/generated.ts';
import type { Draft } from '../../context/draft.ts';

/** A product's values in a form. The access code is never shown, and empty. */
export type ProductValues = Omit<
  Product,
  'id' | 'currency' | 'created_at' | 'updated_at' | 'version'
> & { readonly access_code: string };

export interface FormPart {
  readonly draft: Draft<ProductValues>;
}

export function valuesOf(product: Product): ProductValues {
  const {
    id: _id,
    currency: _c,
    created_at: _at,
    updated_at: _u,
    version: _v,
    ...values
  } = product;
  return { ...values, access_code: '' };
}

/** The values of a new product, with the service's defaults. */
export const blank: ProductValues = {
  ...{ title: '', slug: '', status: 'publish', type: 'digital', payment_type: 'one-time' },
  ...{ description: '', excerpt: '', image_url: '', regular_price: null, access_code: '' },
  // Empty at first: the form requires it.
  price: null as unknown as number,
  ...{ enable_sale: true, disable_sale_time: null, limit_buy_time: 0, enable_quantity: false },
  ...{ max_quantity: null, stock: null, meta: {} },
  tax: { enabled: false, rate: 0, inclusive: false },
  shipping: { active: false, weight_g: 0, free: false, options: [] },
  cod: { active: false, fee: 0 },
  variants: [],
  subscription: {
    active: false,
    regular: { duration: 1, period: 'monthly', price: 0 },
    tryout: { active: false, duration: 7, period: 'daily', first_only: true },
    signup: { active: false, fee: 0 },
    max_renewal: 0,
    ...{ payments: null, after: 'keep', grace_days: 0 },
  },
  license: { active: false, count: 0, expires_days: 0, max_resets: 3 },
  affiliate: {
    ...{ enabled: false, require_purchase: false, tiers: [], hold_days: 0, landing_page: '' },
    ...{ links: [], tools: [] },
  },
  group: { buy_list: [], update_group_to: null },
};

/** The values of a copied product, without its title and stock. */
export const copyOf = (product: Product): ProductValues => ({
  ...valuesOf(product),
  ...{ title: '', slug: '', status: 'draft', stock: null },
  variants: product.variants.map((group) => ({
    ...group,
    options: group.options.map((option) => ({ ...option, stock: null })),
  })),
});

export function createOf({ slug, access_code, ...values }: ProductValues): ProductCreate {
  return { ...values, ...(slug && { slug }), ...(access_code && { access_code }) };
}

/**
 * Returns the body that changes a product. A new stock is sent with the stock that the form showed
 * (`stock_was`).
 */
export function updateOf(changes: Partial<ProductValues>, before: Product): ProductUpdate {
  const { slug: _slug, type: _type, payment_type: _p, stock, variants, ...rest } = changes;
  return {
    ...rest,
    ...(stock !== undefined && { stock, stock_was: before.stock }),
    ...(variants && { variants: variantsOver(variants, before.variants) }),
  };
}

/** The variants; each changed stock is sent with the stock that the form showed (`stock_was`). */
function variantsOver(variants: readonly VariantGroup[], before: readonly VariantGroup[]) {
  const shown = new Map(
    before.flatMap(({ options }) => options.map(({ id, stock }) => [id, stock] as const)),
  );
  return variants.map((group) => ({
    ...group,
    options: group.options.map(({ stock, ...option }) => {
      const was = shown.get(option.id);
      if (was === undefined) return { ...option, stock };
      return was === stock ? option : { ...option, stock, stock_was: was };
    }),
  }));
}

/** An id that is unique in a list. */
export function newId(prefix: string, taken: readonly string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}

export const newShippingOption = (options: readonly ShippingOption[]): ShippingOption => ({
  id: newId(
    'shipping',
    options.map(({ id }) => id),
  ),
  ...{ courier: '', service: '', label: '', cost: 0, per_kg: 0, free_above: null, countries: [] },
  ...{ etd_days_min: 0, etd_days_max: 0, cod: false },
});

/** The changes that come with a type. Only goods with a shipping option have the checkout ask for an address. */
export const ofType = (type: ProductValues['type']): Partial<ProductValues> =>
  type === 'physical'
    ? { type, shipping: { ...blank.shipping, active: true, options: [newShippingOption([])] } }
    : { type, shipping: blank.shipping, cod: blank.cod };

/** The changes that come with a way of paying. Without a term, a product is sold once and for good. */
export const ofPayment = (payment_type: ProductValues['payment_type']): Partial<ProductValues> => ({
  payment_type,
  subscription: { ...blank.subscription, active: payment_type === 'recurring' },
});

export const changedAt = <T>(list: readonly T[], at: number, changes: Partial<T>): readonly T[] =>
  list.map((item, i) => (i === at ? { ...item, ...changes } : item));

export const without = <T>(list: readonly T[], at: number): readonly T[] =>
  list.filter((_, i) => i !== at);
