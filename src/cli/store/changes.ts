import { getTableColumns } from 'drizzle-orm';
import { settings } from '../../schema/platform.ts';
import { statusGroupMembers } from '../../schema/lists.ts';

/** A kind of changes that a backup undoes. */
export interface ChangeKind {
  readonly label: string;
  /** SQL for the previous database: the records to compare, as ids or texts. `$1` is an hour before the backup. */
  readonly ids: string;
  /** SQL for the restored database: the ids to report. `$1` has the results of `ids`. */
  readonly lost: string;
  /** True if `lost` takes the end of the comparison as `$2`, an hour after the backup. */
  readonly needsEnd?: true;
}

/** Returns SQL for the ids in `$1` that a query does not return. */
const without = (known: string) => `select unnest($1::bigint[]) as id except ${known} order by 1`;

/** Splits the texts in `$1` into an id and what follows it. */
const splitTexts = `select split_part(text, ' ', 1)::bigint as id, split_part(text, ' ', 2) as text
                      from unnest($1::text[]) as text`;

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** The effect of an order: 2 if it is completed, 1 if it counts as paid, else 0. */
const progress = `case when deleted_at is not null then 0
  when status in (${quoted(statusGroupMembers.completed)}) then 2
  when status in (${quoted(statusGroupMembers.processing)}) then 1 else 0 end`;

/** Records that both databases have, with other values in some columns. Former versions may lack the columns. */
function differing(table: string, columns: readonly string[], changed: string) {
  const values = columns.map((column) => `to_jsonb(t) -> '${column}'`).join(', ');
  const hash = `md5(jsonb_build_array(${values})::text)`;
  return {
    ids: `select id || ' ' || ${hash} as id from ${table} t where ${changed}`,
    lost: `select id from ${table} t join (${splitTexts}) was using (id) where text <> ${hash} order by 1`,
  };
}

const updated = 'updated_at > $1';

const settingsColumns = Object.values(getTableColumns(settings))
  .map(({ name }) => name)
  .filter((name) => !['updated_at', 'version', 'plain_transfers_held_until'].includes(name));

/** Compares all rows: the table does not record its changes, or loses rows. */
const always = '$1::timestamptz is not null';

interface DeletedRows {
  readonly table: string;
  /** SQL for the identity of a row, and for those values of it that matter. */
  readonly key?: string;
  /** The column with the id that the report names. */
  readonly id?: string;
  /** Limits the rows to those that have an effect. */
  readonly condition?: string;
  /** The column with the time of a row. Those from an hour after the backup on are left out: the restored store made them. */
  readonly at?: string;
}

/** Rows that the restored database has and the previous one lacks: they were deleted, released or ended. */
const deleted = (
  label: string,
  { table, key = 'id', id = 'id', condition = 'true', at = 'created_at' }: DeletedRows,
): ChangeKind => ({
  label,
  ids: `select ${key} as id from ${table} where ${always} and ${condition}`,
  lost: `select distinct ${id} as id from ${table} t where ${at} < $2 and ${condition}
            and not exists (select from unnest($1::text[]) as known where known = (${key})::text)
          order by 1`,
  needsEnd: true,
});

/** The name of a message template, and a hash of it. */
const templateTexts = `select kind || ' ' || medium || ' ' || md5(active || texts::text) as text
                         from message_templates`;

/** A hash of the stock of a product and its variants. */
const unitsHash = 'md5(jsonb_object_agg(option_id, units)::text)';

/** A hash of the seats of a licence. */
const seatsHash = "md5(string_agg(string, ' ' order by string))";

