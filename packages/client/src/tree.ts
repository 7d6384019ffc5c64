import { callOf, operationOf } from './operation.ts';
import { pagesOf } from './pages.ts';
import type { Send } from './transport.ts';

type Branch = { [name: string]: Branch | ((...args: unknown[]) => unknown) };

/**
 * A function for each operation of a table, nested by its name.
 * @param nameOf the name for an id; undefined leaves it out
 */
export function treeOf(
  operations: Readonly<Record<string, string>>,
  send: Send,
  nameOf: (id: string) => string | undefined,
): Branch {
  const root: Branch = {};
  for (const [id, line] of Object.entries(operations)) {
    const names = nameOf(id)?.split('.') ?? [];
    const last = names.pop();
    if (last === undefined) continue;
    const branch = names.reduce((at, name) => (at[name] ??= {}) as Branch, root);
    const operation = operationOf(id, line);
    const call = (...args: unknown[]) => send(callOf(operation, args));
    branch[last] = Object.assign(call, {
      all: (...args: unknown[]) => pagesOf(send, callOf(operation, args)),
    });
  }
  return root;
}
