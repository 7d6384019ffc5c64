/**
 * Notes for a shop's owner about orders with tax on more than goods: the store only calls the tax
 * on goods tax.
 * @param on the other taxed amounts: `their fees`
 */
export const taxNotes = (orders: number, on: string): string[] =>
  orders === 0
    ? []
    : [
        `${orders === 1 ? '1 order has' : `${orders} orders have`} tax on ${on}: here that is part of what these cost, and the tax of such an order is that of its goods. Totals stay as they are.`,
      ];
