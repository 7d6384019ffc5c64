import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { Config } from '../../config.ts';
import { scopeOf, scopesOf } from './catalogue.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import { refusedAddress } from '../../kernel/events/safe-url.ts';
import { bodyOf, deliveredHeaders, typeOf, webhookId } from '../../kernel/events/send.ts';
import { webhookEvent } from '../../kernel/events/webhook-events.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import { withoutUndefined, ifChanged } from '../../lib/objects.ts';
import type {
  Replayed,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookUpdate,
  WholeDelivery,
} from './schemas.ts';
import type { WebhookRow } from '../../schema/events.ts';
import { firstVersion } from '../../lib/versions.ts';

/** Seconds for which both secrets sign after a rotation. */
const overlap = 86_400;

export const toWebhook = ({ webhook, ...state }: WebhookRow): Webhook => ({ ...webhook, ...state });

/** Returns the reason why a webhook may not have its address. */
export function addressRefusal(
  { webhook }: WebhookRow,
  config: Config,
): Refusal<'rest_invalid_param'> | undefined {
  const reason = refusedAddress(webhook.url, config);
  return reason === undefined
    ? undefined
    : refuse('rest_invalid_param', { params: { url: reason } });
}

/** Tells if a key's scopes cover an event's record. */
export function mayRead(principal: ScopedPrincipal, event: string): boolean {
  const scope = scopeOf(event);
  return scope !== undefined && principal.has(scope);
}

/**
 * Refuses to send events to a receiver, or sign them, unless the key's scopes cover them.
 * @param events names and patterns
 */
export function scopeRefusal(
  principal: ScopedPrincipal,
  events: readonly string[],
): Refusal<'rest_forbidden'> | undefined {
  const missing = scopesOf(events).filter((scope) => !principal.has(scope));
  if (missing.length === 0) return undefined;
  return refuse('rest_forbidden', {
    message: `Insufficient scope. These events also require ${missing.join(', ')}.`,
    data: { missing_scopes: missing },
  });
}

/**
 * The events that a change sends to another address. Events that the webhook no longer subscribes to count too, so that
 * nobody can redirect them after unsubscribing.
 * @param waiting unsent events, which it may have subscribed to before
 */
export function redirectedEvents(
  { webhook: before }: WebhookRow,
  { webhook: after }: WebhookRow,
  waiting: readonly string[],
): readonly string[] {
  const asked = [...before.events, ...after.events];
  if (before.url !== after.url) return [...asked, ...waiting];
  return sameEvents(before.events, after.events) ? [] : asked;
}

const sameEvents = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((event) => others.includes(event));

export function newWebhook(input: WebhookCreate, id: number, now: Date): WebhookRow {
  const { url, name = '', events = ['*'], status = 'active' } = input;
  return {
    webhook: {
      id,
      name,
      url: plain(url),
      events: [...new Set(events)],
      status,
      paused_reason: status === 'paused' ? 'manual' : null,
      previous_secret_expires_at: null,
      deleted_at: null,
      ...firstVersion(now.toISOString()),
    },
    last_success_at: null,
    failing_since: null,
    last_attempt: null,
  };
}

/** Normalises an address and removes its fragment. */
function plain(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** Returns the same object if nothing changes. Activation and a new address clear `failing_since`. */
export function updatedWebhook(before: WebhookRow, input: WebhookUpdate, now: Date): WebhookRow {
  const { url = before.webhook.url, status = before.webhook.status, events, name } = input;
  const after = changed(before, {
    ...withoutUndefined({ name, events: events && [...new Set(events)] }),
    url: plain(url),
    status,
    paused_reason: status === 'paused' ? (before.webhook.paused_reason ?? 'manual') : null,
    updated_at: now.toISOString(),
  });
  if (ifChanged(before.webhook, after.webhook) === before.webhook) return before;
  return beginsAnew(before, after) ? { ...after, failing_since: null } : after;
}

/** Tells if a change makes the waiting deliveries due at once. */
export const beginsAnew = ({ webhook: before }: WebhookRow, { webhook: after }: WebhookRow) =>
  after.status === 'active' && (before.status !== 'active' || before.url !== after.url);

const changed = (row: WebhookRow, changes: Partial<WebhookRow['webhook']>): WebhookRow => ({
  ...row,
  webhook: { ...row.webhook, ...changes, version: row.webhook.version + 1 },
});

export const rotatedWebhook = (before: WebhookRow, now: Date): WebhookRow =>
  changed(before, {
    previous_secret_expires_at: addSeconds(now.toISOString(), overlap),
    updated_at: now.toISOString(),
  });

export const deletedWebhook = (before: WebhookRow, now: Date): WebhookRow =>
  changed(before, { deleted_at: now.toISOString(), status: 'disabled' });

/** Returns the event of a webhook that the change pauses; no event otherwise. */
export function pauseEvents({ webhook: before }: WebhookRow, after: WebhookRow): DomainEvent[] {
  const { id, name, url, status, paused_reason } = after.webhook;
  if (status !== 'paused' || paused_reason === null || before.status === 'paused') return [];
  const { last_success_at } = after;
  return [
    webhookEvent('webhook.paused', { id, name, url, status, paused_reason, last_success_at }),
  ];
}

type AttemptRow = Omit<WebhookDelivery, 'type' | 'redacted'>;

/** A receiver's answer may repeat the event's record, so the key's scopes decide if it is shown. */
export const toDelivery = (row: AttemptRow, principal: ScopedPrincipal): WebhookDelivery => ({
  ...row,
  ...(!mayRead(principal, row.event) && { answer: '', redacted: true }),
  event_id: webhookId(row.event_id),
  type: typeOf(row.event),
});

/** All data of a delivery, as far as the key may read it. */
export const toWholeDelivery = (
  attempt: AttemptRow & Parameters<typeof deliveredHeaders>[1],
  event: Parameters<typeof bodyOf>[0] & { delivered_at: string | null; next_attempt_at: string },
  attempts: readonly AttemptRow[],
  principal: ScopedPrincipal,
): WholeDelivery => ({
  ...toDelivery(attempt, principal),
  headers: deliveredHeaders(attempt.event_id, attempt),
  body: mayRead(principal, attempt.event) ? bodyOf(event) : '',
  delivered_at: event.delivered_at,
  next_attempt_at: event.delivered_at === null ? event.next_attempt_at : null,
  attempts: attempts.map((row) => toDelivery(row, principal)),
});

export const toReplayed = (
  webhook_id: number,
  measured: { replayed: number; next_from: string | null } | undefined,
): Replayed => ({
  webhook_id,
  replayed: measured?.replayed ?? 0,
  next_from: measured?.next_from ? new Date(measured.next_from).toISOString() : null,
});
