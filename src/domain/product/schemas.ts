import * as z from 'zod';
import {
  ProductParts,
  ShippingOption,
  VariantGroup,
  VariantOption,
} from '../../schema/product-parts.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import {
  metaValues,
  queryBoolean,
  queryIds,
  queryInteger,
  querySize,
  search,
} from '../../kernel/schemas/parameters.ts';
import * as schemas from '../../lib/schemas.ts';
import { trimmed } from '../../lib/text.ts';
import { paymentTypes, productStatuses, productTypes } from '../../schema/lists.ts';

const stock = schemas.unsigned
  .nullable()
  .describe('Units left, across all variants; null = stock is not counted.');

/** The access code is never shown. */
export const Product = z
  .object({
    id: schemas.Id,
    title: z.string(),
    slug: z.string().meta({ examples: ['selling-online-the-course-1'] }),
    status: z.enum(productStatuses),
    type: z.enum(productTypes),
    payment_type: z.enum(paymentTypes),
    description: z
      .string()
      .meta({ examples: ['Twelve lessons from the first product to the hundredth order.'] }),
    excerpt: z.string().meta({ examples: ['From the first product to the hundredth order.'] }),
    image_url: z.string(),
    price: z.int().describe('In the smallest unit of the currency.'),
    regular_price: z
      .int()
      .nullable()
      .describe('The price before a reduction; for display only.')
      .meta({ examples: [500_000] }),
    currency: schemas.StoreCurrency,
    enable_sale: z
      .boolean()
      .describe(
        'True if the product is on sale. Otherwise it is closed: it can be ordered only with its access code.',
      )
      .meta({ examples: [true] }),
    disable_sale_time: schemas.Instant.nullable().describe(
      'From this moment the product is closed: it can be ordered only with its access code.',
    ),
    limit_buy_time: z
      .int()
      .describe(
        'Minutes before the same user can order the product again, except for renewals; 0 = no limit.',
      ),
    enable_quantity: z
      .boolean()
      .describe('True if more than one item can be ordered at once.')
      .meta({ examples: [true] }),
    max_quantity: z
      .int()
      .nullable()
      .describe('Maximum number of items in one order; null = no limit.'),
    stock,
    ...ProductParts.shape,
    meta: z.record(z.string(), z.json()),
    ...schemas.changeFields,
  })
  .meta({
    id: 'Product',
    description: 'Amounts are in the smallest unit of `currency`, weights in grams.',
  });
export type Product = z.output<typeof Product>;

const stockWas = schemas.unsigned
  .nullable()
  .describe('The value that `stock` replaces, as you last read it; null = stock was not counted.');

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
})
  .refine(({ etd_days_min, etd_days_max }) => etd_days_max === 0 || etd_days_min <= etd_days_max, {
    path: ['etd_days_max'],
    message: 'must not be less than etd_days_min',
  })
  .meta({ id: 'ShippingOptionInput' });

const parts = ProductParts.shape;

