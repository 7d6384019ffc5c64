import { type Answered, type Refused, type SqlRequest, parseRequest } from './wire.ts';

export interface DriverRequest {
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal | null | undefined;
}

/** Answers a request without a real connection, and breaks off at the point where one would break. */
export async function within(
  { headers, body, signal }: DriverRequest,
  answer: (asked: SqlRequest, gone: AbortSignal) => Promise<Answered>,
  refusalFor: (error: unknown) => Refused,
): Promise<Response> {
  const answerTo = async () => {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return answer(parseRequest(Object.fromEntries(names), Buffer.from(body)), gone);
  };
  const gone = signal ?? new AbortController().signal;
  gone.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(gone.reason);
  gone.addEventListener('abort', leave);
  const answered = answerTo().then(ofAnswer, (error: unknown) => ofRefusal(refusalFor(error)));
  return Promise.race([answered, left.promise]).finally(() =>
    gone.removeEventListener('abort', leave),
  );
}

function ofAnswer({ headers, body, cut }: Answered): Response {
  const init = { headers: { 'content-type': 'application/json', ...headers } };
  return new Response(cut === 'mid body' ? halfOf(body) : body.toString(), init);
}

/** A body whose connection breaks in the middle. */
function halfOf(body: Buffer): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(body.subarray(0, body.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}

function ofRefusal({ status, body }: Refused): Response {
  if (status === 0) throw new TypeError('fetch failed');
  if (status === 204) return new Response(null, { status });
  if (typeof body === 'string')
    return new Response(body, { status, headers: { 'content-type': 'text/plain' } });
  return Response.json(body, { status });
}
