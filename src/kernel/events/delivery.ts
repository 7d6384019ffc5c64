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

/** The number of times that a write-back is sent; to repeat one that arrived changes nothing. */
const tries = 3;

/**
 * Seconds of a claim in which attempts may begin: what is claimed has to be written back before its
 * lease ends, and the rest is given back.
 */
const claimSeconds = { healthy: 12, failing: 40 } as const;

/** Days without a success after which a webhook is paused. */
const patienceDays = 5;

/** Calls for a claim: to make it, and to write back what came of it in as many tries. */
const claimNeed: Need = { calls: 1 + tries, kept: tries };

/** Calls for a delivery, whose result may be written back alone. */
const deliveryNeed: Need = { calls: 3, kept: 1 };

/** The services that a delivery needs. */
export interface Courier extends Sender {
  readonly connection: Connection;
  readonly budget: Budget;
  /** Builds what else follows when a webhook is paused. */
  readonly following: Following;
}

/**
 * Delivers what is due to healthy endpoints; for the time after an answer, of which the platform
 * gives about 30 s.
 */
export const deliverNow = (courier: Courier): Promise<void> =>
  unlessCutOff([DatabaseUnavailable, Collision], () => untilDone(courier, 'healthy', 12));

/**
 * Delivers what is due to endpoints of that health; for the jobs. A failing one gets one attempt.
 * @throws DatabaseUnavailable where it was cut off
 */
export const deliverDue = (courier: Courier, health: Health): Promise<void> =>
  unlessCutOff([Collision], () => untilDone(courier, health, 40));

/** Delivers at once what somebody asked for, however its endpoint fared so far. */
export const deliverRequested = (courier: Courier, requested: DeliveryRequest): Promise<void> =>
  unlessCutOff([DatabaseUnavailable, Collision], async () => {
    await reserving(courier.budget, claimNeed, async () => {
      const claim = new Claim(courier, await claimed(courier, requested));
      await claim.deliver(() => true);
    });
  });

/** Claims and delivers until nothing is due, no request may be started any more, or no calls are left for one. */
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

/** The deliveries of one claim, on their way. */
class Claim {
  /** True if more may be due for one of the endpoints, or for others. */
  readonly wasFull: boolean;
  readonly #courier: Courier;
  readonly #waiting: Delivery[];
  /** Requests under way, by webhook. */
  readonly #flying = new Map<number, number>();
  /** Webhooks that failed in this claim: the rest of theirs is given back. */
  readonly #failed = new Set<number>();
  readonly #writeBack: WriteBack;

  constructor(courier: Courier, { token, deliveries }: ClaimedDeliveries) {
    this.#courier = courier;
    this.#writeBack = new WriteBack(courier, token);
    this.#waiting = [...deliveries];
    const counts = Map.groupBy(deliveries, ({ webhook }) => webhook.id);
    this.wasFull = [...counts.values()].some(({ length }) => length === claimPerWebhook);
  }

  /** Sends all of them, as many at once as there are lanes, and writes back what became of them. */
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

  /** Reserves the calls for a delivery; undefined where it is given back. */
  #release({ webhook }: Delivery, isInTime: boolean): (() => void) | undefined {
    if (!isInTime || this.#failed.has(webhook.id)) return undefined;
    const { budget } = this.#courier;
    const release = budget.reserve(deliveryNeed);
    if (!release) budget.putOff();
    return release;
  }

  /** The next delivery, of the webhook with the fewest under way: a slow one holds up no other. */
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

/** The result of a delivery and, if it failed, a statement that may pause its webhook. */
interface Outcome {
  readonly result: Result;
  readonly pause?: Statement;
}

/**
 * Writes outcomes back as they come. Outcomes and returned claims that come during a trip go together in the next.
 */
class WriteBack {
  readonly #courier: Courier;
  readonly #token: string;
  readonly #waiting: Outcome[] = [];
  #writing = Promise.resolve();

  constructor(courier: Courier, token: string) {
    this.#courier = courier;
    this.#token = token;
  }

  /** @param release called once it is written */
  add(outcome: Outcome, release: () => void): void {
    this.#waiting.push(outcome);
    this.#writing = this.#writing.then(() => this.#flush()).finally(release);
    // Reported by done().
    this.#writing.catch(() => undefined);
  }

  /** Gives a delivery back that was not tried. */
  giveBack({ id }: Delivery): void {
    this.#waiting.push({ result: { id, status: null } });
  }

  /** Resolves when everything is written. */
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

/** Works out what an attempt means for its delivery and, if it failed, for its webhook. */
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