/** Fields that a sent part lacks stay unchanged. */
export const ProductUpdate = z
  .object({
    title: schemas.requiredUpTo(300).normalize('NFC'),
    status: z.enum(productStatuses),
    description: schemas.longText,
    excerpt: schemas.textUpTo(2000),
    image_url: schemas.webLink,
    price: schemas.payable.describe('In the smallest unit of the currency.'),
    regular_price: schemas.payable
      .nullable()
      .describe('The price before a reduction; for display only.'),
    enable_sale: z
      .boolean()
      .describe(
        'True if the product is on sale. Otherwise it is closed: it can be ordered only with its access code.',
      ),
    disable_sale_time: schemas.InstantInput.nullable().describe(
      'From this moment the product is closed.',
    ),
    access_code: schemas
      .trimmedUpTo(100)
      .describe('Lets buyers who know it order the product while it is closed. Never shown.'),
    limit_buy_time: z
      .int()
      .min(0)
      .max(525_600)
      .describe(
        'Minutes before the same user can order the product again, except for renewals; 0 = no limit.',
      ),
    enable_quantity: z.boolean().describe('True if more than one item can be ordered at once.'),
    max_quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .describe('Maximum number of items in one order; null = no limit.'),
    stock: stock.describe(
      'Sets the units left; null stops counting. Must be sent together with `stock_was`; to add or remove units, use `stock_delta`.',
    ),
    stock_was: stockWas,
    stock_delta: z.int().describe('Units to add to the stock, or to remove if negative.'),
    tax: parts.tax.partial().meta({ id: 'ProductTaxInput' }),
    shipping: parts.shipping
      .partial()
      .extend({ options: z.array(ShippingOptionInput).max(50).optional() })
      .meta({ id: 'ProductShippingInput' }),
    cod: parts.cod.partial().meta({ id: 'ProductCodInput' }),
    variants: changedVariants.describe(
      'Replaces all variants. An existing option sent without `stock` keeps its stock; a `stock` other than what is left must be sent together with its `stock_was`.',
    ),
    subscription: parts.subscription.partial().meta({ id: 'ProductSubscriptionInput' }),
    license: parts.license.partial().meta({ id: 'ProductLicenseInput' }),
    affiliate: parts.affiliate.partial().meta({ id: 'ProductAffiliateInput' }),
    group: parts.group.partial().meta({ id: 'ProductGroupInput' }),
    meta: schemas.Meta,
  })
  .partial()
  .meta({
    id: 'ProductUpdate',
    description: 'Fields of a nested object that you do not send keep their values.',
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
      .overwrite(trimmed)
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
  ...changeParameters,
  search: search.optional(),
  status: z.enum(productStatuses).optional(),
  type: z.enum(productTypes).optional(),
  payment_type: z.enum(paymentTypes).optional(),
  affiliate_enabled: queryBoolean
    .optional()
    .describe('Only products that affiliates can promote, or only those they cannot.'),
  ids: queryIds.optional(),
  meta: metaValues,
});
export type ProductQuery = z.output<typeof ProductQuery>;

export const ProductFiguresQuery = z.object({
  date_start: schemas.DateInput.optional().describe("From this day on, in the store's time zone."),
  date_end: schemas.DateInput.optional().describe(
    "Up to the end of this day, in the store's time zone.",
  ),
  limit: querySize(100).optional().describe('Number of products: 100 by default and at most.'),
});
export type ProductFiguresQuery = z.output<typeof ProductFiguresQuery>;

export const ProductDelete = z.object({
  force: queryBoolean.optional().describe('Delete the product even though it has open orders.'),
});

export const ShippingQuery = z.object({
  quantity: queryInteger({ min: 1, max: 1_000_000 }).optional().describe('1 by default.'),
  variants: schemas
    .nameUpTo(2000)
    .optional()
    .describe('Ids of the chosen variant options, separated by commas.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code')
    .optional(),
  postal_code: schemas.textUpTo(20).optional(),
  subtotal: queryInteger()
    .optional()
    .describe(
      'Value of the goods before discounts, in the smallest unit of the currency, if it differs from the price with surcharges.',
    ),
});
export type ShippingQuery = z.output<typeof ShippingQuery>;

export const ShippingQuote = z
  .object({
    id: z.string().meta({ examples: ['jne-reg'] }),
    courier: z.string().meta({ examples: ['JNE'] }),
    service: z.string().meta({ examples: ['REG'] }),
    label: z.string().meta({ examples: ['Regular'] }),
    cost: z
      .int()
      .describe('In the smallest unit of the currency.')
      .meta({ examples: [18_000] }),
    currency: schemas.StoreCurrency,
    etd_days_min: z
      .int()
      .describe('Minimum number of days until delivery.')
      .meta({ examples: [2] }),
    etd_days_max: z
      .int()
      .describe('Maximum number of days until delivery.')
      .meta({ examples: [4] }),
    cod: z.boolean().describe('True if it can be paid on delivery.'),
    free_reason: z
      .enum(['product', 'free-above'])
      .nullable()
      .describe(
        'Why shipping is free: the product always ships free, or the goods are worth enough; null if it is not free.',
      ),
  })
  .meta({ id: 'ShippingQuote' });
export type ShippingQuote = z.output<typeof ShippingQuote>;
