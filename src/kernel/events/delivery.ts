import { type Budget, type Need, reserving } from '../budget.ts';
import { Collision, DatabaseUnavailable, unlessCutOff } from '../database/errors.ts';
import type { Statement } from '../database/statements.ts';
import { type Connection, UnitOfWork } from '../database/unit-of-work.ts';
import {
  type Delivery,
  type Health,
  type DeliveryRequest,
  type Result,
  claimDue,
  claimPerWebhook,
  pauseWebhook,
  recordResults,
} from './claims.ts';
import { lanes } from './outbound.ts';
import type { Following } from './outbox.ts';
import { nextAttempt } from './schedule.ts';
import { type Attempt, type Sender, send } from './send.ts';
import { webhookEvent } from './webhook-events.ts';

/** Tries to record results. Repeating a write that arrived changes nothing. */
const tries = 3;

/**
 * Seconds of a claim in which attempts may begin, so that results are recorded within the lease. Other deliveries are
 * given back.
 */
const claimSeconds = { healthy: 12, failing: 40 } as const;

/** Days without a success after which a webhook is paused. */
const patienceDays = 5;

/** Calls for a claim: one for itself, and one for each try to record results. */
const claimNeed: Need = { calls: 1 + tries, kept: tries };

/** Calls for a delivery, whose result may be recorded in a separate call. */
const deliveryNeed: Need = { calls: 3, kept: 1 };

export interface Courier extends Sender {
  readonly connection: Connection;
  readonly budget: Budget;
  /** Builds the rows that the event of a paused webhook causes, such as a message. */
  readonly following: Following;
}

/** Delivers due events to healthy endpoints after an answer, for which the platform leaves about 30 s. */
export const deliverNow = (courier: Courier): Promise<void> =>
  unlessCutOff([DatabaseUnavailable, Collision], () => untilDone(courier, 'healthy', 12));

/**
 * Delivers due events in a job. A failing endpoint gets one attempt.
 * @throws DatabaseUnavailable if it was cut off
 */
export const deliverDue = (courier: Courier, health: Health): Promise<void> =>
  unlessCutOff([Collision], () => untilDone(courier, health, 40));

export const deliverRequested = (courier: Courier, requested: DeliveryRequest): Promise<void> =>
  unlessCutOff([DatabaseUnavailable, Collision], async () => {
    await reserving(courier.budget, claimNeed, async () => {
      const claim = new Claim(courier, await claimed(courier, requested));
      await claim.deliver(() => true);
    });
  });

/** Claims and delivers until nothing is due, the time is over, or no calls are left. */
async function untilDone(courier: Courier, health: Health, seconds: number): Promise<void> {
  const now = () => courier.clock.now().getTime();
  const end = now() + seconds * 1000;
  for (let more = true; more && now() < end;) {
    const last = Math.min(end, now() + claimSeconds[health] * 1000);
    const wasFull = await reserving(courier.budget, claimNeed, async () => {
      const claim = new Claim(courier, await claimed(courier, health));
      await claim.deliver(() => now() < last);
      return claim.wasFull;
    });
    more = health === 'healthy' && wasFull === true;
  }
}

interface ClaimedDeliveries {
  readonly token: string;
  readonly deliveries: readonly Delivery[];
}

async function claimed(
  { connection, clock }: Courier,
  wanted: Health | DeliveryRequest,
): Promise<ClaimedDeliveries> {
  const token = crypto.randomUUID();
  const unit = new UnitOfWork(connection, undefined);
  const rows = await unit.write([], claimDue(wanted, token, clock.now()));
  return { token, deliveries: rows.map(({ delivery }) => delivery) };
}

class Claim {
  /** True if more deliveries may be due. */
  readonly wasFull: boolean;
  readonly #courier: Courier;
  readonly #waiting: Delivery[];
  /** Running requests, by webhook. */
  readonly #flying = new Map<number, number>();
  /** Webhooks that failed in this claim. Their other deliveries are given back. */
  readonly #failed = new Set<number>();
  readonly #writeBack: WriteBack;

  constructor(courier: Courier, { token, deliveries }: ClaimedDeliveries) {
    this.#courier = courier;
    this.#writeBack = new WriteBack(courier, token);
    this.#waiting = [...deliveries];
    const counts = Map.groupBy(deliveries, ({ webhook }) => webhook.id);
    this.wasFull = [...counts.values()].some(({ length }) => length === claimPerWebhook);
  }

