import { waited } from './exchange.ts';

/** A sequence that remembers where it is: who begins to read it again goes on after the last entry. */
export interface Feed<Entry> extends AsyncIterable<Entry, void, undefined> {
  /** The `id` of the last entry that was read; give it as `since` to go on in another process. */
  readonly since: number;
}

type Ask<Entry> = (
  query: { readonly webhook_id: number; readonly since_id: number },
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<{ readonly data: readonly Entry[]; readonly next_since: number }>;

/** Longest that a feed isn't asked for news, in milliseconds. */
const longest = 60_000;

/** The entries of a webhook's log, from one on, and those to come. */
export function feedOf<Entry extends { readonly id: number }>(
  ask: Ask<Entry>,
  { webhook_id, since = 0 }: { readonly webhook_id: number; readonly since?: number | undefined },
  options: { readonly signal?: AbortSignal | undefined } = {},
): Feed<Entry> {
  let last = since;

  async function* entries(): AsyncGenerator<Entry, void, undefined> {
    for (let pause = 1000; ; pause = Math.min(pause * 2, longest)) {
      const { data, next_since } = await ask({ webhook_id, since_id: last }, options);
      for (const entry of data) {
        last = entry.id;
        yield entry;
      }
      last = Math.max(last, next_since);
      if (data.length > 0) pause = 500;
      else await waited(pause, options.signal);
    }
  }

  return {
    get since() {
      return last;
    },
    [Symbol.asyncIterator]: entries,
  };
}
