import { sql } from 'drizzle-orm';
import { type Window, equals, isDated, paged, since, until } from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';
import { actorName } from './actor-names.ts';
import type { AuditQuery } from '../domain/audit/schemas.ts';
import { auditLog } from '../schema/platform.ts';

/** The number of the changed order; null for other records and erased orders. */
const subjectNumber = sql`case
    when ${auditLog.subject_type} = 'orders' and ${auditLog.subject_id} ~ '^[0-9]{1,18}$'
    then (select o.number from orders o where o.id = ${auditLog.subject_id}::bigint) end`
  .mapWith((number: string): string | null => number)
  .as('subject_number');

const id = sql`${auditLog.subject_id}::bigint`;

/** The number of the order of a table's record. */
const orderOf = (table: string) =>
  sql`(select o.number from ${sql.identifier(table)} r join orders o on o.id = r.order_id where r.id = ${id})`;

/** The title of the product of a table's record. */
const productOf = (table: string) =>
  sql`(select p.title from ${sql.identifier(table)} r join products p on p.id = r.product_id where r.id = ${id})`;

/** The name of the affiliate of a table's record. */
const affiliateOf = (table: string) =>
  sql`(select u.display_name from ${sql.identifier(table)} r join users u on u.id = r.affiliate_id where r.id = ${id})`;

const own = (column: string, table: string) =>
  sql`(select r.${sql.identifier(column)} from ${sql.identifier(table)} r where r.id = ${id})`;

/** The present name of the changed record; null for a kind without names, and for an erased record. */
const subjectName = sql`case when ${auditLog.subject_id} !~ '^[0-9]{1,18}$' then null
    when ${auditLog.operation} in ('console.links.create', 'console.accountSessions.delete',
      'sessions.revokeAll', 'shop.accountLink', 'shop.accountActAs', 'me.profile.update')
    then ${own('display_name', 'users')}
    when ${auditLog.operation} like 'access.%Content' then ${own('title', 'access_content')}
    else case ${auditLog.subject_type}
    when 'access' then ${productOf('access_grants')}
    when 'commissions' then ${orderOf('commissions')}
    when 'confirmations' then ${orderOf('confirmations')}
    when 'coupons' then ${own('code', 'coupons')}
    when 'files' then ${own('name', 'files')}
    when 'groups' then ${own('name', 'user_groups')}
    when 'keys' then ${own('name', 'api_keys')}
    when 'licenses' then ${productOf('licenses')}
    when 'messages' then ${orderOf('messages')}
    when 'orders' then ${own('number', 'orders')}
    when 'payouts' then ${affiliateOf('payouts')}
    when 'products' then ${own('title', 'products')}
    when 'refunds' then ${orderOf('refunds')}
    when 'reminders' then ${orderOf('reminders')}
    when 'risks' then ${affiliateOf('risks')}
    when 'staffRoles' then ${own('name', 'staff_roles')}
    when 'subscriptions' then ${productOf('subscriptions')}
    when 'users' then ${own('display_name', 'users')}
    when 'webhooks' then ${own('name', 'webhooks')}
    end end`
  .mapWith((name: string): string | null => name)
  .as('subject_name');

export const listAudit = (query: AuditQuery, window: Window) =>
  paged(
    build
      .select({
        id: auditLog.id,
        at: auditLog.at,
        actor_type: auditLog.actor_type,
        actor_id: auditLog.actor_id,
        actor_name: actorName(auditLog),
        acting_as: auditLog.user_id,
        operation: auditLog.operation,
        subject_type: auditLog.subject_type,
        subject_id: auditLog.subject_id,
        subject_number: subjectNumber,
        subject_name: subjectName,
        before: auditLog.before,
        after: auditLog.after,
        reason: auditLog.reason,
        request_id: auditLog.request_id,
      })
      .from(auditLog)
      .$dynamic(),
    auditLog.id,
    {
      ...equals(auditLog, {
        actor_type: query.actor_type,
        actor_id: query.actor_id,
        operation: query.operation,
        subject_type: query.subject_type,
        subject_id: query.subject_id,
      }),
      date_start: since(auditLog.at, query.date_start),
      date_end: until(auditLog.at, query.date_end),
    },
    window,
    isDated(query) ? { time: auditLog.at } : {},
  );
