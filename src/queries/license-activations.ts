import { and, eq, lt, or, sql } from 'drizzle-orm';
import { licenseActivations, licenses } from '../schema/licenses.ts';
import { isEither } from '../kernel/database/filters.ts';
import { type Write, build, guard, raw, type Argument } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { resetsSince } from '../domain/license/rules.ts';
import { mostFreeHosts } from '../domain/license/strings.ts';
import { type LicenseColumns } from '../schema/licenses.ts';
import type { Activation } from '../domain/license/schemas.ts';

/** Compares a licence's code, ignoring case. */
export const hasCode = (code: Argument<string>) =>
  sql`upper(${licenses.code}) = upper(${code}::text)`;

const idOf = (code: Argument<string>) => sql`(select id from licenses where ${hasCode(code)})`;

export const findActivation = (code: Argument<string>, string: Argument<string> | undefined) =>
  build
    .select()
    .from(licenseActivations)
    .where(
      and(
        eq(licenseActivations.license_id, idOf(code)),
        isEither(licenseActivations.string, string ?? ''),
      ),
    );

export const countActivations = (code: string) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(licenseActivations)
    .where(eq(licenseActivations.license_id, idOf(code)));

/** Counts the activations of a licence that take no seat. */
export const countFreeHosts = (code: string) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(licenseActivations)
    .where(and(eq(licenseActivations.license_id, idOf(code)), eq(licenseActivations.seat, false)));

/** Guards the limit of free hosts. The licence's row is locked, so nobody adds one in between. */
const hasRoom = (id: number): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard((select count(*) from license_activations
      where license_id = ${id} and not seat) < ${mostFreeHosts}, 'rest_conflict')`),
});

/**
 * Registers a licence for a string, on a free seat if it takes one. A caller who took the last seat may have registered
 * the same string. So the request is decided again before a limit is reported.
 */
export const insertActivation = (
  { id, version }: LicenseColumns,
  activation: Activation,
): Write[] => [
  guard(
    build
      .update(licenses)
      .set({ activation_count: sql`${licenses.activation_count} + ${activation.seat ? 1 : 0}` })
      .where(
        and(
          eq(licenses.id, id),
          eq(licenses.version, version),
          activation.seat ? hasSeat : undefined,
        ),
      )
      .returning({ id: licenses.id }),
    'rest_conflict',
  ),
  ...(activation.seat ? [] : [hasRoom(id)]),
  build.insert(licenseActivations).values({ ...activation, license_id: id }),
];

const hasSeat = or(
  eq(licenses.activation_limit, 0),
  lt(licenses.activation_count, licenses.activation_limit),
);

export const touchActivation = ({ id, last_seen_at }: Activation): Write =>
  guard(
    build
      .update(licenseActivations)
      .set({ last_seen_at })
      .where(eq(licenseActivations.id, id))
      .returning({ id: licenseActivations.id }),
    'rest_conflict',
  );

/**
 * Removes an activation, if it still exists, and frees its seat. The licence's row is locked first, as for every change
 * of seats.
 */
export const deleteActivation = (
  { id: license_id }: LicenseColumns,
  { id, seat }: Activation,
): Write[] => [
  build.select({ id: licenses.id }).from(licenses).where(eq(licenses.id, license_id)).for('update'),
  guard(
    build
      .delete(licenseActivations)
      .where(eq(licenseActivations.id, id))
      .returning({ id: licenseActivations.id }),
    'rest_conflict',
  ),
  ...(seat
    ? [
        build
          .update(licenses)
          .set({ activation_count: sql`${licenses.activation_count} - 1` })
          .where(eq(licenses.id, license_id)),
      ]
    : []),
];

/** Removes all activations of a licence, and conflicts if there are none. Its row is locked: no seat is taken in between. */
export const deleteActivations = ({ id }: LicenseColumns): Write[] => [
  build.update(licenses).set({ activation_count: 0 }).where(eq(licenses.id, id)),
  guard(
    build
      .delete(licenseActivations)
      .where(eq(licenseActivations.license_id, id))
      .returning({ id: licenseActivations.id }),
    'rest_conflict',
  ),
];

/** Counts a reset, within the limit of the period. */
export const countReset = ({ id }: LicenseColumns, now: Date) => {
  const at: Instant = now.toISOString();
  return guard(
    build
      .update(licenses)
      .set({
        resets: sql`(array_prepend(${at}::timestamptz, ${licenses.resets}))[1:${licenses.max_resets}]`,
      })
      .where(
        and(
          eq(licenses.id, id),
          sql`${licenses.max_resets} > 0`,
          sql`coalesce(${licenses.resets}[${licenses.max_resets}], '-infinity') <= ${resetsSince(now)}`,
        ),
      )
      .returning({ id: licenses.id }),
    'license_reset_limit_reached',
  );
};
