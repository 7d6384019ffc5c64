import { Agent, request } from 'node:http';

export interface Request {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The latency of each request, and the total time, in milliseconds. */
export interface Sample {
  latencies: number[];
  elapsed: number;
}

/**
 * Starts `callers` callers, each on a connection of its own, which send requests one after the other until
 * `milliseconds` are over or `count` were sent.
 * @throws Error for an answer that is no success
 */
export async function load(
  next: () => Request,
  { callers, milliseconds = Infinity, count = Infinity }: LoadLimits,
): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const latencies: number[] = [];
  const started = performance.now();
  let left = count;
  const caller = async () => {
    while (left > 0 && performance.now() - started < milliseconds) {
      left -= 1;
      latencies.push(await timed(next(), agent));
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, caller));
  } finally {
    agent.destroy();
  }
  return { latencies, elapsed: performance.now() - started };
}

interface LoadLimits {
  callers: number;
  milliseconds?: number;
  count?: number;
}

/**
 * Sends a request and reads its answer.
 * @returns the milliseconds it took
 */
export function timed({ method, url, headers = {}, body }: Request, agent: Agent) {
  const started = performance.now();
  return new Promise<number>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, agent, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 400) {
          resolve(performance.now() - started);
          return;
        }
        const text = Buffer.concat(chunks).toString();
        reject(new Error(`${method} ${url} answered ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
