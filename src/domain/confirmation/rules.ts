import type { Actor } from '../../kernel/auth/actor.ts';
import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import { emptyDetail, type ConfirmationRow } from '../../schema/payments.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { ProductType } from '../../schema/lists.ts';
import type { ConfirmationInput, ConfirmationReview, ConfirmationWithOrder } from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** Flags a repeated proof. */
export function newConfirmation(
  input: ConfirmationInput,
  id: number,
  order: OrderColumns,
  earlier: { id: number } | undefined,
  now: Date,
): ConfirmationRow {
  const { detail = {}, transferred_at = null, ...flat } = input;
  const said = { ...emptyDetail, ...withoutUndefined(flat), ...withoutUndefined(detail) };
  return {
    id,
    order_id: order.id,
    product_id: order.product_id,
    user_id: order.user_id,
    status: 'pending',
    detail: said,
    transferred_at,
    amount_expected: order.grand_total,
    amount_matches: said.total === order.grand_total,
    duplicate_of: earlier?.id ?? null,
    reviewed_by: null,
    reviewed_at: null,
    reject_reason: null,
    ...firstVersion(now.toISOString()),
  };
}

export interface ReviewRow {
  readonly confirmation: ConfirmationRow;
  readonly order: Omit<NonNullable<ConfirmationWithOrder['order']>, 'product' | 'user'>;
  readonly product: { id: number; title: string; type: ProductType };
  readonly user: { id: number; display_name: string; email: string | null };
  readonly similar: ConfirmationWithOrder['similar'];
  readonly mutations: NonNullable<ConfirmationWithOrder['mutations']>;
}

/** Shows orders and bank entries only with their own scopes. */
export const toReview = (
  { confirmation, order, product, user, similar, mutations }: ReviewRow,
  principal: ScopedPrincipal,
): ConfirmationWithOrder => ({
  ...confirmation,
  order: principal.has('orders:read')
    ? { ...order, product, user: { ...user, email: user.email ?? '' } }
    : null,
  similar: principal.has('orders:read')
    ? similar
    : similar.map((each) => ({ ...each, order_number: null })),
  mutations: principal.has('payments:read')
    ? mutations.map((mutation) => ({
        ...mutation,
        occurred_at: new Date(mutation.occurred_at).toISOString(),
      }))
    : null,
});

export const proofOf = ({ detail, proof }: ConfirmationInput) => detail?.proof ?? proof ?? '';

export const reviewed = (
  before: ConfirmationRow,
  { status, reject_reason }: ConfirmationReview,
  actor: Actor,
  now: Date,
): ConfirmationRow => ({
  ...before,
  status,
  reject_reason: status === 'rejected' ? (reject_reason ?? '') : null,
  reviewed_by: actor.type === 'user' ? actor.id : null,
  reviewed_at: now.toISOString(),
  ...nextVersion(before, now),
});
