import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Step, StepContext } from '../importer.ts';
import { stepsOf } from '../step.ts';
import type { Staging } from '../staging.ts';
import type { sejoli } from './source.ts';

export type Shop = Staging<typeof sejoli>;
export type SejoliStep = Step<typeof sejoli, Plan>;
export type Context = StepContext<typeof sejoli, Plan>;

/** A step that goes through a table row by row. */
export const eachRow = stepsOf<typeof sejoli, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The tax on top of the prices of a product that has one, in percent, as the shop writes it. */
  readonly taxRate: string | undefined;
  /** The status here for each of the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  /** True if the codes that tell transfers apart were subtracted. */
  readonly isReduced: boolean;
  /** The settings of the store, by their columns. */
  readonly settings: SettingsUpdate;
  /** Ids of users that are administrators with the store as well. */
  readonly keepsAdministrators: boolean;
}
