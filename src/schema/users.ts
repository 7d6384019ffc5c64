import { type SQL, sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { languages, userRoles, userStatuses } from './lists.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { userGroups } from './groups.ts';
import { staffRoles } from './staff.ts';

export const phoneDigits = (phone: pg.AnyPgColumn | SQL) =>
  sql`regexp_replace(${phone}, '[^0-9]', '', 'g')`;

/** The number in the text of a phone, without its extension, like `numberIn`. Drizzle Kit reads no semicolon in an index. */
const phoneNumberIn = (phone: pg.AnyPgColumn) =>
  sql`substring(normalize(${phone}, NFKC) from '[+0-9][^[:alpha:]#*,\\u003B]*')`;

/** The last digits of a phone, which are the same in every spelling. */
export const phoneEnd = (phone: pg.AnyPgColumn) =>
  sql`right(${phoneDigits(phoneNumberIn(phone))}, 7)`;

/** The key by which bank accounts are compared, like `accountKey` of `src/domain/risk/kinds/account.ts`. */
const accountKey = (info: pg.AnyPgColumn, account: pg.AnyPgColumn) => {
  const email = sql.raw(`'[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+'`);
  const text = sql`normalize(coalesce(${account} ->> 'number', ${info}), NFKC)`;
  const rest = sql`regexp_replace(${text}, ${email}, '', 'g')`;
  return sql`coalesce(
    ltrim(case when ${account} is null
      then substring(regexp_replace(${rest}, '[-./]', '', 'g') from '[0-9]{8,}')
      else nullif(regexp_replace(${rest}, '[^0-9]', '', 'g'), '') end, '0'),
    lower(substring(${text} from ${email})),
    ltrim(regexp_replace(${rest}, '[^0-9]', '', 'g'), '0'))`;
};

/** An e-mail address without parts that some providers ignore: dots, a +tag and Gmail's other name. */
export const mailboxOf = (email: pg.AnyPgColumn | SQL) =>
  sql`replace(regexp_replace(split_part(${email}, '@', 1), '[+].*$', ''), '.', '') || '@'
    || replace(split_part(${email}, '@', 2), 'googlemail.com', 'gmail.com')`;
export interface BankAccount {
  readonly bank_code: string;
  readonly bank_name: string;
  readonly number: string;
  readonly holder: string;
}

/** People: buyers, affiliates, staff. The sponsor (`affiliate_id`) makes the upline tree. */
export const users = pg.pgTable(
  'users',
  {
    id: id(),
    /** Lower case; null once anonymised. */
    email: pg.text(),
    phone: pg.text().notNull().default(''),
    first_name: pg.text().notNull().default(''),
    last_name: pg.text().notNull().default(''),
    display_name: pg.text().notNull().default(''),
    address: pg.text().notNull().default(''),
    postal_code: pg.text().notNull().default(''),
    country: pg.text().notNull().default(''),
    /** The language of messages to them; null = the store's. */
    language: choice(languages),
    group_id: integer().references(() => userGroups.id),
    affiliate_id: integer().references((): pg.AnyPgColumn => users.id),
    /** The account as text: as written or made from `bank_account`, whichever was last. */
    bank_info: pg.text().notNull().default(''),
    bank_account: document<BankAccount>(),
    /** The last change of the text or the parts. */
    bank_changed_at: instant(),
    roles: pg
      .text({ enum: userRoles })
      .array()
      .notNull()
      .default(sql`'{member}'`),
    /**
     * The user's role in the console. If it is the role of shop managers, `roles` contains
     * `shop-manager`.
     */
    staff_role_id: integer().references(() => staffRoles.id),
    status: choice(userStatuses).notNull().default('active'),
    meta: document<Record<string, unknown>>().notNull().default({}),
    /** Session tokens issued before this time are refused. */
    sessions_valid_after: instant(),
    ...changes,
  },
  (t) => [
    oneOf('users_status', t.status, userStatuses),
    oneOf('users_language', t.language, languages),
    pg.uniqueIndex('users_email').on(t.email),
    pg
      .index('users_phone_end')
      .on(phoneEnd(t.phone))
      .where(sql`${t.phone} <> ''`),
    // The workers of former versions look users up by it.
    pg
      .index('users_phone')
      .on(sql`right(${phoneDigits(t.phone)}, 7)`)
      .where(sql`${t.phone} <> ''`),
    pg
      .index('users_phone_digits')
      .using('gin', sql`(${phoneDigits(t.phone)}) gin_trgm_ops`)
      .where(sql`${t.phone} <> ''`),
    pg
      .index('users_account')
      .on(accountKey(t.bank_info, t.bank_account))
      .where(sql`${t.bank_info} <> ''`),
    // The workers of former versions compare accounts by it.
    pg
      .index('users_bank_digits')
      .on(sql`ltrim(regexp_replace(${t.bank_info}, '[^0-9]', '', 'g'), '0')`)
      .where(sql`${t.bank_info} <> ''`),
    pg.index('users_mailbox').on(sql`(${mailboxOf(t.email)})`),
    pg.index('users_affiliate').on(t.affiliate_id, t.id),
    pg.index('users_group').on(t.group_id, t.id),
    pg
      .index('users_staff_role')
      .on(t.staff_role_id)
      .where(sql`${t.staff_role_id} is not null`),
    pg.index('users_status_id').on(t.status, t.id),
    pg.index('users_roles').using('gin', t.roles),
    pg.index('users_updated_at').on(t.updated_at, t.id),
    pg
      .index('users_meta')
      .using('gin', sql`${t.meta} jsonb_path_ops`)
      .where(sql`${t.meta} <> '{}'::jsonb`),
    pg
      .index('users_search')
      .using(
        'gin',
        sql`(lower(${t.display_name} || ' ' || coalesce(${t.email}, '') || ' ' || ${t.phone})) gin_trgm_ops`,
      ),
  ],
);

/** A user's ids in other systems, one per provider. */
export const userExternalIds = pg.pgTable(
  'user_external_ids',
  {
    user_id: reference(() => users.id, { onDelete: 'cascade' }),
    provider: pg.text().notNull(),
    external_id: pg.text().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.user_id, t.provider] }),
    pg.uniqueIndex('user_external_ids_provider_external_id').on(t.provider, t.external_id),
  ],
);
