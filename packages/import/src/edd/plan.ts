import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Affiliates } from '../affiliatewp/affiliates.ts';
import type { Step, StepContext } from '../importer.ts';
import type { Staging } from '../staging.ts';
import { stepsOf } from '../step.ts';
import type { Buyers } from './buyers.ts';
import type { edd } from './source.ts';

export type StagedShop = Staging<typeof edd>;

export type EddStep = Step<typeof edd, Plan>;
export type Context = StepContext<typeof edd, Plan>;

export const eachRow = stepsOf<typeof edd, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The store's statuses, by the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  readonly hasTaxes: boolean;
  /** True if prices include the tax. */
  readonly isTaxIncluded: boolean;
  readonly settings: SettingsUpdate;
  readonly buyers: Buyers;
  readonly affiliates: Affiliates;
  readonly keepsAdministrators: boolean;
  /** True if downloads go on after the end of a subscription. */
  readonly keepsDownloads: boolean;
  /** True if they go on once all its payments are made. */
  readonly keepsCompleted: boolean;
}

/** Statuses of orders that were never placed. */
export const ignoredStatuses = ['trash', 'auto-draft', 'draft'];
