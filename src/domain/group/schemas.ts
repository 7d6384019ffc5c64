import * as z from 'zod';
import { GroupDiscount, GroupParts, GroupProductTerms } from '../../schema/group-parts.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { search } from '../../kernel/schemas/parameters.ts';
import { Id, changeFields, uniqueNameUpTo } from '../../lib/schemas.ts';

export const UserGroup = z
  .object({
    id: Id,
    name: z.string().meta({ examples: ['Gold'] }),
    priority: z
      .int()
      .describe('Groups with a higher priority rank above those with a lower one.')
      .meta({ examples: [20] }),
    can_affiliate: z
      .boolean()
      .describe('False bars every member from promoting products.')
      .meta({ examples: [true] }),
    can_affiliate_coupon: z
      .boolean()
      .describe('False bars every member from creating coupons from templates.'),
    ...GroupParts.shape,
    min_sales_for_upline: z
      .int()
      .describe(
        'Number of completed sales of their own that a member needs before earning as an upline.',
      ),
    ...changeFields,
  })
  .meta({ id: 'UserGroup', description: 'Amounts are in the smallest currency unit.' });
export type UserGroup = z.output<typeof UserGroup>;

const discount = GroupDiscount.partial().meta({ id: 'GroupDiscountInput' });

const fields = z.object({
  name: uniqueNameUpTo(100).describe('Unique, ignoring case.'),
  priority: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .describe('Groups with a higher priority rank above those with a lower one.'),
  can_affiliate: z.boolean().describe('False bars every member from promoting products.'),
  can_affiliate_coupon: z
    .boolean()
    .describe('False bars every member from creating coupons from templates.'),
  discount: discount.describe('Discount of members on one item of any product.'),
  commissions: GroupParts.shape.commissions,
  per_product: z
    .array(
      GroupProductTerms.partial()
        .required({ product_id: true })
        .extend({ discount: discount.optional() })
        .meta({ id: 'GroupProductTermsInput' }),
    )
    .max(200)
    .describe('Terms for individual products, which take precedence. Replaces the whole list.'),
  min_sales_for_upline: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe(
      'Number of completed sales of their own that a member needs before earning as an upline.',
    ),
});

export const UserGroupCreate = fields
  .strict()
  .partial()
  .required({ name: true })
  .meta({
    id: 'UserGroupCreate',
    examples: [
      {
        name: 'Silver',
        priority: 20,
        discount: { enabled: true, value: 10, type: 'percentage' },
        commissions: [{ tier: 1, fee: 25, type: 'percentage' }],
      },
    ],
  });
export type UserGroupCreate = z.output<typeof UserGroupCreate>;

export const UserGroupUpdate = fields
  .partial()
  .meta({ id: 'UserGroupUpdate', examples: [{ priority: 30 }] });
export type UserGroupUpdate = z.output<typeof UserGroupUpdate>;

export const UserGroupQuery = z.object({ ...pageParameters, search: search.optional() });
export type UserGroupQuery = z.output<typeof UserGroupQuery>;

export const GroupMove = z
  .object({
    group_id: Id.nullable().describe('Null removes the user from their group.'),
    force: z
      .boolean()
      .optional()
      .describe('Allow a move to a group of lower priority. No group ranks below every group.'),
  })
  .meta({ id: 'GroupMove', examples: [{ group_id: 1 }] });
