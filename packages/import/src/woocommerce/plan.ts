import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Affiliates } from '../affiliatewp/affiliates.ts';
import type { Step, StepContext } from '../importer.ts';
import { stepsOf } from '../step.ts';
import type { woocommerce } from './source.ts';

export type WooStep = Step<typeof woocommerce, Plan>;
export type Context = StepContext<typeof woocommerce, Plan>;

export const eachRow = stepsOf<typeof woocommerce, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The store's statuses, by the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  /** True if orders are in tables of their own, not among the posts. */
  readonly isInTables: boolean;
  /** True if the shop adds taxes by the buyer's place. */
  readonly hasTaxes: boolean;
  /** True if the shop's prices include its taxes. */
  readonly isTaxIncluded: boolean;
  /** True if the shop counts the units of products that are set so. */
  readonly countsStock: boolean;
  /** Grams in the shop's unit of weight. */
  readonly grams: number;
  readonly settings: SettingsUpdate;
  readonly affiliates: Affiliates;
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