/** Kinds of changes that moved money, or that say how much money moves and where it goes. */
export const moves = {
  imports: {
    label: 'imports of other shops that began or went on, to be run again first',
    ids: `select to_jsonb(i)::text as id from imports i where ${always}`,
    lost: `select was.kind || ': ' || coalesce(nullif(sum(was.done - coalesce(i.done, 0)), 0) || ' rows missing', 'not ended') as id
             from unnest($1::text[]) as text, jsonb_to_record(text::jsonb) as was
                    (fingerprint text, entity text, kind text, done bigint, finished_at timestamptz)
             left join imports i using (fingerprint, entity)
            where i.done is null or i.done < was.done
               or i.finished_at is null and was.finished_at is not null
            group by fingerprint, was.kind order by 1`,
  },
  placed: {
    label: 'new orders',
    ids: 'select id from orders where created_at > $1',
    lost: without('select id from orders'),
  },
  bought: {
    label: 'new orders that were paid',
    ids: 'select id from orders where created_at > $1 and paid_at is not null',
    lost: without('select id from orders'),
  },
  paid: {
    label: 'earlier orders that were paid since',
    ids: 'select id from orders where paid_at > $1',
    lost: 'select id from orders where id = any ($1) and paid_at is null',
  },
  completed: {
    label: 'earlier orders that were completed since, whose commissions count',
    ids: `select id || ' ' || ${progress} as id from orders where completed_at > $1`,
    lost: `select id from orders join (${splitTexts}) was using (id) where ${progress} < text::int`,
  },
  withdrawn: {
    label: 'earlier orders that were cancelled, deleted or no longer completed since',
    ids: `select id || ' ' || ${progress} as id from orders
           where updated_at > $1 and (status <> 'refunded' or deleted_at > $1)`,
    lost: `select id from orders join (${splitTexts}) was using (id) where ${progress} > text::int`,
  },
  opened: {
    label: 'earlier orders whose payment page was opened since: look at the provider',
    ids: "select order_id || ' ' || reference as id from payment_sessions where created_at > $1",
    lost: `select distinct id from orders join (${splitTexts}) was using (id)
            where not exists (select from payment_sessions where reference = text)`,
  },
  received: {
    label: 'unexpected payments',
    ids: 'select id from unexpected_payments where created_at > $1',
    lost: without('select id from unexpected_payments'),
  },
  transfers: {
    label: 'bank transfers that came in',
    ids: 'select id from bank_mutations where created_at > $1',
    lost: without('select id from bank_mutations'),
  },
  assigned: {
    label: 'bank transfers that were assigned or ignored, and could be assigned again',
    ...differing('bank_mutations', ['status', 'order_id'], updated),
  },
  decided: {
    label: 'unexpected payments that were decided',
    ids: "select id from unexpected_payments where status <> 'open' and updated_at > $1",
    lost: without("select id from unexpected_payments where status <> 'open'"),
  },
  confirmations: deleted('payment confirmations that were decided or deleted, and wait again', {
    table: 'confirmations',
    condition: "status = 'pending'",
  }),
  refunds: {
    label: 'refunds',
    ids: 'select id from refunds where created_at > $1',
    lost: without('select id from refunds'),
  },
  manual: {
    label: 'refunds that no provider sent',
    ids: `select id from refunds r where created_at > $1
             and not exists (select from provider_refunds p where p.refund_id = r.id)`,
    lost: without('select id from refunds'),
  },
  byHand: {
    label: 'failed refunds that were paid by hand',
    ids: 'select id from provider_refunds where paid_by_hand_at > $1',
    lost: without('select id from provider_refunds where paid_by_hand_at is not null'),
  },
  settled: {
    label: 'commissions that were paid outside a payout, which would be paid again',
    ids: 'select id from commissions where paid_at > $1 and payout_id is null',
    lost: without('select id from commissions where paid_at is not null'),
  },
  cancelled: {
    label: 'commissions that were cancelled, which would be paid',
    ids: "select id from commissions where cancellation <> 'order' and updated_at > $1",
    lost: without("select id from commissions where status = 'cancelled'"),
  },
  corrected: {
    label: 'commissions that were corrected, which would be paid as before',
    ...differing('commissions', ['commission', 'affiliate_id'], updated),
  },
  payouts: {
    label: 'payouts, which would be paid again',
    ids: "select id from payouts where status = 'paid' and created_at > $1",
    lost: without('select id from payouts'),
  },
  runs: {
    label: 'payout runs that were confirmed, and are drafts again',
    ids: 'select id from payout_runs where confirmed_at > $1',
    lost: "select id from payout_runs where id = any ($1) and status = 'draft'",
  },
  discarded: deleted('payout runs that were discarded, and could be confirmed again', {
    table: 'payout_runs',
    condition: "status <> 'discarded'",
  }),
  lines: {
    label: 'lines of payout runs that were paid, and would be transferred again',
    ids: "select id from payout_lines where status = 'paid' and result_at > $1",
    lost: "select id from payout_lines where id = any ($1) and status <> 'paid'",
  },
  returned: {
    label: 'earlier payouts that were cancelled or returned since',
    ids: "select id from payouts where status = 'cancelled' and cancelled_at > $1",
    lost: "select id from payouts where id = any ($1) and status = 'paid'",
  },
  accounts: {
    label: 'people whose bank account changed, and who would be paid at the former one',
    ...differing(
      'users',
      ['bank_info', 'bank_account'],
      "status <> 'anonymised' and updated_at > $1",
    ),
  },
  sponsors: {
    label: 'people whose sponsor changed, whose orders would earn for the former one',
    ...differing('users', ['affiliate_id'], updated),
  },
  terms: {
    label: 'products whose price, sale or commissions changed',
    ...differing(
      'products',
      [
        ...['price', 'status', 'enable_sale', 'disable_sale_time', 'deleted_at', 'tax', 'shipping'],
        'access_code',
        ...['cod', 'variants', 'subscription', 'license', 'affiliate', 'group'],
      ],
      updated,
    ),
  },
  coupons: {
    label: 'coupons that were changed or deleted',
    ...differing(
      'coupons',
      [
        ...['status', 'deleted_at', 'discount', 'rule', 'start_date', 'limit_date'],
        ...['limit_use', 'limit_use_per_user', 'code', 'user_id'],
      ],
      updated,
    ),
  },
  groups: {
    label: 'groups whose discounts or commissions changed',
    ...differing(
      'user_groups',
      ['can_affiliate', 'discount', 'commissions', 'per_product', 'min_sales_for_upline'],
      updated,
    ),
  },
  members: {
    label: 'people whose group changed, who would buy and earn by the former one',
    ...differing('users', ['group_id'], updated),
  },
  renewals: {
    label: 'subscriptions that were paused, or whose end or price changed',
    ...differing('subscriptions', ['end_date', 'paused_at', 'next_price'], updated),
  },
  settings: { label: 'settings', ...differing('settings', settingsColumns, updated) },
} satisfies Readonly<Record<string, ChangeKind>>;

