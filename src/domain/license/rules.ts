import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { type Instant, addSeconds } from '../../lib/instant.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import type { LicenseStatus } from '../../schema/lists.ts';
import type { ProductRow } from '../product/rules.ts';
import { maskedCode } from './codes.ts';
import type { Activation, License, LicenseCreate, LicenseUpdate } from './schemas.ts';
import { type PastPause, type Term, laid, withEnd } from './terms.ts';
import type { LicenseColumns } from '../../schema/licenses.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export interface LicenseRow {
  readonly license: LicenseColumns;
  readonly terms: readonly Term[];
  /** Ended pauses of its subscription. */
  readonly pauses: readonly PastPause[];
  readonly activations: readonly Activation[];
}

/** The period in which resets are counted, in seconds. */
const resetPeriod = 30 * 86_400;

export const resetsSince = (now: Date): Instant => addSeconds(now.toISOString(), -resetPeriod);

export function toLicense({ license, terms, pauses, activations }: LicenseRow, now: Date): License {
  const { resets, activation_limit, activation_count } = license;
  const strings = activations.map(({ string }) => string);
  return {
    ...license,
    string: strings[0] ?? null,
    strings,
    activations: [...activations],
    remaining: activation_limit === 0 ? null : Math.max(0, activation_limit - activation_count),
    terms: laid(terms, pauses).periods,
    reset_count: resets.filter((at) => at > resetsSince(now)).length,
    meta: license.meta as License['meta'],
  };
}

export const forList = (license: License, reveal: boolean | undefined): License =>
  reveal ? license : { ...license, code: maskedCode(license.code) };

export interface NewLicense {
  readonly id: number;
  readonly code: string;
  readonly product: ProductRow['product'];
  readonly user_id: number;
  /** Null for a manual licence. */
  readonly order_id: number | null;
  /** The licence's position among those of its order; null for a manual licence. */
  readonly ordinal: number | null;
  readonly terms: readonly Term[];
  readonly now: Date;
}

export function newLicense({ product, terms, now, ...fields }: NewLicense): LicenseRow {
  return {
    terms,
    pauses: [],
    activations: [],
    license: {
      ...fields,
      product_id: product.id,
      status: 'active',
      off_by_hand: false,
      activation_limit: product.license.count,
      activation_count: 0,
      expires_at: laid(terms).end,
      max_resets: product.license.max_resets,
      resets: [],
      note: null,
      meta: {},
      ...firstVersion(now.toISOString()),
    },
  };
}

export function licenseByHand(
  { status, activation_limit, expires_at, note, meta }: LicenseCreate,
  made: Omit<NewLicense, 'ordinal' | 'terms'>,
): LicenseRow {
  const { product, now } = made;
  const { expires_days } = product.license;
  const usual = expires_days === 0 ? null : addSeconds(now.toISOString(), expires_days * 86_400);
  const terms = withEnd([], expires_at === undefined ? usual : expires_at, now);
  const row = newLicense({ ...made, ordinal: null, terms });
  return {
    ...row,
    license: {
      ...row.license,
      ...statusByHand(status),
      ...withoutUndefined({ activation_limit, note, meta }),
    },
  };
}

/** Returns the columns for a status that is set by hand. */
const statusByHand = (status: LicenseStatus | undefined) =>
  status === undefined ? {} : { status, off_by_hand: status === 'inactive' };

/** Changes the terms or the status. The end follows from the terms. */
export function revised(
  row: LicenseRow,
  {
    status = row.license.status,
    off_by_hand = row.license.off_by_hand,
    terms = row.terms,
  }: Revision,
  now: Date,
): LicenseRow {
  const { license } = row;
  return {
    ...row,
    terms,
    license: {
      ...license,
      status,
      off_by_hand,
      // Without terms the licence keeps its end, in case it is turned on again.
      expires_at: terms.length === 0 ? license.expires_at : laid(terms, row.pauses).end,
      ...nextVersion(license, now),
    },
  };
}

interface Revision {
  readonly status?: LicenseStatus;
  readonly off_by_hand?: boolean;
  readonly terms?: readonly Term[];
}

export function updatedLicense(row: LicenseRow, input: LicenseUpdate, now: Date): LicenseRow {
  const { expires_at = row.license.expires_at, status, ...fields } = input;
  const terms =
    expires_at === row.license.expires_at ? row.terms : withEnd(row.terms, expires_at, now);
  const after = revised(row, { terms }, now);
  return {
    ...after,
    license: { ...after.license, ...statusByHand(status), ...withoutUndefined(fields) },
  };
}

export function resetRefusal(
  { resets, max_resets }: LicenseColumns,
  now: Date,
): Refusal<'license_reset_limit_reached'> | undefined {
  const oldest = resets[max_resets - 1];
  if (max_resets > 0 && (oldest === undefined || oldest <= resetsSince(now))) return undefined;
  const available_at = oldest === undefined ? null : addSeconds(oldest, resetPeriod);
  return refuse('license_reset_limit_reached', { data: { max_resets, available_at } });
}

export const withReset = (row: LicenseRow, now: Date): LicenseRow => {
  const { resets, max_resets } = row.license;
  const latest = [now.toISOString(), ...resets].slice(0, max_resets);
  return { ...row, license: { ...row.license, resets: latest } };
};

export function withoutActivations(
  row: LicenseRow,
  only?: Pick<Activation, 'id' | 'seat'>,
): LicenseRow {
  const { license, activations } = row;
  if (!only) return { ...row, activations: [], license: { ...license, activation_count: 0 } };
  const activation_count = license.activation_count - (only.seat ? 1 : 0);
  return {
    ...row,
    activations: activations.filter(({ id }) => id !== only.id),
    license: { ...license, activation_count },
  };
}
