import type { Size } from './size.ts';

/** A step that writes rows numbered from 1 to `count`; its statements write those from $1 to $2. */
interface Step {
  readonly name: string;
  readonly count: number;
  readonly statements: readonly string[];
}

/** The rows of a store, each computed from its number, so that they are the same in every run. */
export const rows = (size: Size): Step[] => [
  { name: 'users', count: size.users, statements: [users(size)] },
  { name: 'coupons', count: size.orders / 500, statements: coupons },
  { name: 'orders', count: size.orders, statements: [orders(size)] },
  { name: 'visits', count: size.orders, statements: [visits] },
  { name: 'history', count: size.orders, statements: [history, refunds] },
  { name: 'access', count: size.orders, statements: [access] },
  { name: 'payouts', count: 1, statements: [payouts] },
  { name: 'commissions', count: size.orders, statements: [commissions] },
  { name: 'licences', count: size.orders, statements: [licenses, terms, activations] },
  { name: 'reminders', count: size.orders / 10, statements: [reminders] },
  { name: 'confirmations', count: size.orders / 10, statements: [confirmations] },
  { name: 'log', count: size.log, statements: [outbox(1, 0), log(1, 0)] },
  { name: 'small log', count: 1000, statements: [outbox(2, size.log), log(2, size.log)] },
  { name: 'sequences', count: 1, statements: [counters(size), sequences] },
];

const each = 'generate_series($1::bigint, $2::bigint) i';
const start = "timestamptz '2024-01-01 00:00:00Z'";

/**
 * The tree: each user brought one or two others, 1.75 on average, which makes 20 tiers for 120,000 users. The small
 * tree of 100 is made in the same way.
 */
const users = ({ tree, smallTree }: Size) => `
  insert into users (id, email, phone, first_name, last_name, display_name, group_id, affiliate_id,
    bank_info, roles, created_at, updated_at)
  select i, 'user' || i || '@people.example', '+62' || (811000000 + i), n.first, 'No' || i,
         n.first || ' No' || i, case when i % 4 = 0 then 1 + i % 3 end,
         case when i between 2 and ${tree} then greatest(1, floor(i / 1.75))::bigint
              when i between ${smallTree + 1} and ${smallTree + 99}
                then ${smallTree} - 1 + greatest(1, floor((i - ${smallTree} + 1) / 1.75))::bigint end,
         'Bank ' || i, case when i <= ${tree} then '{affiliate}'::text[] else '{member}' end,
         ${start}, ${start}
    from ${each}
   cross join lateral (
     select (array['Ada','Budi','Citra','Dewi','Eko','Fitri','Gita','Hadi'])[1 + i % 8] as first
   ) n`;

const coupons = [
  `insert into coupons (id, code, discount, rule, limit_use, status, created_at, updated_at)
   select i, 'SAVE' || i,
          '{"value": 10, "type": "percentage", "usage": "per_item", "free_shipping": false}',
          '{"apply_only": [], "cant_apply": [], "max_discount": 0, "minimum_amount": 0,
            "use_by_affiliate": false, "limit_affiliate_coupon": 0, "renewal_coupon": false,
            "first_order_only": false, "user_ids": [], "group_ids": []}',
          0, case when i % 5 = 0 then 'pending' else 'active' end, ${start}, ${start}
     from ${each}`,
  `insert into coupon_usage (coupon_id, used) select i, 0 from ${each}`,
];