/** Records that were changed or added after `$1`. */
const changed = (label: string, table: string, only = 'true'): ChangeKind => ({
  label,
  ids: `select id || ' ' || extract(epoch from updated_at) as id from ${table}
         where updated_at > $1 and ${only}`,
  lost: `select id from (${splitTexts}) was left join ${table} t using (id)
          where extract(epoch from t.updated_at) is distinct from text::numeric order by 1`,
});

/** Kinds of records that are compared as a whole. */
export const records = {
  anyOrder: changed('orders', 'orders'),
  anyProduct: changed('products', 'products'),
  anyContent: changed('protected content', 'access_content'),
  anyFile: changed('files', 'files'),
  anyCoupon: changed('coupons', 'coupons'),
  anyPerson: changed('people', 'users'),
  anyGroup: changed('groups', 'user_groups'),
  anyAccess: changed('access', 'access_grants'),
  anyLicence: changed('licences', 'licenses'),
  anySubscription: changed('subscriptions', 'subscriptions'),
  anyCommission: changed('commissions', 'commissions'),
  anyConfirmation: changed('payment confirmations', 'confirmations'),
  anyRisk: changed('risks', 'risks'),
  anyTemplate: changed('reminder templates', 'reminder_templates'),
  anyReminder: changed(
    'waiting reminders without a template',
    'reminders',
    "status = 'pending' and template_id is null",
  ),
  anyWebhook: changed('webhooks', 'webhooks'),
  anyRole: changed('roles', 'staff_roles'),
  anyKey: {
    label: 'API keys',
    ids: 'select id from api_keys where created_at > $1',
    lost: without('select id from api_keys'),
  },
  stock: {
    label: 'products whose stock changed',
    ids: `select product_id || ' ' || ${unitsHash} as id from product_stock
           where ${always} group by product_id`,
    lost: `select id from (${splitTexts}) was
            where text is distinct from (select ${unitsHash} from product_stock where product_id = id)`,
  },
} satisfies Readonly<Record<string, ChangeKind>>;

