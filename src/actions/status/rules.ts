import { release } from '../../kernel/deployment/release.ts';
import type { StatusRow } from '../../queries/status.ts';
import type { StatusFigure } from '../../schema/lists.ts';
import type { Troubles } from '../../schema/store-mark.ts';
import type { StoreStatus } from './schemas.ts';

type Figures = StoreStatus['figures'];

const [hour, day] = [3600, 86_400];

/** A figure is out of order from this value on. */
const thresholds: Readonly<Record<StatusFigure, number>> = {
  undelivered_event_age: hour,
  failing_webhooks: 1,
  stuck_payments: 1,
  stuck_messages: 1,
  unsent_refunds: 1,
  backup_age: 8 * day,
  database_size: 10_000_000_000,
};

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

/** The figures that are out of order, and the ones to report to the seller. */
interface Alert {
  readonly troubles: Troubles;
  /** Figures to report: they were all in order for a day before. */
  readonly told: readonly string[];
}

/**
 * Reports a figure once when it goes out of order, and again only after a day in order.
 * @param before the figures that were out of order at the last check
 */
export function alertOf({ figures }: StoreStatus, before: Troubles, now: Date): Alert {
  const fresh = new Date(now.getTime() - day * 1000).toISOString();
  const lasting = Object.entries(before).filter(([, { at }]) => at > fresh);
  const passed = Object.entries(figures).flatMap(([name, { value, passed }]) =>
    passed && value !== null ? [[name, { value, at: now.toISOString() }] as const] : [],
  );
  const known = new Set(lasting.map(([name]) => name));
  return {
    troubles: Object.fromEntries([...lasting, ...passed]),
    told: passed.map(([name]) => name).filter((name) => !known.has(name)),
  };
}