/** Two years of orders, three quarters of them completed; every other order is an affiliate's. */
const orders = ({ orders: count, users: people, sellers, spacing }: Size) => `
  insert into orders (id, number, product_id, user_id, affiliate_id, quantity, status,
    payment_gateway, currency, unit_price, subtotal, grand_total, refunded_total, attribution,
    meta, paid_at, completed_at, cancelled_at, refunded_at, expires_at, created_at, updated_at)
  select i, 'INV-' || to_char(i, 'FM9000000'), o.product, 1 + (i * 48271) % ${people}, o.affiliate,
         o.quantity, o.status, 'manual', 'USD', o.price, o.quantity * o.price, o.quantity * o.price,
         case when o.status = 'refunded' then o.quantity * o.price else 0 end,
         case when o.affiliate is not null then
           jsonb_build_object('affiliate_id', o.affiliate, 'source', 'link', 'target', 'sales-page',
             'sub', 'sub' || i % 7) end,
         case when i % 1000 = 7 then jsonb_build_object('batch', i / 1000) else '{}' end,
         case when o.status in ('in-progress', 'completed', 'refunded') then o.at + interval '1 h' end,
         case when o.status in ('completed', 'refunded') then o.at + interval '2 h' end,
         case when o.status = 'cancelled' then o.at + interval '3 d' end,
         case when o.status = 'refunded' then o.at + interval '9 d' end,
         case when o.status = 'on-hold' then timestamptz '2100-01-01 00:00:00Z' end, o.at, o.at
    from ${each}
   cross join lateral (
     select 1 + (i * 7) % 100 as product, 10000 * (1 + (1 + (i * 7) % 100) % 10) as price,
            1 + i % 3 as quantity, ${start} + i * interval '730 d' / ${count} as at,
            case when (i / 20) % 2 = 0 then 10 + ((i * 31) % ${sellers}) * ${spacing} end as affiliate,
            case i % 20 when 0 then 'on-hold' when 1 then 'payment-confirm' when 2 then 'in-progress'
              when 3 then 'cancelled' when 4 then 'refunded' else 'completed' end as status
   ) o`;

const some = 'orders o where o.id between $1 and $2';

/** A visit before each order of an affiliate. */
const visits = `
  insert into affiliate_clicks (id, ref, affiliate_id, product_id, target, sub, at, visitor, counted_on)
  select o.id, 'ref' || o.id, o.affiliate_id, o.product_id, 'sales-page', 'sub' || o.id % 7,
         o.created_at, 'visitor' || o.id, o.created_at::date - date '2000-01-01'
    from ${some} and o.affiliate_id is not null`;

const history = `
  insert into order_history (id, order_id, at, "to", actor_type)
  select o.id, o.id, o.created_at, o.status, 'system' from ${some}`;

const refunds = `
  insert into refunds (id, order_id, amount, currency, actor_type, created_at)
  select o.id, o.id, o.grand_total, o.currency, 'system', o.refunded_at
    from ${some} and o.status = 'refunded'`;

const access = `
  insert into access_grants (id, user_id, product_id, order_id, source, status, start, revoked_at,
    revoke_reason, created_at, updated_at)
  select o.id, o.user_id, o.product_id, o.id, 'order',
         case when o.status in ('on-hold', 'payment-confirm') then 'pending'
              when o.status = 'refunded' then 'revoked' else 'active' end,
         o.paid_at, o.refunded_at, case when o.status = 'refunded' then 'refunded' end, o.created_at,
         o.created_at
    from ${some} and o.status <> 'cancelled'`;

/** The earnings of an order's tiers, with the eighth of the two years in which it was placed. */
const earned = `
  cross join lateral (values
    (1, o.affiliate_id, 20), (2, floor(o.affiliate_id / 1.75)::bigint, 10),
    (3, floor(floor(o.affiliate_id / 1.75) / 1.75)::bigint, 5)
  ) t (tier, affiliate_id, rate)
  cross join lateral (
    select o.subtotal * t.rate / 100 as amount,
           least(7, floor(extract(epoch from o.created_at - ${start}) / (86400 * 730 / 8.0))) as eighth
  ) e`;

/** True for commissions that were paid out: those of completed orders, except in the last months. */
const isPaid = "o.status = 'completed' and e.eighth < 7";

const payouts = `
  insert into payouts (id, affiliate_id, amount, currency, commissions, method, reference, status,
    created_at, updated_at)
  select row_number() over (order by e.eighth, t.affiliate_id), t.affiliate_id, sum(e.amount), 'USD',
         count(*), 'BCA', 'Eighth ' || e.eighth, 'paid', p.at, p.at
    from orders o ${earned}
   cross join lateral (select ${start} + (e.eighth + 2) * interval '91 d' as at) p
   where o.affiliate_id is not null and ${isPaid} and $1::int = $2::int
   group by e.eighth, t.affiliate_id, p.at`;

const commissions = `
  insert into commissions (id, order_id, product_id, affiliate_id, buyer_id, tier, kind, commission,
    currency, base_amount, rate_type, rate, rate_source, status, cancellation,
    hold_until, paid_at, payout_id, flags, created_at, updated_at)
  select 3 * o.id + t.tier - 3, o.id, o.product_id, t.affiliate_id, o.user_id, t.tier, 'sale',
         e.amount, 'USD', o.subtotal, 'percentage', t.rate, 'product',
         case when o.status in ('cancelled', 'refunded') then 'cancelled'
              when o.status = 'completed' then 'added' else 'pending' end,
         case when o.status in ('cancelled', 'refunded') then 'order' end,
         case when o.status = 'completed' then o.completed_at + interval '7 d' end,
         p.created_at, p.id, '{}', o.created_at, o.created_at
    from orders o ${earned}
    left join payouts p on ${isPaid} and p.affiliate_id = t.affiliate_id
     and p.reference = 'Eighth ' || e.eighth
   where o.id between $1 and $2 and o.affiliate_id is not null`;

