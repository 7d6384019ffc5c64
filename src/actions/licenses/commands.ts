import type * as z from 'zod';
import {
  askedCode,
  askedString,
  registration,
  release,
  verdictOn,
} from '../../domain/license/answers.ts';
import { activatedEvent, deactivatedEvent } from '../../domain/license/events.ts';
import { toLicense, withoutActivations } from '../../domain/license/rules.ts';
import type { Activation, LicenseQuestion, LicenseRegister } from '../../domain/license/schemas.ts';
import { isFreeHost, mostFreeHosts } from '../../domain/license/strings.ts';
import { type LicenseCase, isClaimed, isFull, judge } from '../../domain/license/verdicts.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import {
  countFreeHosts,
  deleteActivation,
  insertActivation,
  touchActivation,
} from '../../queries/license-activations.ts';
import { checkCase, loadCase } from '../../queries/licenses.ts';

interface Moment {
  readonly ifMatch?: number | undefined;
  readonly now: Date;
}

interface LoadedCase {
  readonly found: readonly LicenseCase[];
  readonly known: readonly Activation[];
}

interface LoadedPlace extends LoadedCase {
  readonly id: Parameters<typeof nextId>[0];
  readonly free: readonly { readonly total: number }[];
}

export const registering = (asked: z.output<typeof LicenseRegister>, { ifMatch, now }: Moment) => ({
  load: {
    ...loadCase(asked),
    id: drawId('license_activations'),
    free: countFreeHosts(askedCode(asked)),
  },
  decide: ({ found, known: [known], id, free }: LoadedPlace) => {
    const row = current(found, ifMatch, 'license');
    if (isRefusal(row)) return row;
    const verdict = judge(row, asked, now);
    if (verdict !== 'VALID') return { write: [], reply: registration(row, null, verdict, now) };
    const at = now.toISOString();
    if (known) {
      const seen = { ...known, last_seen_at: at };
      return { write: [touchActivation(seen)], reply: registration(row, seen, verdict, now) };
    }
    const string = askedString(asked) ?? '';
    const seat = !isFreeHost(string);
    const { activation_limit, activation_count } = row.license;
    if (seat && isFull(row.license)) {
      return refuse('license_limit_reached', { data: { activation_limit, activation_count } });
    }
    if (!seat && (free[0]?.total ?? 0) >= mostFreeHosts) {
      return refuse('license_free_limit_reached', { data: { free_hosts: mostFreeHosts } });
    }
    const activation: Activation = {
      id: nextId(id),
      string,
      label: asked.label ?? '',
      meta: asked.meta ?? {},
      seat,
      first_at: at,
      last_seen_at: at,
    };
    const after = {
      ...row,
      license: { ...row.license, activation_count: activation_count + (seat ? 1 : 0) },
    };
    const reply = registration(after, activation, verdict, now);
    return {
      write: insertActivation(row.license, activation),
      events: [activatedEvent(reply.data.license, activation)],
      reply,
    };
  },
});

/** Also records that the licence was seen at the string, if one is given. */
export const validating = (asked: LicenseQuestion, { ifMatch, now }: Moment) => ({
  load: checkCase(asked),
  decide: ({ found, known: [known] }: LoadedCase) => {
    const row = current(found, ifMatch, 'license');
    if (isRefusal(row)) return row;
    const reply = verdictOn(row, known ?? null, asked, now);
    if (!known || !reply.valid) return { write: [], reply };
    const seen = { ...known, last_seen_at: now.toISOString() };
    return { write: [touchActivation(seen)], reply: verdictOn(row, seen, asked, now) };
  },
});

export const unregistering = (asked: LicenseQuestion, { ifMatch, now }: Moment) => ({
  load: loadCase(asked),
  decide: ({ found, known: [known] }: LoadedCase) => {
    if (!known) return refuse('rest_not_found');
    const claimed = found.filter((row) => isClaimed(row, asked));
    const before = current(claimed, ifMatch, 'license');
    if (isRefusal(before)) return before;
    const after = withoutActivations(before, known);
    return {
      write: deleteActivation(before.license, known),
      events: [deactivatedEvent(toLicense(after, now), known)],
      reply: release(after, 1, now),
    };
  },
});
