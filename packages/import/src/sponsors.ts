import type { Reason } from './reasons.ts';

/** The people of a shop, and their sponsors. */
export interface Upline {
  /** Everybody's ids, the lowest first. */
  readonly ids: Iterable<number>;
  /** A person's sponsor in the shop; undefined for an unknown person. */
  readonly sponsorOf: (id: number) => number | null | undefined;
}

export const uplineOf = (
  ids: ReadonlySet<number>,
  sponsors: ReadonlyMap<number, number>,
): Upline => ({
  ids: [...ids].sort((a, b) => a - b),
  sponsorOf: (id) => (ids.has(id) ? (sponsors.get(id) ?? null) : undefined),
});

/** A person and their sponsor, as the store can have it. */
export interface Sponsorship {
  readonly id: number;
  readonly sponsorId: number | null;
  /** The reason why the sponsor isn't the shop's. */
  readonly reason?: Reason;
}

/**
 * Sorts people after their sponsors, otherwise by id. A missing sponsor is removed; in a circle of sponsors, the person
 * with the highest id loses theirs.
 */
export function* sponsorsFirst({ ids, sponsorOf }: Upline): Generator<Sponsorship> {
  const done = new Set<number>();
  const cut = new Set<number>();
  for (const start of ids) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let id: number | null = start;
    while (id !== null && !done.has(id)) {
      const sponsor = sponsorOf(id);
      if (sponsor === undefined) break;
      if (onPath.has(id)) {
        cut.add(Math.max(...path.slice(path.indexOf(id))));
        break;
      }
      path.push(id);
      onPath.add(id);
      id = sponsor;
    }
    yield* fromTheTop(path, sponsorOf, cut, done);
  }
}

function* fromTheTop(
  path: readonly number[],
  sponsorOf: Upline['sponsorOf'],
  cut: ReadonlySet<number>,
  done: Set<number>,
): Generator<Sponsorship> {
  const left = new Set(path);
  // The person without a sponsor on the path comes first; in a circle, the one whose sponsor was cut.
  const begin = path.findLastIndex((id) => cut.has(id));
  const order =
    begin === -1 || begin === path.length - 1
      ? path.toReversed()
      : [...path.slice(0, begin + 1).toReversed(), ...path.slice(begin + 1).toReversed()];
  for (const id of order) {
    if (!left.delete(id)) continue;
    done.add(id);
    const sponsor = sponsorOf(id) ?? null;
    if (sponsor === null) yield { id, sponsorId: null };
    else if (sponsorOf(sponsor) === undefined)
      yield { id, sponsorId: null, reason: 'sponsor-missing' };
    else if (cut.has(id)) yield { id, sponsorId: null, reason: 'sponsor-cycle' };
    else yield { id, sponsorId: sponsor };
  }
}
