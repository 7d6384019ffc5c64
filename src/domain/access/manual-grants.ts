import type { DomainEvent } from '../../kernel/events/define.ts';
import { type Refusal, isRefusal, unknownReference } from '../../kernel/errors/errors.ts';
import { accessEvents } from './events.ts';
import { changedGrant, endRefusal, newGrant, revokedGrant, statusAt } from './rules.ts';
import { type Grant, type GrantRow } from '../../schema/access.ts';
import type { AccessProductsUpdate } from './schemas.ts';

export interface ManualGrantState {
  readonly user_id: number;
  readonly products: readonly { readonly id: number; readonly title: string }[];
  readonly grants: readonly GrantRow[];
  /** New ids, one for each named product. */
  readonly ids: readonly number[];
  readonly timezone: string;
}

export interface ManualGrantChange {
  readonly added: readonly Grant[];
  readonly saved: readonly Grant[];
  readonly rows: readonly GrantRow[];
  readonly events: readonly DomainEvent[];
}

/**
 * If the user already has a manual grant of a product, it stays, with the new end if one is given. With `replace`,
 * manual grants of other products are revoked.
 */
export function grantManually(
  state: ManualGrantState,
  input: AccessProductsUpdate,
  now: Date,
): ManualGrantChange | Refusal<'rest_not_found' | 'rest_invalid_param'> {
  const { user_id, products, grants, ids, timezone } = state;
  const named = new Set(input.product_ids);
  if (products.length < named.size) return unknownReference('product_ids');
  const at = now.toISOString();
  const kept = grants.map((row) => ({
    before: row.grant,
    after: nextState(row, input, named, now),
  }));
  const held = new Set(
    grants.filter(({ grant }) => isManual(grant, at)).map(({ grant }) => grant.product_id),
  );
  const added = products
    .filter(({ id }) => !held.has(id))
    .map((product, i): GrantRow => {
      const end_active = input.end_active ?? null;
      const grant = newGrant({ user_id, product_id: product.id, end_active }, ids[i] ?? 0, now);
      return { grant, product, timezone };
    });
  const changed = kept.filter(({ before, after }) => before !== after.grant);
  const rows = [...kept.map(({ after }) => after), ...added];
  const wrong = [...changed.map(({ after }) => after), ...added]
    .map(({ grant }) => endRefusal(grant))
    .find(isRefusal);
  if (wrong) return wrong;
  const beside = (row: GrantRow) =>
    rows
      .filter((other) => other !== row && other.grant.product_id === row.grant.product_id)
      .map(({ grant }) => grant);
  return {
    added: added.map(({ grant }) => grant),
    saved: changed.map(({ after }) => after.grant),
    rows,
    events: [
      ...changed.flatMap(({ before, after }) => accessEvents(before, after, beside(after), at)),
      ...added.flatMap((row) => accessEvents(undefined, row, beside(row), at)),
    ],
  };
}

/** Tells if a manual grant gives access, now or in the future. */
function isManual(grant: Grant, at: string): boolean {
  const status = statusAt(grant, at);
  return grant.source === 'manual' && (status === 'active' || status === 'pending');
}

function nextState(
  row: GrantRow,
  { mode, end_active }: AccessProductsUpdate,
  named: ReadonlySet<number>,
  now: Date,
): GrantRow {
  const { grant } = row;
  if (!isManual(grant, now.toISOString())) return row;
  if (!named.has(grant.product_id)) {
    return mode === 'replace' ? { ...row, grant: revokedGrant(grant, 'replaced', now) } : row;
  }
  if (end_active === undefined || end_active === grant.end_active) return row;
  return { ...row, grant: changedGrant(grant, { end_active }, now) };
}
