import { apiKey } from '../../kernel/auth/access.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { askedCode, askedString, release } from '../../domain/license/answers.ts';
import { licenseEvent } from '../../domain/license/events.ts';
import { findLicenseByCode } from '../../queries/licenses.ts';
import {
  countActivations,
  countReset,
  deleteActivation,
  deleteActivations,
  findActivation,
} from '../../queries/license-activations.ts';
import {
  type LicenseRow,
  resetRefusal,
  toLicense,
  withReset,
  withoutActivations,
} from '../../domain/license/rules.ts';
import { type Asked, LicenseRelease } from '../../domain/license/schemas.ts';
import { isClaimed } from '../../domain/license/verdicts.ts';

export const load = (asked: Asked) => ({
  found: findLicenseByCode(askedCode(asked)),
  known: findActivation(askedCode(asked), askedString(asked)),
  counted: countActivations(askedCode(asked)),
});

export type Loaded = Results<ReturnType<typeof load>>;

export const common = {
  access: apiKey('licenses:write'),
  effect: 'write',
  reply: [200, LicenseRelease],
} as const;

export const unregister = {
  ...common,
  summary: 'Unregister a string from a licence',
  description: 'Its seat is free again. Does not count as a reset.',
  errors: ['rest_not_found'],
} as const;

export const unregistration = (asked: Asked, ifMatch: number | undefined, now: Date) => ({
  load: load(asked),
  decide: ({ found, known: [known] }: Loaded) => {
    if (!known) return refuse('rest_not_found');
    const claimed = found.filter((row) => isClaimed(row, asked));
    const row = current(claimed, ifMatch, 'license');
    if (isRefusal(row)) return row;
    const after = withoutActivations(row, known);
    return {
      write: deleteActivation(row.license, known),
      events: [deactivated(after, known.string, now)],
      reply: release(after, 1, now),
    };
  },
});

export const reset = {
  ...common,
  summary: 'Free the seats of a licence',
  description:
    'All its strings are removed, or the one given. A licence can be reset `max_resets` times in 30 days; a reset that removes nothing does not count.',
  errors: ['rest_not_found', 'license_reset_limit_reached'],
} as const;

export const resetting = (asked: Asked, ifMatch: number | undefined, now: Date) => ({
  load: load(asked),
  decide: ({ found, known: [known], counted }: Loaded) => {
    const claimed = found.filter((row) => isClaimed(row, asked));
    const row = current(claimed, ifMatch, 'license');
    if (isRefusal(row)) return row;
    const string = askedString(asked);
    const released = string === undefined ? (counted[0]?.total ?? 0) : Number(Boolean(known));
    if (released === 0) return { write: [], reply: release(row, 0, now) };
    const refusal = resetRefusal(row.license, now);
    if (refusal) return refusal;
    const after = withReset(withoutActivations(row, known), now);
    return {
      write: [
        countReset(row.license, now),
        ...(known ? deleteActivation(row.license, known) : deleteActivations(row.license)),
      ],
      events: [deactivated(after, string ?? null, now)],
      reply: release(after, released, now),
    };
  },
});

export const deactivated = (row: LicenseRow, released: string | null, now: Date) =>
  licenseEvent('license.deactivated', { ...toLicense(row, now), released });
