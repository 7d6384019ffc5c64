import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type GroupMove,
  type MoveGroups,
  newMove,
  undoMoves,
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

  undo(...order_ids: number[]): void {
    const all = this.#all;
    const undone = all.filter(({ move }) => order_ids.includes(move.order_id));
    const others = all.filter((other) => !undone.includes(other));
    const { to, changed } = undoMoves(undone, others, this.current);
    if (to !== undefined) this.current = to?.id ?? null;
    for (const order_id of order_ids) this.#moves.delete(order_id);
    for (const move of changed) this.#moves.set(move.order_id, move);
  }

  get #all(): MoveGroups[] {
    return [...this.#moves.values()].flatMap((move) => {
      const group = groupOf(move.group_id);
      const origin = groupOf(move.from_group_id);
      return group ? [{ move, first_order_id: firstOf(move.order_id), group, origin }] : [];
    });
  }

  /** The groups that the buyer may be in: the first, and those that orders give. */
  get possible(): (number | null)[] {
    return [this.base, ...[...this.#moves.values()].map(({ group_id }) => group_id)];
  }
}

const orders = [1, 2, 3, 4, 5, 6];

/** Orders 1 to 3 are a subscription, and so are 4 and 5. */
const firstOf = (order: number) => (order < 4 ? 1 : order < 6 ? 4 : 6);

const step = fc.record({
  kind: fc.constantFrom('completes', 'refunds', 'ends'),
  order: fc.integer({ min: 1, max: 6 }),
  group: fc.integer({ min: 1, max: 6 }),
});

const base = fc.option(fc.integer({ min: 1, max: 6 }));

test('A buyer is in a group that they had before or that an order gives, and in none lower than these, in whatever order orders are completed and refunded, and subscriptions end', () => {
  fc.assert(
    fc.property(base, fc.array(step, { maxLength: 30 }), (first, steps) => {
      const buyer = new Buyer(first);
      for (const { kind, order, group } of steps) {
        const chain = orders.filter((other) => firstOf(other) === firstOf(order));
        if (kind === 'completes') buyer.complete(order, group);
        else buyer.undo(...(kind === 'ends' ? chain : [order]));
        expect(buyer.possible).toContain(buyer.current);
        const highest = Math.max(...buyer.possible.map(priorityOf));
        expect(priorityOf(buyer.current)).toBe(highest);
      }
      for (const order of orders) buyer.undo(order);
      expect(buyer.current).toBe(first);
    }),
    { numRuns: 2000 },
  );
});
