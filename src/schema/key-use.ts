import { date, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { choice, id, instant, integer, oneOf, reference } from '../kernel/database/columns.ts';
import { outcomes } from '../kernel/auth/outcomes.ts';
import { apiKeys } from './platform.ts';

const key = () => reference(() => apiKeys.id, { onDelete: 'cascade' });

/** The approximate number of calls of a key to an operation, by day in the store's time zone and by outcome. */
export const apiKeyUse = pgTable(
  'api_key_use',
  {
    api_key_id: key(),
    day: date().notNull(),
    /** The endpoint's id. */
    operation: text().notNull(),
    outcome: choice(outcomes).notNull(),
    n: integer().notNull(),
  },
  (t) => [
    primaryKey({
      name: 'api_key_use_pkey',
      columns: [t.api_key_id, t.day, t.operation, t.outcome],
    }),
    index('api_key_use_day').on(t.day),
    oneOf('api_key_use_outcome', t.outcome, outcomes),
  ],
);

/** The last failed requests of a key. */
export const apiKeyRefusals = pgTable(
  'api_key_refusals',
  {
    id: id(),
    api_key_id: key(),
    at: instant().notNull(),
    /** The endpoint's id. */
    operation: text().notNull(),
    status: smallint().notNull(),
    code: text().notNull(),
    request_id: text().notNull(),
  },
  (t) => [
    index('api_key_refusals_api_key').on(t.api_key_id, t.id),
    index('api_key_refusals_at').on(t.at),
  ],
);
