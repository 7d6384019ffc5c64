import { release } from '../../kernel/deployment/release.ts';
import type { StatusRow } from '../../queries/status.ts';
import type { StatusFigure } from '../../schema/lists.ts';
import type { Troubles } from '../../schema/store-mark.ts';
import type { StoreStatus } from './schemas.ts';

type Figures = StoreStatus['figures'];

const [hour, day] = [3600, 86_400];

/** The value from which each figure is out of order. */
const thresholds: Readonly<Record<StatusFigure, number>> = {
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

/** An alert: the figures that are out of order, and those to notify the seller of. */
interface Alert {
  readonly troubles: Troubles;
  /** The figures to notify the seller of: all of them were in order for a day before. */
  readonly told: readonly string[];
}

/**
 * Decides on an alert: a figure that goes out of order is reported once, and again only after a day in order.
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
