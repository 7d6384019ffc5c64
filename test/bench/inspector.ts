import { once } from 'node:events';
import { createServer } from 'node:net';

/** V8's samples: nodes of the call tree, and the node that ran at each moment. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** A function, and the milliseconds that it ran itself. */
export interface Sampled {
  readonly name: string;
  /** Counted from 0, in the script. */
  readonly line: number;
  readonly milliseconds: number;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Samples the worker behind an inspector during work. */
export async function sampled(port: number, work: () => Promise<unknown>): Promise<Sampled[]> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    socket.send(JSON.stringify({ id: ++id, method, params }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result?: unknown };
      if (answer.id === id) return answer.result;
    }
  };
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: 100 });
  await ask('Profiler.start');
  await work();
  const { profile } = (await ask('Profiler.stop')) as { profile: Profile };
  socket.close();
  return functionsOf(profile);
}

function functionsOf({ nodes, samples, timeDeltas }: Profile): Sampled[] {
  const times = new Map<number, number>();
  samples.forEach((node, i) => {
    times.set(node, (times.get(node) ?? 0) + (timeDeltas[i] ?? 0) / 1000);
  });
  return nodes.map(({ id, callFrame }) => ({
    name: callFrame.functionName || 'anonymous',
    line: callFrame.lineNumber,
    milliseconds: times.get(id) ?? 0,
  }));
}
