import type { Call } from './operation.ts';
import type { Send } from './transport.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly meta?: { readonly next_cursor?: string | null };
}

/**
 * All records of a list, page after page.
 * @throws Error if a page's cursor leads to the same page again
 */
export async function* pagesOf(send: Send, first: Call): AsyncGenerator<unknown, void, undefined> {
  let last: string | null | undefined;
  for (let call: Call | undefined = first; call;) {
    const { data, meta } = (await send(call)) as Page;
    yield* data;
    const cursor = meta?.next_cursor;
    if (cursor && cursor === last) {
      throw new Error(
        `${first.operation.id}: a page leads to itself. Does a cache ignore queries?`,
      );
    }
    last = cursor;
    call = cursor ? { ...first, path: withCursor(first.path, cursor) } : undefined;
  }
}

/** A list's path from a cursor on, which replaces `page`. */
function withCursor(path: string, cursor: string): string {
  const [address = '', query = ''] = path.split('?');
  const others = query.split('&').filter((pair) => pair !== '' && !/^(page|cursor)=/.test(pair));
  return `${address}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}
