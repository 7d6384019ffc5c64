/** One request that reached the endpoint. */
export interface Trip {
  /** Counted from 1 since the endpoint started. */
  number: number;
  requestId: string | undefined;
  /** The trip's number within its request, from 1; 0 for a trip without a request id. */
  ofRequest: number;
  statements: string[];
  /** Parameters of the statements, which contain the statements that a function runs. */
  parameters: (string | null)[];
  batch: boolean;
}

/** A fault, and the conditions of the trips on which it happens. */
export interface Fault {
  /** A part of the text of a statement or of a parameter. */
  statement?: string | undefined;
  requestId?: string | undefined;
  /** The trip's number within its request, from 1. */
  trip?: number | undefined;
  match?: ((trip: Trip) => boolean) | undefined;
  /** The number of trips that it happens on (default 1). */
  times?: number | undefined;
  /** Milliseconds to wait before anything is sent to PostgreSQL. */
  delay?: number | undefined;
  /** An answer of this status and text instead of running anything. */
  answer?: { status: number; body: string } | undefined;
  /** An error of PostgreSQL with this SQLSTATE instead of running anything. */
  sqlState?: string | undefined;
  /** Stops after the statements, before the commit, until released. */
  hold?: boolean | undefined;
  /** The point at which the connection to the caller breaks. Before the commit, the transaction is rolled back. */
  cut?: Cut | undefined;
}

export const CUTS = ['before parse', 'before commit', 'after commit', 'mid body'] as const;
export type Cut = (typeof CUTS)[number];

export interface FaultHandle {
  /** Resolves with the first trip that meets the fault. If the fault holds trips, this is once the trip is held. */
  readonly reached: Promise<Trip>;
  /** Releases the held trips, and holds no more. */
  release(): void;
}

export interface ActiveFault {
  fault: Fault;
  reach(trip: Trip): void;
  released: Promise<void>;
}

export class Faults {
  #waiting: (ActiveFault & { left: number; release(): void })[] = [];
  #holding = new Set<() => void>();

  /** Registers a fault for the next trip that meets its conditions. */
  next(fault: Fault): FaultHandle {
    const reached = Promise.withResolvers<Trip>();
    const released = Promise.withResolvers<void>();
    const release = () => {
      this.#holding.delete(release);
      released.resolve();
    };
    this.#holding.add(release);
    this.#waiting.push({
      fault,
      left: fault.times ?? 1,
      reach: reached.resolve,
      released: released.promise,
      release,
    });
    return { reached: reached.promise, release };
  }

  /** Removes all faults and releases the held trips. */
  clear(): void {
    this.#waiting = [];
    for (const release of this.#holding) release();
  }

  /** Returns the fault that this trip meets, and uses it up. */
  take(trip: Trip): ActiveFault | undefined {
    const found = this.#waiting.find(({ fault }) => meets(trip, fault));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0) this.#waiting = this.#waiting.filter((other) => other !== found);
    return found;
  }
}

function meets(trip: Trip, { statement, requestId, trip: ofRequest, match }: Fault): boolean {
  return (
    (statement === undefined ||
      [...trip.statements, ...trip.parameters].some((text) => text?.includes(statement))) &&
    (requestId === undefined || trip.requestId === requestId) &&
    (ofRequest === undefined || trip.ofRequest === ofRequest) &&
    (match === undefined || match(trip))
  );
}

/** The number of requests whose counts are kept. */
const REMEMBERED = 10_000;

export class Trips {
  total = 0;
  #counts = new Map<string, number>();

  /** The trips so far of the request with this `x-request-id`; the last ten thousand are known. */
  of(requestId: string): number {
    return this.#counts.get(requestId) ?? 0;
  }

  /**
   * Counts a trip.
   * @returns its number within its request, 0 without a request id
   */
  count(requestId: string | undefined): number {
    this.total += 1;
    if (requestId === undefined) return 0;
    const trips = this.of(requestId) + 1;
    this.#counts.set(requestId, trips);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > REMEMBERED && oldest !== undefined) this.#counts.delete(oldest);
    return trips;
  }
}