  /** Sends everything, one delivery in each lane at a time, and records the results. */
  async deliver(inTime: () => boolean): Promise<void> {
    const lane = async () => {
      for (let next = this.#next(); next; next = this.#next()) {
        const release = this.#release(next, inTime());
        if (release) await this.#attempt(next, release);
        else this.#writeBack.giveBack(next);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    await this.#writeBack.done();
  }

  /** Reserves the calls for a delivery; undefined if it must be given back. */
  #release({ webhook }: Delivery, isInTime: boolean): (() => void) | undefined {
    if (!isInTime || this.#failed.has(webhook.id)) return undefined;
    const { budget } = this.#courier;
    const release = budget.reserve(deliveryNeed);
    if (!release) budget.putOff();
    return release;
  }

  /** Returns a delivery of the webhook with the fewest running requests, so that a slow one delays no other. */
  #next(): Delivery | undefined {
    const flying = ({ webhook }: Delivery) => this.#flying.get(webhook.id) ?? 0;
    const fewest = Math.min(...this.#waiting.map(flying));
    const index = this.#waiting.findIndex((delivery) => flying(delivery) === fewest);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #attempt(delivery: Delivery, release: () => void): Promise<void> {
    const { id } = delivery.webhook;
    this.#flying.set(id, (this.#flying.get(id) ?? 0) + 1);
    const attempt = await send(delivery, this.#courier);
    this.#flying.set(id, (this.#flying.get(id) ?? 0) - 1);
    if (attempt.status === 'failed') this.#failed.add(id);
    this.#writeBack.add(await outcomeOf(delivery, attempt, this.#courier), release);
  }
}

/** A result and, after a failure, a statement that may pause the webhook. */
interface Outcome {
  readonly result: Result;
  readonly pause?: Statement;
}

/** Records results as they come. Results that come during a trip go together in the next one. */
class WriteBack {
  readonly #courier: Courier;
  readonly #token: string;
  readonly #waiting: Outcome[] = [];
  #writing = Promise.resolve();

  constructor(courier: Courier, token: string) {
    this.#courier = courier;
    this.#token = token;
  }

  /** @param release called after the write */
  add(outcome: Outcome, release: () => void): void {
    this.#waiting.push(outcome);
    this.#writing = this.#writing.then(() => this.#flush()).finally(release);
    // A failure is reported by done().
    this.#writing.catch(() => undefined);
  }

  /** Gives back a delivery that was not tried. */
  giveBack({ id }: Delivery): void {
    this.#waiting.push({ result: { id, status: null } });
  }

  /** Resolves when everything is recorded. */
  done(): Promise<void> {
    return this.#writing.then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    const { connection, clock } = this.#courier;
    const results = batch.map(({ result }) => result);
    const pauses = batch.flatMap(({ pause }) => pause ?? []);
    const statements = [recordResults(this.#token, results, clock.now()), ...pauses];
    for (let attempt = 1; ; attempt++) {
      try {
        await new UnitOfWork(connection, undefined).write(statements);
        return;
      } catch (error) {
        if (attempt === tries) throw error;
      }
    }
  }
}

/** Decides the effect of an attempt on its delivery and, after a failure, on its webhook. */
async function outcomeOf(
  delivery: Delivery,
  { retryAfter, ...attempt }: Attempt,
  { clock, following }: Courier,
): Promise<Outcome> {
  const now = clock.now();
  const result = { id: delivery.id, ...attempt };
  if (attempt.status === 'success') return { result };
  const next = nextAttempt(delivery.attempts + 1, retryAfter, now, Math.random());
  return {
    result: { ...result, next_attempt_at: next.toISOString() },
    ...(await pauseOf(delivery, attempt.code === 410 ? 'gone' : 'failing', following, now)),
  };
}

async function pauseOf(
  { webhook }: Delivery,
  reason: 'gone' | 'failing',
  following: Following,
  now: Date,
): Promise<Pick<Outcome, 'pause'>> {
  const { id, name, url, last_success_at } = webhook;
  const event = webhookEvent('webhook.paused', {
    id,
    name,
    url,
    status: 'paused',
    paused_reason: reason,
    last_success_at: last_success_at && new Date(last_success_at).toISOString(),
  });
  const failingSince = new Date(now.getTime() - patienceDays * 86_400_000);
  const followed = await following([event], now);
  return { pause: pauseWebhook(id, reason, { event, following: followed, now, failingSince }) };
}