/** Kinds of changes that took a right from somebody, besides those that a restore looks for whenever they happened. */
export const withdrawals = {
  addresses: {
    label: 'people whose e-mail address or phone changed, and who would sign in by the former one',
    ...differing('users', ['email', 'phone'], "status <> 'anonymised' and updated_at > $1"),
  },
  phones: deleted('people who sign in again by a phone that was taken from their account', {
    table: 'account_phones',
    key: "user_id || ' ' || phone",
    id: 'user_id',
    at: 'confirmed_at',
  }),
  roles: {
    label: 'people whose roles changed',
    ...differing('users', ['roles', 'staff_role_id'], "status <> 'anonymised' and updated_at > $1"),
  },
  permissions: {
    label: 'roles whose permissions changed',
    ...differing('staff_roles', ['scopes'], updated),
  },
  narrowed: {
    label: 'API keys whose scopes, addresses or expiry changed',
    ...differing(
      'api_keys',
      ['scopes', 'ip_allow', 'signs_in_administrators', 'expires_at'],
      always,
    ),
  },
  receivers: deleted(
    'webhooks that were changed, paused or deleted, and that would get events again',
    {
      table: 'webhooks',
      key: "id || ' ' || md5(url || secret || events::text)",
      condition: "status = 'active' and deleted_at is null",
    },
  ),
  grants: {
    label: 'access that was revoked, or whose end changed',
    ...differing('access_grants', ['deleted_at', 'end_active'], updated),
  },
  erasedOrders: {
    label: 'erased orders',
    ids: `select subject_id as id from audit_log where at > $1 and operation = 'orders.delete'
             and not exists (select from orders where id = subject_id::bigint)`,
    lost: 'select id from orders where id = any ($1)',
  },
  licenses: {
    label: 'licences that were switched off, or whose end or seats changed',
    ...differing('licenses', ['status', 'expires_at', 'activation_limit'], updated),
  },
  seats: {
    label: 'licences whose seats were taken or changed places',
    ids: `select license_id || ' ' || ${seatsHash} as id from license_activations
           group by license_id having max(first_at) > $1`,
    lost: `select id from (${splitTexts}) was
            where text is distinct from (
              select ${seatsHash} from license_activations where license_id = id)`,
  },
  released: deleted('licences whose seats were released, and are taken again', {
    table: 'license_activations',
    key: "license_id || ' ' || string",
    id: 'license_id',
    at: 'first_at',
  }),
  files: deleted('deleted files', {
    table: 'files',
    condition: "status = 'ready' and deleted_at is null",
  }),
  content: deleted('deleted protected content', { table: 'access_content' }),
  deletedGroups: deleted('deleted groups', { table: 'user_groups' }),
  deletedRoles: deleted('deleted roles', { table: 'staff_roles' }),
  templates: {
    label:
      'message templates that were switched off or changed, and have their former text and state',
    ids: `select text as id from (${templateTexts} where updated_at > $1) t`,
    lost: `select split_part(text, ' ', 1) || ' ' || split_part(text, ' ', 2) as id
             from (select unnest($1::text[]) as text except ${templateTexts}) was order by 1`,
  },
  reminderTemplates: deleted(
    'reminder templates that were switched off or deleted, and would be sent again',
    { table: 'reminder_templates', condition: 'active' },
  ),
  reminders: deleted('reminders that were cancelled or deleted, and would be sent', {
    table: 'reminders',
    condition: "status = 'pending'",
  }),
  lifted: deleted('addresses whose suppression was lifted, and is back', {
    table: 'message_suppressions',
    key: "medium || ' ' || address || ' ' || reason",
  }),
  subscriptions: {
    label: 'cancelled subscriptions',
    ids: 'select id from subscriptions where cancelled_at > $1',
    lost: 'select id from subscriptions where id = any ($1) and cancelled_at is null',
  },
} satisfies Readonly<Record<string, ChangeKind>>;
