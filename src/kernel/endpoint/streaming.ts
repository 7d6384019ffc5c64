import type { Context } from 'hono';
import type { Answer } from '../command/decision.ts';
import { AnswerTooLarge } from '../database/errors.ts';
import { stateOf } from './request-state.ts';

/** A file that is sent while it is made. */
export interface StreamedFile {
  readonly name: string;
  readonly type: string;
  /** Its parts, each made when the one before was taken. */
  readonly texts: AsyncGenerator<string, void>;
}

/**
 * Answers with a file. What fails before its first part is there fails as any request does; what fails later breaks
 * the connection, so that no part is taken for the whole. Each part has the time of a request.
 */
export async function fileOf(c: Context, { name, type, texts }: StreamedFile): Promise<Answer> {
  const state = stateOf(c);
  const first = await texts.next();
  const headers = {
    'content-type': `${type}; charset=UTF-8`,
    'content-disposition': `attachment; filename="${name}"`,
  };
  if (c.req.raw.method === 'HEAD') return { status: 200, text: '', headers };
  const sent = Promise.withResolvers<void>();
  state.sent = sent.promise;
  const next = () => {
    state.unit.renew();
    return texts.next();
  };
  const ended = (error?: Error) => {
    state.failure = error;
    sent.resolve();
  };
  return { status: 200, text: '', stream: streamOf(first, next, ended), headers };
}

/** Texts as bytes, read no sooner than they are asked for. */
function streamOf(
  first: IteratorResult<string, void>,
  next: () => Promise<IteratorResult<string, void>>,
  ended: (error?: Error) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let read = async () => first;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await read();
          read = next;
          if (!done) return controller.enqueue(encoder.encode(value));
          ended();
          controller.close();
        } catch (error) {
          ended(error as Error);
          throw error;
        }
      },
      cancel: () => ended(),
    },
    { highWaterMark: 0 },
  );
}

/** Records of a page; and how many fit into an answer of the database however large they are. */
const [usualSize, sureSize] = [1000, 100];

/**
 * Reads page after page, smaller ones where the database can't answer with as much.
 * @param read the page of so many records after a place, and the place after it
 */
export async function* pagesOf<T, N>(
  start: N | undefined,
  read: (after: N | undefined, size: number) => Promise<{ page: T; next: N | undefined }>,
): AsyncGenerator<T, void> {
  let size = usualSize;
  for (let after = start; ;) {
    const found = await read(after, size).catch((error: unknown) => {
      if (!(error instanceof AnswerTooLarge) || size === sureSize) throw error;
      size = sureSize;
      return read(after, size);
    });
    yield found.page;
    if (found.next === undefined) return;
    after = found.next;
  }
}
