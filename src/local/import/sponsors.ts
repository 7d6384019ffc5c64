import type { Reason } from './reasons.ts';

/** Each person's sponsor, as the shop has it. */
export type Sponsors = ReadonlyMap<number, number | null>;

/** A person and who brought them, as the store can have it. */
export interface Sponsored {
  readonly id: number;
  readonly sponsorId: number | null;
  /** Why the sponsor isn't the shop's. */
  readonly reason?: Reason;
}

/**
 * People, each behind their sponsor, otherwise by their ids. A sponsor who isn't there is none; of sponsors that
 * lead round in a circle, the person of it with the highest id has none.
 */
export function* sponsorsFirst(sponsors: Sponsors): Generator<Sponsored> {
  const done = new Set<number>();
  const cut = new Set<number>();
  for (const start of [...sponsors.keys()].sort((a, b) => a - b)) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let id: number | null = start;
    while (id !== null && !done.has(id) && sponsors.has(id)) {
      if (onPath.has(id)) {
        cut.add(Math.max(...path.slice(path.indexOf(id))));
        break;
      }
      path.push(id);
      onPath.add(id);
      id = sponsors.get(id) ?? null;
    }
    yield* fromTheTop(path, sponsors, cut, done);
  }
}

function* fromTheTop(
  path: readonly number[],
  sponsors: Sponsors,
  cut: ReadonlySet<number>,
  done: Set<number>,
): Generator<Sponsored> {
  const left = new Set(path);
  // The one without a sponsor on the path comes first, in a circle the one that was cut.
  const begin = path.findLastIndex((id) => cut.has(id));
  const order =
    begin === -1 || begin === path.length - 1
      ? path.toReversed()
      : [...path.slice(0, begin + 1).toReversed(), ...path.slice(begin + 1).toReversed()];
  for (const id of order) {
    if (!left.delete(id)) continue;
    done.add(id);
    const sponsor = sponsors.get(id) ?? null;
    if (sponsor === null) yield { id, sponsorId: null };
    else if (!sponsors.has(sponsor)) yield { id, sponsorId: null, reason: 'sponsor-missing' };
    else if (cut.has(id)) yield { id, sponsorId: null, reason: 'sponsor-cycle' };
    else yield { id, sponsorId: sponsor };
  }
}
