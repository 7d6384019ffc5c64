import type { Context } from 'hono';
import type { Answer } from '../command/decision.ts';
import type { StreamedFile } from '../lists/pages.ts';
import { stateOf } from './request-state.ts';

/**
 * Streams a file. A failure before the first part is answered like any other. A later one breaks the connection, so
 * that nobody takes a part for the whole. Each part has the time limit of a request.
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

/** Encodes texts, each of which is read only when the reader asks for it. */
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
