import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../database/statements.ts';
import { type DomainEvent } from './define.ts';
import { publishEvents } from './outbox.ts';

/** The most deliveries in a claim, and of one webhook among them. */
export const claimSize = 25;
export const claimPerWebhook = 5;

/**
 * Seconds until a claim ends without results. For healthy endpoints this is within the minute that a delivery may be
 * late.
 */
export const leaseSeconds = { healthy: 60, failing: 120 } as const;

/** An event on its way to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly event_id: string;
  readonly event: string;
  readonly object_id: number;
  readonly data: object;
  readonly created_at: string;
  /** Attempts finished before this one. */
  readonly attempts: number;
  readonly webhook: {
    readonly id: number;
    readonly name: string;
    readonly url: string;
    readonly last_success_at: string | null;
    /** The current one first. */
    readonly secrets: readonly string[];
  };
}

/** The last attempt of a healthy endpoint succeeded. */
export type Health = 'healthy' | 'failing';

/** Deliveries that were requested together, due from `at` on. */
export interface DeliveryRequest {
  readonly webhook_id: number;
  readonly at: Date;
}

/**
 * Claims due deliveries under the caller's token, until the lease ends. A healthy endpoint gets several at once. A
 * failing one gets the delivery that waited longest, and none during another attempt. Endpoints take turns, so that
 * none waits for another's backlog. Requested deliveries don't wait.
 */
export function claimDue(wanted: Health | DeliveryRequest, token: string, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const failing = wanted === 'failing';
  const lease = leaseSeconds[failing ? 'failing' : 'healthy'];
  const until = new Date(now.getTime() + lease * 1000).toISOString();
  const [deliveries, webhooks] =
    typeof wanted === 'object'
      ? [
          sql`next_attempt_at = ${wanted.at.toISOString()}::timestamptz`,
          sql`w.id = ${wanted.webhook_id}`,
        ]
      : [
          sql`next_attempt_at <= ${at}`,
          sql`(s.failing_since is not null) = ${failing}
            and (not ${failing} or s.slot_until is null or s.slot_until <= ${at})`,
        ];
  return raw<{ delivery: Delivery }>(sql`
    with candidate as materialized (
      select o.id, o.webhook_id, o.next_attempt_at
        from webhooks w
        join webhook_states s on s.webhook_id = w.id
       cross join lateral (
         select id, webhook_id, next_attempt_at from outbox
          where webhook_id = w.id and delivered_at is null and ${deliveries}
            and (lease_until is null or lease_until <= ${at})
          order by next_attempt_at, id
          limit ${failing ? 1 : claimPerWebhook}
          for update skip locked
       ) o
       where w.status = 'active' and w.deleted_at is null and ${webhooks}
    ), chosen as (
      select id, row_number() over (partition by webhook_id order by next_attempt_at, id) as turn
        from candidate
       order by turn, next_attempt_at, id
       limit ${claimSize}
    ), taken as (
      update outbox o set lease_token = ${token}, lease_until = ${until}
        from chosen c where o.id = c.id
      returning o.*, c.turn
    ), slots as (
      update webhook_states s set slot_until = ${until}
        from taken t where ${failing} and s.webhook_id = t.webhook_id
    )
    select jsonb_build_object(
             'id', t.id, 'event_id', t.event_id, 'event', t.event, 'object_id', t.object_id,
             'data', t.data, 'created_at', t.created_at, 'attempts', t.attempts,
             'webhook', jsonb_build_object(
               'id', w.id, 'name', w.name, 'url', w.url, 'last_success_at', s.last_success_at,
               'secrets', array_remove(array[
                 w.secret,
                 case when w.previous_secret_expires_at > ${at} then w.previous_secret end
               ], null)
             )
           ) as delivery
      from taken t
      join webhooks w on w.id = t.webhook_id
      join webhook_states s on s.webhook_id = t.webhook_id
     order by t.turn, t.next_attempt_at, t.id`);
}

/**
 * The time of the next claim; an SQL expression, null if nothing waits. Claimed deliveries come first in the index, for
 * two minutes at most, so a few rows of each webhook suffice.
 */
export const nextDelivery = (health: Health): SQL => sql`
  (select min(greatest(first.at, case when s.failing_since is not null then s.slot_until end))
     from webhooks w
     join webhook_states s on s.webhook_id = w.id
    cross join lateral (
      select min(greatest(next_attempt_at, lease_until)) as at
        from (select next_attempt_at, lease_until from outbox
               where webhook_id = w.id and delivered_at is null
               order by next_attempt_at, id limit ${2 * claimSize}) o
    ) first
    where w.status = 'active' and w.deleted_at is null
      and (s.failing_since is not null) = ${health === 'failing'})`;

/** The result of a claimed delivery. Without a status it was not tried, and the claim is given back. */
export interface Result {
  readonly id: number;
  readonly status: 'success' | 'failed' | null;
  /** The answer's HTTP status; 0 without an answer. */
  readonly code?: number;
  readonly milliseconds?: number;
  readonly error?: string | null;
  /** The first part of the answer. */
  readonly answer?: string;
  /** The sent `webhook-timestamp` and `webhook-signature`. */
  readonly sent_at?: number | null;
  readonly signature?: string | null;
  readonly next_attempt_at?: string;
}

/** Records results if the claim still has this token, and logs finished attempts. */
export const recordResults = (token: string, results: readonly Result[], now: Date) =>
  raw(
    sql`select svc_record_deliveries(${token}, ${JSON.stringify(results)}, ${now.toISOString()})`,
  );

/** Pauses an active webhook if `condition` holds, and queues the event for it. */
export function pauseWebhook(
  id: number,
  reason: 'gone' | 'failing',
  {
    event,
    following,
    now,
    failingSince,
  }: {
    event: DomainEvent;
    following: SQL<boolean> | undefined;
    now: Date;
    failingSince: Date;
  },
) {
  const at = now.toISOString();
  return raw(sql`
    with paused as (
      update webhooks set status = 'paused', paused_reason = ${reason}, updated_at = ${at},
             version = version + 1
       where id = ${id} and status = 'active' and (${reason} = 'gone' or exists (
         select from webhook_states where webhook_id = ${id} and failing_since <= ${failingSince.toISOString()}
       ))
      returning id
    ) select ${publishEvents([event], now)}, ${following ?? sql`false`} from paused`);
}
