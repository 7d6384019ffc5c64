import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Affiliates } from '../affiliatewp/affiliates.ts';
import type { Step, StepContext } from '../importer.ts';
import { stepsOf } from '../step.ts';
import type { woocommerce } from './source.ts';

export type WooStep = Step<typeof woocommerce, Plan>;
export type Context = StepContext<typeof woocommerce, Plan>;

/** A step that goes through a table row by row. */
export const eachRow = stepsOf<typeof woocommerce, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The store's status for each of the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  /** True if orders are in tables of their own, not among the posts. */
  readonly isInTables: boolean;
  /** True if taxes are added to prices, by the buyer's place. */
  readonly hasTaxes: boolean;
  /** Grams that a unit of weight has. */
  readonly grams: number;
  /** The settings of the store, by their columns. */
  readonly settings: SettingsUpdate;
  readonly affiliates: Affiliates;
  /** True if administrators of the shop become administrators of the store. */
  readonly keepsAdministrators: boolean;
}

/** Statuses of orders that nobody placed, or that are in the bin. */
export const ignoredStatuses = [
  'wc-checkout-draft',
  'checkout-draft',
  'auto-draft',
  'draft',
  'trash',
];
