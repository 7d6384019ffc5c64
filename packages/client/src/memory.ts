import type { Call } from './operation.ts';

interface Known {
  readonly tag: string;
  readonly text: string;
}

/** The largest number of stored answers. */
const most = 50;

/** The last replies with an ETag, by request: an unchanged reply isn't sent again. */
export function newMemory() {
  const known = new Map<string, Known>();
  return {
    of: ({ operation, path }: Call) =>
      operation.traits.includes('e') ? known.get(path) : undefined,

    keep({ operation, path }: Call, tag: string | null, text: string | undefined): void {
      if (!operation.traits.includes('e') || tag === null || text === undefined) return;
      known.delete(path);
      known.set(path, { tag, text });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}
