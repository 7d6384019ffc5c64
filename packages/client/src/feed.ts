import { waited } from './exchange.ts';

/**
 * A sequence that remembers where it is: who begins to read it again goes on after the last entry, and several
 * who read at once share the entries.
 */
export interface Feed<Entry> {
  /** The `id` of the last entry that was read; give it as `since` to go on in another process. */
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
  /** Begins after this entry; 0 by default. */
  readonly since?: number | undefined;
  /**
   * Milliseconds between two questions: 1,000 by default, and twice as long after each one without news, a minute at
   * most.
   */
  readonly interval?: number | undefined;
}

/** Longest that a feed isn't asked for news, in milliseconds. */
const longest = 60_000;

/** The entries of a webhook's log, from one on, and those to come. */
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
        // Another reader of this feed had it while this one was busy.
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
