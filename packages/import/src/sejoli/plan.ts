import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Step, StepContext } from '../importer.ts';
import { stepsOf } from '../step.ts';
import type { Staging } from '../staging.ts';
import type { sejoli } from './source.ts';

export type StagedShop = Staging<typeof sejoli>;
export type SejoliStep = Step<typeof sejoli, Plan>;
export type Context = StepContext<typeof sejoli, Plan>;

/** A step that goes through a table row by row. */
export const eachRow = stepsOf<typeof sejoli, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The tax on top of the prices of taxed products, in percent, as the shop writes it. */
  readonly taxRate: string | undefined;
  /** The store's status for each of the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  /** True if the shop subtracts the unique codes of transfers, instead of adding them. */
  readonly isReduced: boolean;
  /** The settings of the store, by their columns. */
  readonly settings: SettingsUpdate;
  /** Ids of users who become administrators of the store. */
  readonly keepsAdministrators: boolean;
}
