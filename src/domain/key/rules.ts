import { outcomes } from '../../kernel/auth/outcomes.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { type Instant, addSeconds } from '../../lib/instant.ts';
import type { KeyCreate, KeyUpdate, keyStatuses } from './schemas.ts';

interface Secret {
  readonly prefix: string;
  readonly expires_at: Instant | null;
}

/** Without secrets that have ended. */
export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly ip_allow: readonly string[] | null;
  readonly signs_in_administrators: boolean;
  readonly created_by: { readonly id: number; readonly display_name: string } | null;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
  readonly last_used_at: Instant | null;
  readonly secrets: readonly Secret[];
}

export function statusOf(
  { revoked_at, expires_at }: Pick<KeyRow, 'revoked_at' | 'expires_at'>,
  now: Date,
): (typeof keyStatuses)[number] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now.toISOString() ? 'expired' : 'active';
}

export const toKey = ({ scopes, ip_allow, secrets, ...row }: KeyRow, now: Date) => ({
  ...row,
  scopes: [...scopes],
  ip_allow: ip_allow && [...ip_allow],
  secrets: [...secrets],
  status: statusOf(row, now),
});

interface NewKeyParts extends Pick<KeyRow, 'id' | 'created_by' | 'ip_allow'> {
  readonly prefix: string;
  readonly now: Date;
}

/** Refused if the key would have ended already. The database has normalised the address ranges. */
export function newKey(
  { name, scopes, expires_at = null, signs_in_administrators = false }: KeyCreate,
  { prefix, now, ...making }: NewKeyParts,
) {
  if (isPast(expires_at, now)) return endsInThePast();
  const made: KeyRow = {
    ...making,
    name,
    scopes: [...new Set(scopes)],
    signs_in_administrators,
    expires_at,
    created_at: now.toISOString(),
    revoked_at: null,
    last_used_at: null,
    secrets: [{ prefix, expires_at: null }],
  };
  return made;
}

/**
 * Refused for a revoked key, and if the key would end in the past: that is revoking. An expired key can be extended.
 * @param ranges the changed addresses, normalised by the database
 */
export function updatedKey(
  before: KeyRow,
  { ip_allow, scopes, ...change }: KeyUpdate,
  ranges: readonly string[] | null,
  now: Date,
) {
  if (before.revoked_at !== null) return refuse('svc_key_ended');
  const { expires_at = before.expires_at } = change;
  if (expires_at !== before.expires_at && isPast(expires_at, now)) return endsInThePast();
  const after: KeyRow = {
    ...before,
    ...withoutUndefined(change),
    ...(scopes && { scopes: [...new Set(scopes)] }),
    ...(ip_allow !== undefined && { ip_allow: ranges }),
  };
  return after;
}

/** @param overlap seconds for which the old secrets stay valid */
export function rotatedKey(before: KeyRow, prefix: string, overlap: number, now: Date) {
  if (statusOf(before, now) !== 'active') return refuse('svc_key_ended');
  const end = addSeconds(now.toISOString(), overlap);
  const ending = before.secrets.map(({ expires_at, ...secret }) => ({
    ...secret,
    expires_at: expires_at !== null && expires_at < end ? expires_at : end,
  }));
  const after: KeyRow = {
    ...before,
    secrets: [...(overlap > 0 ? ending : []), { prefix, expires_at: null }],
  };
  return after;
}

const isPast = (moment: Instant | null, now: Date) =>
  moment !== null && moment <= now.toISOString();

const endsInThePast = () =>
  refuse('rest_invalid_param', { params: { expires_at: 'must be in the future' } });

export const toDay = ({
  day,
  calls,
}: {
  day: string;
  calls: Readonly<Record<string, number>>;
}) => ({
  day,
  calls: Object.fromEntries(outcomes.map((outcome) => [outcome, calls[outcome] ?? 0])) as Record<
    (typeof outcomes)[number],
    number
  >,
});
