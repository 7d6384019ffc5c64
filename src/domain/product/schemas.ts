import * as z from 'zod';
import {
  ProductParts,
  ShippingOption,
  VariantGroup,
  VariantOption,
} from '../../schema/product-parts.ts';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { queryBoolean, queryIds, queryInteger, search } from '../../kernel/endpoint/parameters.ts';
import {
  Id,
  Instant,
  InstantInput,
  Meta,
  longText,
  payable,
  textUpTo,
  unsigned,
  webLink,
} from '../../lib/schemas.ts';
import { paymentTypes, productStatuses, productTypes } from '../../schema/lists.ts';

const stock = unsigned
  .nullable()
  .describe('Units left, over all variants; null = stock is not counted.');

/** A product. The access code is never shown. */
export const Product = z
  .object({
    id: Id,
    title: z.string(),
    slug: z.string(),
    status: z.enum(productStatuses),
    type: z.enum(productTypes),
    payment_type: z.enum(paymentTypes),
    description: z.string(),
    excerpt: z.string(),
    image_url: z.string(),
    price: z.int().describe('In the smallest currency unit.'),
    regular_price: z.int().nullable().describe('The price before a reduction, for display.'),
    currency: z.string(),
    enable_sale: z.boolean(),
    disable_sale_time: Instant.nullable().describe('From then on the product is closed.'),
    limit_buy_time: z
      .int()
      .describe('Minutes before the same user can order it again; 0 = no such limit.'),
    enable_quantity: z.boolean(),
    max_quantity: z.int().nullable(),
    stock,
    ...ProductParts.shape,
    meta: z.record(z.string(), z.json()),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
  })
  .meta({
    id: 'Product',
    description: 'Amounts are in the smallest unit of `currency`, weights in grams.',
  });
export type Product = z.output<typeof Product>;

const stockWas = unsigned
  .nullable()
  .describe('The units that `stock` replaces, as you read them; null = stock was not counted.');

const OptionInput = VariantOption.extend({
  key: VariantOption.shape.key.optional(),
  extra_price: VariantOption.shape.extra_price.default(0),
  extra_weight: VariantOption.shape.extra_weight.default(0),
  sku: VariantOption.shape.sku.default(''),
  stock: VariantOption.shape.stock.optional(),
  active: VariantOption.shape.active.default(true),
});

const withKey = <T extends { id: string; key?: string | undefined }>(part: T) => ({
  ...part,
  key: part.key ?? part.id,
});

/** The variants of a product, of options as they are given. */
const variantsOf = <T extends z.ZodType<{ id: string }>>(option: T) =>
  z
    .array(
      VariantGroup.extend({
        key: VariantGroup.shape.key.optional(),
        required: VariantGroup.shape.required.default(true),
        options: z.array(option).min(1).max(100),
      }).transform(withKey),
    )
    .max(20)
    .refine((groups) => {
      const ids = groups.flatMap((group) => group.options.map(({ id }) => id));
      return new Set(ids).size === ids.length;
    }, 'option ids must be unique within the product');

const changedVariants = variantsOf(
  OptionInput.extend({ stock_was: stockWas.optional() }).transform(withKey),
);
const newVariants = variantsOf(OptionInput.transform(withKey));

const ShippingOptionInput = ShippingOption.extend({
  service: ShippingOption.shape.service.default(''),
  label: ShippingOption.shape.label.default(''),
  per_kg: ShippingOption.shape.per_kg.default(0),
  free_above: ShippingOption.shape.free_above.default(null),
  countries: ShippingOption.shape.countries.default([]),
  etd_days_min: ShippingOption.shape.etd_days_min.default(0),
  etd_days_max: ShippingOption.shape.etd_days_max.default(0),
  cod: ShippingOption.shape.cod.default(false),
});

const parts = ProductParts.shape;

