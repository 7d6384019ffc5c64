import { release } from '../../kernel/deployment/release.ts';
import type { StatusRow } from '../../queries/status.ts';
import type { StoreStatus } from './schemas.ts';

type Figures = StoreStatus['figures'];

const [hour, day] = [3600, 86_400];

/** The value from which on each figure is out of order. */
const thresholds: Readonly<Record<keyof Figures, number>> = {
  undelivered_event_age: hour,
  failing_webhooks: 1,
  stuck_payments: 1,
  stuck_messages: 1,
  unsent_refunds: 1,
  backup_age: 8 * day,
  database_size: 10_000_000_000,
};

/** Judges the figures of a store. */
export function statusOf(row: StatusRow): StoreStatus {
  const figures = Object.fromEntries(
    Object.entries(thresholds).map(([name, threshold]) => {
      const value = row[name as keyof Figures];
      return [name, { value, threshold, passed: value !== null && value >= threshold }];
    }),
  ) as Figures;
  const in_order = Object.values(figures).every(({ passed }) => !passed);
  return { ...release, in_order, figures };
}
