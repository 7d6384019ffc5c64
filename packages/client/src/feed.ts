import { waited } from './exchange.ts';

/**
 * A sequence that remembers its position: a new reader continues after the last entry, and parallel readers share the
 * entries.
 */
export interface Feed<Entry> {
  /** The `id` of the last entry that was read; pass it as `since` to continue in another process. */
  readonly since: number;
  [Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined>;
}

type Ask<Entry> = (
  query: { readonly webhook_id: number; readonly since_id: number },
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<{ readonly data: readonly Entry[]; readonly next_since: number }>;

/** The webhook to follow, and the start. */
export interface Followed {
  readonly webhook_id: number;
  /** Starts after this entry; 0 by default. */
  readonly since?: number | undefined;
  /** Milliseconds between two requests: 1,000 by default, doubled after each request without news, up to a minute. */
  readonly interval?: number | undefined;
}

/** The longest pause between two requests, in milliseconds. */
const longest = 60_000;

export function feedOf<Entry extends { readonly id: number }>(
  ask: Ask<Entry>,
  { webhook_id, since = 0, interval }: Followed,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Feed<Entry> {
  let last = since;

  async function* entries(): AsyncGenerator<Entry, void, undefined> {
    for (let quiet = 0; ; quiet += 1) {
      const { data, next_since } = await ask({ webhook_id, since_id: last }, options);
      for (const entry of data) {
        // Another reader of this feed took the entry while this one was busy.
        if (entry.id <= last) continue;
        last = entry.id;
        yield entry;
      }
      last = Math.max(last, next_since);
      if (data.length > 0) quiet = -1;
      else await waited(interval ?? Math.min(1000 * 2 ** quiet, longest), options.signal);
    }
  }

  return {
    get since() {
      return last;
    },
    [Symbol.asyncIterator]: entries,
  };
}
