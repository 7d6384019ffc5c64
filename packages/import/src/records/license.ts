import {
  type Instant,
  type LicenseStatus,
  canonicalString,
  isFreeHost,
  licenseActivations,
  licenses,
  licenseTerms,
  meantCode,
} from '../../../../src/exports/store.ts';
import { type MappedRow, type NewRow, because, insertInto, mapped } from '../mapped.ts';
import type { Numbers } from '../numbers.ts';
import type { Step, StepContext } from '../importer.ts';
import type { Reason } from '../reasons.ts';
import { byCode } from '../same-code.ts';
import type { Source, StagedRow, TableName } from '../source.ts';
import { entryOf } from '../values.ts';

export interface ForeignActivation {
  readonly string: string;
  /** True if the shop doesn't count it, like a developer's machine. */
  readonly isFree: boolean;
  readonly at: Instant;
}

export interface ForeignLicense {
  readonly id: number;
  readonly code: string;
  readonly productId: number;
  readonly userId: number;
  /** The first order of the chain that pays for it. `ordinal` counts the licences of this order from 1. */
  readonly order: {
    readonly id: number;
    readonly ordinal: number;
    readonly isPaid: boolean;
    /** Ids of the paid orders that renewed it; none by default. */
    readonly renewals?: readonly number[];
  } | null;
  readonly status: LicenseStatus;
  /** Seats; 0 = no limit. */
  readonly limit: number;
  /** Null = never. */
  readonly expiresAt: Instant | null;
  readonly maxResets: number;
  readonly activations: readonly ForeignActivation[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly origin: Readonly<Record<string, unknown>>;
}

export interface ToldLicense {
  readonly license: ForeignLicense;
  readonly reasons: readonly Reason[];
  /** The ids of further rows of the source that belong to the licence. */
  readonly others?: readonly string[];
}

/**
 * Merges the licences of one code into the first: with the hosts and seats of all, until the last end. A licence of
 * another product is refused.
 */
export function* licensesOfCode(
  told: readonly ToldLicense[],
  numbers: Numbers,
): Generator<MappedRow> {
  const [first] = told;
  if (!first) return;
  const { id, productId } = first.license;
  const same = told.filter(({ license }) => license.productId === productId);
  const whole = joinedLicense(
    first.license,
    same.map(({ license }) => license),
  );
  const rows = licenseRows(whole, numbers);
  const places = rows.filter(({ table }) => table === licenseActivations).length;
  const isAlike = same.length > 1 || meantCode(first.license.code) !== first.license.code;
  const reasons = because({
    'code-read-alike': isAlike,
    'places-joined': places !== whole.activations.length,
  });
  yield mapped('licenses', id, { rows, reasons: [...first.reasons, ...reasons] });
  for (const { license, reasons: own, others = [] } of told) {
    const joined = (row: string | number, how: Reason) =>
      mapped('licenses', row, {
        detail: String(id),
        ...(license.productId === productId
          ? { rows: [], targets: [id], reasons: [how, ...own] }
          : { refusal: 'duplicate-code' }),
      });
    if (license.id !== id) yield joined(license.id, 'code-read-alike');
    for (const other of others) yield joined(other, 'joined');
  }
}

interface LicenseRows<S extends Source, C, T extends TableName<S>> {
  readonly table: T;
  /** The column with the code. */
  readonly code: string;
  readonly reader: (context: StepContext<S, C>) => {
    /** Groups the rows of a code that make one licence; by default each row is one. */
    readonly parts?: (rows: readonly StagedRow<S, T>[]) => readonly (readonly StagedRow<S, T>[])[];
    /** Returns the licence of some rows, or the reason why they are none. */
    readonly told: (rows: readonly StagedRow<S, T>[], id: number) => ToldLicense | Reason;
  };
}

/** Imports licences, all rows of a code together. */
export const licenseSteps =
  <S extends Source, C>() =>
  <T extends TableName<S>>({ table, code, reader }: LicenseRows<S, C, T>): Step<S, C> => ({
    entity: 'licenses',
    ids: [{ entity: 'licenses', table }],
    *map(context) {
      const { database, tables } = context.staging;
      const id = tables[table]?.id ?? '';
      const idOfRow = (row: unknown) => String((row as Readonly<Record<string, unknown>>)[id]);
      const { told, parts = (rows) => rows.map((row) => [row]) } = reader(context);
      for (const rows of byCode<StagedRow<S, T>>(database, { table, id, code })) {
        const ofCode: ToldLicense[] = [];
        for (const part of parts(rows)) {
          const read = told(part, Number(idOfRow(part[0])));
          if (typeof read !== 'string') ofCode.push(read);
          else for (const row of part) yield mapped('licenses', idOfRow(row), { refusal: read });
        }
        yield* licensesOfCode(ofCode, context.numbers);
      }
    },
  });

const unitDays: Readonly<Record<string, number>> = {
  ...{ days: 1, weeks: 7, months: 365 / 12, years: 365 },
};

/** Returns the days of some units, such as `months`; undefined for an unknown unit. */
export function termDays(length: number, unit: string): number | undefined {
  const days = entryOf(unitDays, unit);
  return days === undefined ? undefined : Math.min(36_500, Math.ceil(length * days));
}

/** Counts the licences of each order, from 1. */
export function ordinals(): (order: number) => number {
  const counted = new Map<number, number>();
  return (order) => {
    const ordinal = (counted.get(order) ?? 0) + 1;
    counted.set(order, ordinal);
    return ordinal;
  };
}

function joinedLicense(first: ForeignLicense, all: readonly ForeignLicense[]): ForeignLicense {
  const statuses = new Set(all.map(({ status }) => status));
  const limits = all.map(({ limit }) => limit);
  const ends = all.map(({ expiresAt }) => expiresAt);
  return {
    ...first,
    status:
      (['active', 'pending', 'inactive'] as const).find((one) => statuses.has(one)) ?? first.status,
    limit: limits.includes(0) ? 0 : limits.reduce((sum, limit) => sum + limit, 0),
    expiresAt: ends.reduce((last, end) =>
      last === null || end === null ? null : end > last ? end : last,
    ),
    activations: all.flatMap(({ activations }) => activations),
  };
}

/**
 * Returns the rows of a licence, of its activations (each place once) and of its terms. Renewals count from the shop's
 * end.
 */
export function licenseRows(license: ForeignLicense, numbers: Numbers): NewRow[] {
  const places = placesOf(license.activations);
  const seats = places.filter(({ seat }) => seat).length;
  const { id, order } = license;
  return [
    insertInto(licenses, {
      id,
      code: meantCode(license.code),
      product_id: license.productId,
      order_id: order?.id ?? null,
      ordinal: order?.ordinal ?? null,
      user_id: license.userId,
      status: license.status,
      // Sites that are registered already keep their seats.
      activation_limit: license.limit === 0 ? 0 : Math.max(license.limit, seats),
      activation_count: seats,
      expires_at: license.expiresAt,
      max_resets: license.maxResets,
      meta: { import: license.origin },
      created_at: license.createdAt,
      updated_at: license.updatedAt,
    }),
    ...places.map(({ string, label, seat, at }) =>
      insertInto(licenseActivations, {
        id: numbers.next(licenseActivations),
        license_id: id,
        string,
        label,
        meta: {},
        seat,
        first_at: at,
        last_seen_at: at,
      }),
    ),
    ...terms(license, numbers),
  ];
}

/** The places by their canonical strings: two spellings are one place. */
function placesOf(activations: readonly ForeignActivation[]) {
  const byString = Map.groupBy(activations, ({ string }) => canonicalString(string));
  return [...byString].map(([string, same]) => ({
    string,
    label: '',
    seat: !isFreeHost(string) && same.some(({ isFree }) => !isFree),
    at: same.map(({ at }) => at).sort()[0] ?? '',
  }));
}

/** Returns the terms of a licence: those of its paid orders, without an end, then a manual one with the shop's end. */
function terms({ id, order, expiresAt, createdAt }: ForeignLicense, numbers: Numbers): NewRow[] {
  const term = (order_id: number | null, until: Instant | null) =>
    insertInto(licenseTerms, {
      id: numbers.next(licenseTerms),
      license_id: id,
      order_id,
      at: createdAt,
      days: 0,
      until,
    });
  const paying = [...(order?.isPaid ? [order.id] : []), ...(order?.renewals ?? [])];
  return [
    ...paying.map((one) => term(one, null)),
    ...(expiresAt === null ? [] : [term(null, expiresAt)]),
  ];
}
