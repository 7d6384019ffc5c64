import { addMilliseconds, wholeDays } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { Access, AccessCreate, AccessProduct, AccessStatus } from './schemas.ts';
import type { Grant, GrantRow } from '../../schema/access.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export interface Moment {
  readonly now: Instant;
  readonly timezone: string;
}

/** A start or end counts from its time on, even before a job records it. */
export function statusAt({ status, start, end_active }: Grant, now: Instant): AccessStatus {
  if (status !== 'active') return status;
  if (start === null || start > now) return 'pending';
  return end_active !== null && end_active <= now ? 'expired' : 'active';
}

/** Picks the other grants that the user has of the product. */
export const grantsBeside = (
  { id, user_id, product_id }: Grant,
  grants: readonly Grant[],
): Grant[] =>
  grants.filter(
    (grant) => grant.user_id === user_id && grant.product_id === product_id && grant.id !== id,
  );

export const isLive = (grant: Grant, now: Instant) => statusAt(grant, now) === 'active';

/** False for the grant of an order that was never paid. */
export const wasGiven = (grant: Grant, now: Instant) =>
  grant.start !== null && statusAt(grant, now) !== 'pending';

/** A time later than every end. */
export const never = '9999-12-31T23:59:59.999Z';

/** The time at which a grant stops giving access; `never` for a grant without an end. */
const stopOf = ({ status, end_active, revoked_at }: Grant): Instant =>
  earlier(end_active ?? never, (status === 'revoked' && revoked_at) || never);

const earlier = (a: Instant, b: Instant) => (a < b ? a : b);

/** Whole days of access since a grant started; null before. */
export const startDay = (grant: Grant, { now, timezone }: Moment) =>
  grant.start === null ? null : wholeDays(grant.start, earlier(stopOf(grant), now), timezone);

/**
 * The start of a grant with a new end: earlier than its last moment of access by the time of access that the user had.
 * So drip days count only days with access, and none is lost when the end moves back.
 */
export function continuedStart(grant: Grant, end: Instant | null, now: Instant): Instant | null {
  const { start } = grant;
  if (start === null || start > now) return start;
  const had = Date.parse(earlier(stopOf(grant), now)) - Date.parse(start);
  return addMilliseconds(earlier(end ?? never, now), -Math.max(0, had));
}

export const toAccess = ({ grant, product, timezone }: GrantRow, now: Instant): Access => ({
  ...grant,
  product_name: product.title,
  status: statusAt(grant, now),
  start_day: startDay(grant, { now, timezone }),
});

/** Ranks several grants of one product. */
const worth: Readonly<Record<AccessStatus, number>> = {
  active: 3,
  expired: 2,
  revoked: 1,
  pending: 0,
};

/** Sorts the better grant first: by status, then the later end, then the earlier start. */
export const byWorth =
  (now: Instant) =>
  (a: Grant, b: Grant): number =>
    worth[statusAt(b, now)] - worth[statusAt(a, now)] ||
    (b.end_active ?? never).localeCompare(a.end_active ?? never) ||
    (a.start ?? never).localeCompare(b.start ?? never) ||
    b.id - a.id;

/** Returns the best grant of each product. Grants of orders that were cancelled unpaid don't count. */
export function toAccessProducts(rows: readonly GrantRow[], now: Instant): AccessProduct[] {
  const compare = byWorth(now);
  const best = new Map<number, GrantRow>();
  const given = rows.filter(({ grant }) => grant.status !== 'revoked' || wasGiven(grant, now));
  for (const row of given.sort((a, b) => compare(a.grant, b.grant))) {
    if (!best.has(row.grant.product_id)) best.set(row.grant.product_id, row);
  }
  return [...best.values()]
    .sort((a, b) => a.grant.product_id - b.grant.product_id)
    .map(({ grant, product, timezone }) => ({
      product_id: grant.product_id,
      name: product.title,
      start: grant.start,
      start_day: startDay(grant, { now, timezone }),
      end_active: grant.end_active,
      status: statusAt(grant, now),
    }));
}

export function newGrant(
  input: Pick<AccessCreate, 'user_id' | 'product_id' | 'start' | 'end_active' | 'source' | 'note'>,
  id: number,
  now: Date,
): Grant {
  const at = now.toISOString();
  return {
    id,
    user_id: input.user_id,
    product_id: input.product_id,
    order_id: null,
    subscription_id: null,
    source: input.source ?? 'manual',
    status: 'active',
    start: input.start ?? at,
    end_active: input.end_active ?? null,
    revoked_at: null,
    revoke_reason: null,
    note: input.note ?? null,
    deleted_at: null,
    ...firstVersion(at),
  };
}

export const endRefusal = ({
  start,
  end_active,
}: Grant): Refusal<'rest_invalid_param'> | undefined =>
  start !== null && end_active !== null && end_active <= start
    ? refuse('rest_invalid_param', { params: { end_active: 'must be after the start' } })
    : undefined;

export const changedGrant = (grant: Grant, fields: Partial<Grant>, now: Date): Grant => ({
  ...grant,
  ...fields,
  ...nextVersion(grant, now),
});

export const revokedGrant = (grant: Grant, reason: string, now: Date): Grant =>
  changedGrant(
    grant,
    { status: 'revoked', revoked_at: now.toISOString(), revoke_reason: reason },
    now,
  );
