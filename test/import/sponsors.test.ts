import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Upline, sponsorsFirst } from '../../packages/import/src/sponsors.ts';

const graphs = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
  .chain((ids) =>
    fc
      .array(fc.option(fc.integer({ min: 1, max: 60 })), {
        minLength: ids.length,
        maxLength: ids.length,
      })
      .map((sponsors) => new Map(ids.map((id, i) => [id, sponsors[i] ?? null]))),
  );

const uplineOf = (sponsors: ReadonlyMap<number, number | null>): Upline => ({
  ids: [...sponsors.keys()].sort((a, b) => a - b),
  sponsorOf: (id) => sponsors.get(id),
});

test('sponsorsFirst returns everybody once, after their sponsor, in any graph', () => {
  fc.assert(
    fc.property(graphs, (sponsors) => {
      const seen = new Set<number>();
      for (const { id, sponsorId } of sponsorsFirst(uplineOf(sponsors))) {
        expect(seen.has(id)).toBe(false);
        if (sponsorId !== null) expect(seen.has(sponsorId)).toBe(true);
        seen.add(id);
      }
      expect(seen).toEqual(new Set(sponsors.keys()));
    }),
  );
});

test('sponsorsFirst removes a sponsor only if the sponsor is missing or closes a circle', () => {
  fc.assert(
    fc.property(graphs, (sponsors) => {
      for (const { id, sponsorId, reason } of sponsorsFirst(uplineOf(sponsors))) {
        const theirs = sponsors.get(id) ?? null;
        if (reason === undefined) expect(sponsorId).toBe(theirs);
        else if (reason === 'sponsor-missing') expect(sponsors.has(theirs ?? 0)).toBe(false);
        else {
          const circle = new Set<number>();
          for (
            let at: number | null = id;
            at !== null && !circle.has(at);
            at = sponsors.get(at) ?? null
          )
            circle.add(at);
          // The highest id of the circle loses its sponsor, and leads back to itself.
          expect(Math.max(...circle)).toBe(id);
          expect(circle.has(theirs ?? 0)).toBe(true);
        }
      }
    }),
  );
});
