import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type GroupMove,
  type MoveGroups,
  newMove,
  undoMove,
} from '../../../src/domain/group/moves.ts';
import { newGroup } from '../../../src/domain/group/rules.ts';
import { at } from '../../harness/rows.ts';

const now = new Date(at);
/** Two groups each have the same priority. */
const priorityOf = (id: number | null) => (id === null ? -1 : Math.floor((id - 1) / 2));
const groups = [1, 2, 3, 4, 5, 6].map((id) =>
  newGroup({ name: `Group ${id}`, priority: priorityOf(id) }, id, now),
);
const groupOf = (id: number | null) => groups.find((group) => group.id === id) ?? null;

/** A buyer, the groups that their orders give, and the group they are in. */
class Buyer {
  readonly base: number | null;
  current: number | null;
  #moves = new Map<number, GroupMove>();

  /** @param base the group before all orders */
  constructor(base: number | null) {
    this.base = base;
    this.current = base;
  }

  complete(order_id: number, group_id: number): void {
    const group = groups[group_id - 1];
    if (!group || this.#moves.has(order_id)) return;
    const move = newMove({ order_id, user_id: 1 }, group, groupOf(this.current), this.#all);
    this.#moves.set(order_id, move);
    if (move.moved) this.current = group_id;
  }

  refund(order_id: number): void {
    const all = this.#all;
    const own = all.find(({ move }) => move.order_id === order_id);
    if (!own) return;
    const others = all.filter((other) => other !== own);
    const { to, changed } = undoMove(own, others, this.current);
    if (to !== undefined) this.current = to?.id ?? null;
    this.#moves.delete(order_id);
    for (const move of changed) this.#moves.set(move.order_id, move);
  }

  get #all(): MoveGroups[] {
    return [...this.#moves.values()].flatMap((move) => {
      const group = groupOf(move.group_id);
      return group ? [{ move, group, origin: groupOf(move.from_group_id) }] : [];
    });
  }

  /** The groups that the buyer may be in: the first, and those that orders give. */
  get possible(): (number | null)[] {
    return [this.base, ...[...this.#moves.values()].map(({ group_id }) => group_id)];
  }
}

const step = fc.record({
  refunds: fc.boolean(),
  order: fc.integer({ min: 1, max: 6 }),
  group: fc.integer({ min: 1, max: 6 }),
});

const base = fc.option(fc.integer({ min: 1, max: 6 }));

test('A buyer is in a group that they had before or that an order gives, and in none lower than these, in whatever order orders are completed and refunded', () => {
  fc.assert(
    fc.property(base, fc.array(step, { maxLength: 30 }), (first, steps) => {
      const buyer = new Buyer(first);
      for (const { refunds, order, group } of steps) {
        if (refunds) buyer.refund(order);
        else buyer.complete(order, group);
        expect(buyer.possible).toContain(buyer.current);
        const highest = Math.max(...buyer.possible.map(priorityOf));
        expect(priorityOf(buyer.current)).toBe(highest);
      }
      for (const order of [1, 2, 3, 4, 5, 6]) buyer.refund(order);
      expect(buyer.current).toBe(first);
    }),
    { numRuns: 2000 },
  );
});
