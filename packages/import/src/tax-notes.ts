/**
 * Notes on orders with tax on more than goods. In the store, only the tax on goods counts as tax.
 * @param on the other taxed amounts: `their fees`
 */
export const taxNotes = (orders: number, on: string): string[] =>
  orders === 0
    ? []
    : [
        `${orders === 1 ? '1 order has' : `${orders} orders have`} tax on ${on}: here this tax is part of these amounts, and the order's tax is that on its goods. Totals are unchanged.`,
      ];
