import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GroupMove, newMove, undoMove } from '../../../src/domain/group/moves.ts';
import { newGroup } from '../../../src/domain/group/rules.ts';
import { at } from '../../harness/rows.ts';

const now = new Date(at);
const groups = [1, 2, 3, 4].map((id) => newGroup({ name: `Group ${id}`, priority: id }, id, now));
const groupOf = (id: number | null) => groups.find((group) => group.id === id) ?? null;

/** A buyer, the groups that their orders give, and the group they are in. */
class Buyer {
  current: number | null = null;
  #moves = new Map<number, GroupMove>();

  complete(order_id: number, group_id: number): void {
    const group = groups[group_id - 1];
    if (!group || this.#moves.has(order_id)) return;
    const move = newMove({ order_id, user_id: 1 }, group, groupOf(this.current));
    this.#moves.set(order_id, move);
    if (move.moved) this.current = group_id;
  }

  refund(order_id: number): void {
    const all = [...this.#moves.values()].flatMap((move) => {
      const group = groupOf(move.group_id);
      return group ? [{ move, group, origin: groupOf(move.from_group_id) }] : [];
    });
    const own = all.find(({ move }) => move.order_id === order_id);
    if (!own) return;
    const others = all.filter((other) => other !== own);
    const { to, changed } = undoMove(own, others, this.current);
    if (to !== undefined) this.current = to?.id ?? null;
    this.#moves.delete(order_id);
    for (const move of changed) this.#moves.set(move.order_id, move);
  }

  /** The highest group that an order gives. */
  get highest(): number | null {
    const given = [...this.#moves.values()].map(({ group_id }) => group_id);
    return given.length > 0 ? Math.max(...given) : null;
  }
}

const step = fc.record({
  refunds: fc.boolean(),
  order: fc.integer({ min: 1, max: 6 }),
  group: fc.integer({ min: 1, max: 4 }),
});

test('A buyer is in the highest group that their orders give, in whatever order these are completed and refunded', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const buyer = new Buyer();
      for (const { refunds, order, group } of steps) {
        if (refunds) buyer.refund(order);
        else buyer.complete(order, group);
        expect(buyer.current).toBe(buyer.highest);
      }
    }),
  );
});
