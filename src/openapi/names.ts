/** Turns an endpoint's id into an operation's: `orders.list` is `ordersList`, a valid name in every language. */
export const operationName = (id: string, ...more: readonly string[]): string =>
  [id, ...more].join('.').replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the beginning of a component's name: `OrdersList`. */
export const componentName = (id: string): string => operationName(`.${id}`);
