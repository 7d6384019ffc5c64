/** Turns `orders.list` into `ordersList`, a valid name in every language. */
export const operationName = (id: string, ...more: readonly string[]): string =>
  [id, ...more].join('.').replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** Turns `orders.list` into `OrdersList`. */
export const componentName = (id: string): string => operationName(`.${id}`);
