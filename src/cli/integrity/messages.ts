import type { Check } from './check.ts';

export const messageChecks: readonly Check[] = [
  {
    name: 'reminders being sent without a queued message',
    differences: `
      select r.id from reminders r
       where r.status = 'sending' and not exists (
         select from messages m where m.reminder_id = r.id and m.status = 'queued')`,
  },
  {
    name: 'sent messages without a time',
    differences: `
      select id from messages
       where status in ('sent', 'delivered', 'read') and sent_at is null
          or status in ('delivered', 'read') and delivered_at is null
          or status = 'read' and read_at is null`,
  },
  {
    name: 'tried messages without a text or an address',
    differences: `
      select m.id from messages m
        left join orders o on o.id = m.order_id
        left join users u on u.id = coalesce(m.user_id, o.user_id)
       where m.attempts > 0 and (m.content is null or m.recipient = '')
         and u.status is distinct from 'anonymised'`,
  },
  {
    name: 'messages with data of erased people',
    differences: `
      select m.id from messages m join users u on u.id = m.user_id
       where u.status = 'anonymised' and not m.recipient_named
         and (m.recipient <> '' or m.status = 'queued' or m.content ->> 'text' <> '')`,
  },
];
