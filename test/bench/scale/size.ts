/** The size of a store; everything depends on its number of orders. */
export interface Size {
  readonly orders: number;
  readonly users: number;
  /** Users in the tree below user 1, some 20 tiers deep. */
  readonly tree: number;
  /** The first of 100 users in a tree of their own. */
  readonly smallTree: number;
  /** Affiliates who sell; `seller(k)` is the user of the k-th, from 0. */
  readonly sellers: number;
  readonly spacing: number;
  /** Attempts in the log of webhook 1; webhook 2 has 1,000. */
  readonly log: number;
}

export function sizeOf(orders: number): Size {
  const users = orders / 5;
  const tree = users * 0.6;
  const sellers = users / 100;
  return {
    orders,
    users,
    tree,
    smallTree: tree + 1,
    sellers,
    spacing: Math.floor((tree - 10) / sellers),
    log: orders,
  };
}

export const seller = ({ spacing }: Size, k: number) => 10 + k * spacing;

/** A table with more rows than this must never be read whole. */
export const largestIn = ({ orders }: Size): number => Math.min(10_000, orders / 10);
