import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { payoutIssues, payoutLineStatuses, payoutRunStatuses } from './lists.ts';
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
import { type BankAccount, users } from './users.ts';

/** Payouts to many affiliates that are confirmed together. */
export const payoutRuns = pg.pgTable(
  'payout_runs',
  {
    id: id(),
    status: choice(payoutRunStatuses).notNull(),
    currency: pg.text().notNull(),
    /** The end of the period of the run, a day or an instant; null = everything payable. */
    until: pg.text(),
    /** The smallest amount of a line that is paid. */
    minimum: integer().notNull(),
    /** The number of payable commissions that did not fit into the run. */
    left_over: integer().notNull(),
    confirmed_at: instant(),
    discarded_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('payout_runs_status', t.status, payoutRunStatuses),
    pg.check(
      'payout_runs_confirmed',
      sql`(${t.status} = 'confirmed') = (${t.confirmed_at} is not null)`,
    ),
    pg.check(
      'payout_runs_discarded',
      sql`(${t.status} = 'discarded') = (${t.discarded_at} is not null)`,
    ),
    pg.index('payout_runs_status_id').on(t.status, t.id),
  ],
);

/** The method of a payout to an account that is known as text only. The text may name its number and holder. */
export const textAccountMethod = 'Transfer';

/** The account of a line: as text, and by its parts if known. */
export interface PayeeAccount {
  readonly text: string;
  readonly bank: BankAccount | null;
}

/** An affiliate's part of a payout run. Its payout gets the same id. */
export const payoutLines = pg.pgTable(
  'payout_lines',
  {
    id: integer()
      .primaryKey()
      .default(sql`nextval('payouts_id_seq')`),
    run_id: reference(() => payoutRuns.id),
    affiliate_id: reference(() => users.id),
    status: choice(payoutLineStatuses).notNull(),
    /** The number of changes to its sum in the draft. */
    moves: pg.integer().notNull().default(0),
    /** Amounts from the confirmation on; those of a draft are summed from its commissions. */
    amount: integer(),
    commissions: integer(),
    carried_over: integer(),
    issues: pg.text({ enum: payoutIssues }).array(),
    /** A copy of the account, from the confirmation until the result. */
    account: document<PayeeAccount>(),
    /** The time at which the affiliate is notified, unless a result comes first. */
    tell_at: instant(),
    result_at: instant(),
    reference: pg.text(),
    reason: pg.text(),
  },
  (t) => [
    oneOf('payout_lines_status', t.status, payoutLineStatuses),
    pg.check('payout_lines_figures', sql`(${t.status} = 'draft') = (${t.amount} is null)`),
    pg.check(
      'payout_lines_result',
      sql`(${t.status} in ('paid', 'returned')) = (${t.result_at} is not null)`,
    ),
    pg.check('payout_lines_account', sql`${t.account} is null or ${t.status} = 'confirmed'`),
    pg.uniqueIndex('payout_lines_run_affiliate').on(t.run_id, t.affiliate_id),
    pg.index('payout_lines_run').on(t.run_id, t.id),
    pg.index('payout_lines_affiliate').on(t.affiliate_id, t.id),
    pg
      .index('payout_lines_tell')
      .on(t.tell_at)
      .where(sql`${t.tell_at} is not null`),
  ],
);

export type PayoutRunColumns = typeof payoutRuns.$inferSelect;

export type PayoutLineColumns = typeof payoutLines.$inferSelect;