/** Three of ten orders have a licence. */
const licensed = `${some} and o.id % 10 in (5, 6, 7)`;

const licenses = `
  insert into licenses (id, code, product_id, order_id, ordinal, user_id, status, activation_limit,
    activation_count, expires_at, max_resets, created_at, updated_at)
  select o.id, regexp_replace(upper(left(md5(o.id::text), 25)), '(.{5})(?=.)', '\\1-', 'g'),
         o.product_id, o.id, 1, o.user_id, 'active', 3, o.id % 2,
         o.completed_at + 365 * interval '24 hours', 3, o.completed_at, o.completed_at
    from ${licensed}`;

const terms = `
  insert into license_terms (id, license_id, order_id, at, days)
  select o.id, o.id, o.id, o.completed_at, 365 from ${licensed}`;

const activations = `
  insert into license_activations (id, license_id, string, label, meta, seat, first_at, last_seen_at)
  select o.id, o.id, 'site' || o.id || '.example', '', '{}', true, o.completed_at, o.completed_at
    from ${licensed} and o.id % 2 = 1`;

/** Selects every tenth order, by the last digit of its id. */
const tenth = (digit: number) =>
  `orders o where o.id between 10 * $1 - 9 and 10 * $2 and o.id % 10 = ${digit}`;

const reminders = `
  insert into reminders (order_id, user_id, recipient, title, content, media_type, reminder_type,
    send_day, send_hours, scheduled_at, status, sent_at, created_at, updated_at)
  select o.id, o.user_id, 'user@people.example', 'Please pay', 'Please pay {{amount}}.', 'email',
         'order', 1, 9, o.created_at, 'sent', o.created_at, o.created_at, o.created_at
    from ${tenth(5)}`;

const confirmations = `
  insert into confirmations (order_id, product_id, user_id, status, detail, amount_expected,
    amount_matches, created_at, updated_at)
  select o.id, o.product_id, o.user_id, case when o.status = 'payment-confirm' then 'pending' else 'approved' end,
         '{"sender": "", "account_number": "", "total": null, "bank_sender": "", "bank_recipient": "",
           "proof": "", "note": ""}', o.grand_total, false, o.created_at, o.created_at
    from ${tenth(1)}`;

const outbox = (webhook: number, before: number) => `
  insert into outbox (id, webhook_id, event_id, event, object_id, data, created_at, attempts,
    next_attempt_at, delivered_at)
  select ${before} + i, ${webhook}, gen_random_uuid(), 'order.created', i,
         jsonb_build_object('id', i, 'number', 'INV-' || i, 'status', 'on-hold', 'currency', 'USD',
           'grand_total', 10000, 'quantity', 1, 'note', null, 'meta', '{}'::jsonb),
         l.at, 1, l.at, l.at
    from ${each} cross join lateral (select ${recently} as at) l`;

const log = (webhook: number, before: number) => `
  insert into webhook_log
    (webhook_id, id, outbox_id, event, at, status, code, attempt, milliseconds, answer)
  select ${webhook}, i, ${before} + i, 'order.created', ${recently}, case when i % 10 = 0 then 'failed' else 'success' end,
         case when i % 10 = 0 then 500 else 200 end, 1, 40, ''
    from ${each}`;

/** Within the retention period of the log. */
const recently = "now() - interval '30 d' + i * interval '1 s'";

const counters = ({ log: count }: Size) => `
  update webhook_states set last_log_id = case webhook_id when 1 then ${count} else 1000 end
   where $1::int = $2::int`;

/** Ids continue after the written ones. */
const sequences = `
  select setval(pg_get_serial_sequence(t.name, 'id'), 10000000)
    from (values ('users'), ('coupons'), ('orders'), ('order_history'), ('refunds'),
      ('access_grants'), ('affiliate_clicks'), ('payouts'), ('commissions'), ('licenses'), ('license_terms'),
      ('license_activations'), ('outbox')) t (name)
   where $1::int = $2::int`;
