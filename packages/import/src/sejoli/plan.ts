import type { OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import type { Step, StepContext } from '../importer.ts';
import { stepsOf } from '../step.ts';
import type { Staging } from '../staging.ts';
import type { sejoli } from './source.ts';

export type StagedShop = Staging<typeof sejoli>;
export type SejoliStep = Step<typeof sejoli, Plan>;
export type Context = StepContext<typeof sejoli, Plan>;

export const eachRow = stepsOf<typeof sejoli, Plan>();

export interface Plan {
  readonly timezone: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly exponent: number;
  /** The tax on top of the prices of taxed products, in percent, as the shop writes it. */
  readonly taxRate: string | undefined;
  /** The store's statuses, by the shop's. */
  readonly statuses: ReadonlyMap<string, OrderStatus>;
  /** True if the shop subtracts the unique codes of transfers, instead of adding them. */
  readonly isReduced: boolean;
  readonly settings: SettingsUpdate;
  readonly keepsAdministrators: boolean;
}