/** What an update may say: the whitelist. A part given in part keeps the rest of it. */
export const ProductUpdate = z
  .object({
    title: textUpTo(300).min(1),
    status: z.enum(productStatuses),
    description: longText,
    excerpt: textUpTo(2000),
    image_url: webLink,
    price: payable.describe('In the smallest currency unit.'),
    regular_price: payable.nullable(),
    enable_sale: z.boolean(),
    disable_sale_time: InstantInput.nullable(),
    access_code: textUpTo(100).describe('Opens a closed checkout to who knows it. Never shown.'),
    limit_buy_time: z.int().min(0).max(525_600).describe('Minutes; 0 = off.'),
    enable_quantity: z.boolean(),
    max_quantity: z.int().min(1).max(1_000_000).nullable(),
    stock: stock.describe(
      'Sets the units left, null to stop counting; goes with `stock_was`. `stock_delta` needs no such care.',
    ),
    stock_was: stockWas,
    stock_delta: z.int().describe('Adds to the units left, or takes from them.'),
    tax: parts.tax.partial(),
    shipping: parts.shipping
      .partial()
      .extend({ options: z.array(ShippingOptionInput).max(50).optional() }),
    cod: parts.cod.partial(),
    variants: changedVariants.describe(
      'Replaces all variants. An option that is there already keeps its stock where it says none; another `stock` than is left goes with its `stock_was`.',
    ),
    subscription: parts.subscription.partial(),
    license: parts.license.partial(),
    affiliate: parts.affiliate.partial(),
    group: parts.group.partial(),
    meta: Meta,
  })
  .partial()
  .meta({
    id: 'ProductUpdate',
    description: 'A part given in part keeps the rest of it.',
    examples: [{ price: 129_000, regular_price: 149_000, affiliate: { enabled: true } }],
  });
export type ProductUpdate = z.output<typeof ProductUpdate>;

export const ProductCreate = ProductUpdate.omit({ stock_delta: true, stock_was: true })
  .required({ title: true, price: true })
  .extend({
    stock: stock.optional(),
    variants: newVariants.optional(),
    slug: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower case letters and digits, joined by -')
      .max(200)
      .optional(),
    type: z.enum(productTypes).optional(),
    payment_type: z.enum(paymentTypes).optional(),
  })
  .meta({
    id: 'ProductCreate',
    examples: [
      {
        title: 'Sourdough for beginners',
        price: 149_000,
        excerpt: 'Twelve lessons, from the starter to the crust.',
        affiliate: { enabled: true, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] },
      },
    ],
  });
export type ProductCreate = z.output<typeof ProductCreate>;

export const ProductQuery = z.object({
  ...pageParameters,
  search: search.optional(),
  status: z.enum(productStatuses).optional(),
  type: z.enum(productTypes).optional(),
  payment_type: z.enum(paymentTypes).optional(),
  affiliate_enabled: queryBoolean.optional().describe('Whether affiliates can promote it.'),
  ids: queryIds.optional(),
});
export type ProductQuery = z.output<typeof ProductQuery>;

export const ProductDelete = z.object({
  force: queryBoolean.optional().describe('Delete although orders of it are open.'),
});

export const ShippingQuery = z.object({
  quantity: queryInteger({ min: 1, max: 1_000_000 }).optional().describe('1 by default.'),
  variants: textUpTo(2000).optional().describe('Ids of variant options, separated by commas.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code')
    .optional(),
  postal_code: textUpTo(20).optional(),
  subtotal: queryInteger()
    .optional()
    .describe('Goods value before discounts, where it differs from price and surcharges.'),
});
export type ShippingQuery = z.output<typeof ShippingQuery>;

/** A way to ship, with what it costs for the cart asked about. */
export const ShippingQuote = z
  .object({
    id: z.string(),
    courier: z.string(),
    service: z.string(),
    label: z.string(),
    cost: z.int().describe('In the smallest currency unit.'),
    currency: z.string(),
    etd_days_min: z.int(),
    etd_days_max: z.int(),
    cod: z.boolean().describe('Can be paid on delivery.'),
    free_reason: z
      .enum(['product', 'free-above'])
      .nullable()
      .describe('Why it is free: the product ships free, or the goods value is high enough.'),
  })
  .meta({ id: 'ShippingQuote' });
export type ShippingQuote = z.output<typeof ShippingQuote>;
