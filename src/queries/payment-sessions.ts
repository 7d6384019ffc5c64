import { type SQL, and, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { paymentEvents, paymentSessions } from '../schema/payments.ts';
import { type Argument, type Write, build } from '../kernel/database/statements.ts';
import type { ProviderEvent, ProviderSession } from '../domain/payment/gateways/gateway.ts';

/** The payments of an order at providers, the newest first. */
export const findSessions = (order_id: Argument<number>) =>
  build
    .select()
    .from(paymentSessions)
    .where(eq(paymentSessions.order_id, order_id))
    .orderBy(desc(paymentSessions.id))
    .limit(50);

const isSession = (gateway: string, session_id: string) =>
  and(eq(paymentSessions.gateway, gateway), eq(paymentSessions.session_id, session_id));

export const findSession = (gateway: string, session_id: string) =>
  build.select().from(paymentSessions).where(isSession(gateway, session_id));

/** The order of a payment, for the statements that load an order. */
export const orderOfSession = (gateway: string, session_id: string): SQL =>
  sql`(select order_id from payment_sessions where gateway = ${gateway} and session_id = ${session_id})`;

/** Keeps an opened payment in the place of what was open; a twin's is the same and stays. */
export const insertSession = (
  order: { id: number; currency: string },
  gateway: string,
  amount: number,
  { id, url, expires_at }: ProviderSession,
  now: Date,
): Write[] => [
  build
    .update(paymentSessions)
    .set({ status: 'expired', updated_at: now.toISOString() })
    .where(
      and(
        eq(paymentSessions.order_id, order.id),
        inArray(paymentSessions.status, ['created', 'pending']),
        ne(paymentSessions.session_id, id),
      ),
    ),
  build
    .insert(paymentSessions)
    .values({
      order_id: order.id,
      gateway,
      session_id: id,
      amount,
      currency: order.currency,
      url,
      status: 'created',
      expires_at,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .onConflictDoNothing(),
];

/** One row when the event was taken before. */
export const findEvent = (gateway: string, event_id: string) =>
  build
    .select({ event_id: paymentEvents.event_id })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.gateway, gateway), eq(paymentEvents.event_id, event_id)));

/** Takes an event, once, and keeps what it says of its payment. */
export const takeEvent = (
  gateway: string,
  { id, session_id, outcome }: ProviderEvent,
  now: Date,
): Write[] => [
  build.insert(paymentEvents).values({ gateway, event_id: id, received_at: now.toISOString() }),
  build
    .update(paymentSessions)
    .set({ status: outcome, updated_at: now.toISOString() })
    .where(and(isSession(gateway, session_id), ne(paymentSessions.status, 'paid'))),
];
