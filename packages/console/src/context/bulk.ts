import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { useSession } from './session.ts';

export interface BulkItem {
  readonly id: number;
  readonly name: string;
}

/** A bulk action: one call for each record. Its stored state survives a reload. */
interface Job {
  /** The prefix of its calls' idempotency keys: a repeated call is carried out once. */
  readonly key: string;
  /** The action's name when it began. */
  readonly verb: string;
  readonly items: readonly BulkItem[];
  /** Errors by id; null for a success. */
  readonly results: Readonly<Record<number, string | null>>;
}

export interface Bulk {
  readonly job: Job | undefined;
  readonly isRunning: boolean;
  /** The error if the records could not be read. */
  readonly error: Error | null;
  readonly start: (verb: string, read: () => AsyncIterable<BulkItem>) => Promise<void>;
  readonly goOn: () => void;
  readonly stop: () => void;
  readonly forget: () => void;
}

/** Parallel calls, and milliseconds between two starts: fewer than 600 calls a minute. */
const atOnce = 4;
const pace = 120;

function read(name: string): Job | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as Job;
  } catch {
    return undefined;
  }
}

function keep(name: string, job: Job | undefined): void {
  try {
    if (job) localStorage.setItem(name, JSON.stringify(job));
    else localStorage.removeItem(name);
  } catch {
    // The storage is unavailable: the state lasts until the page is closed.
  }
}

const openOf = ({ items, results }: Job) => items.filter(({ id }) => !(id in results));

/**
 * Runs a bulk action: reads the ids of its records, then makes four calls at a time.
 * @param name unique name of the action
 * @param run makes the call for one record, under the same key when it is repeated
 */
export function useBulk(
  name: string,
  run: (id: number, idempotencyKey: string) => Promise<unknown>,
  onEnd: () => void,
): Bulk {
  const stored = `bulk:${useSession().user.id}:${name}`;
  const [job, setJob] = useState(() => read(stored));
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const stopped = useRef(true);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const put = (next: Job | undefined) => {
    keep(stored, next);
    setJob(next);
  };
  const work = async (begun: Job) => {
    let current = begun;
    const queue = openOf(begun);
    let next = Date.now();
    const worker = async () => {
      for (let item = queue.shift(); item && !stopped.current; item = queue.shift()) {
        const wait = next - Date.now();
        next = Math.max(next, Date.now()) + pace;
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        const result = await resultOf(run(item.id, `${begun.key}-${item.id}`));
        if (result === undefined) return;
        current = { ...current, results: { ...current.results, [item.id]: result } };
        put(current);
      }
    };
    stopped.current = false;
    setRunning(true);
    await Promise.all(Array.from({ length: atOnce }, worker));
    setRunning(false);
    onEnd();
  };
  return {
    ...{ job, isRunning, error },
    start: async (verb, records) => {
      setError(null);
      setRunning(true);
      try {
        const items: BulkItem[] = [];
        for await (const item of records()) items.push(item);
        const begun = { key: crypto.randomUUID(), verb, items, results: {} };
        put(begun);
        await work(begun);
      } catch (reason) {
        setRunning(false);
        setError(reason as Error);
      }
    },
    goOn: () => job && void work(job),
    stop: () => {
      stopped.current = true;
    },
    forget: () => put(undefined),
  };
}

/** The outcome of a call; undefined if it is unknown, so the call is repeated. */
async function resultOf(call: Promise<unknown>): Promise<string | null | undefined> {
  try {
    await call;
    return null;
  } catch (error) {
    return error instanceof ApiError && error.status < 500 && error.status !== 401
      ? error.message
      : undefined;
  }
}
