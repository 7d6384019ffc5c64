import type { RiskKind } from '../../../schema/lists.ts';
import type { SettingsRow } from '../../../schema/platform.ts';
import type { Person } from '../../user/rules.ts';

/** The details that identify two accounts of one person. */
export type Contacts = Pick<Person, 'id' | 'email' | 'phone' | 'bank_info' | 'bank_account'>;

export interface Suspect {
  readonly tier: number;
  readonly affiliate: Contacts;
  readonly buyer: Contacts;
  /** Other affiliates who may share details with this one. */
  readonly others: readonly Contacts[];
  /** Times of earlier orders of the buyer through the order's affiliate, in milliseconds. */
  readonly recent: readonly number[];
  readonly settings: Pick<SettingsRow, 'country' | 'velocity_orders' | 'velocity_hours'>;
  readonly now: Date;
}

export interface RiskRule {
  readonly kind: RiskKind;
  /** Returns the people with whom the affiliate is suspected. */
  readonly find: (suspect: Suspect) => readonly Contacts[];
}

export const buyerIf = (isFound: boolean, { buyer }: Suspect): readonly Contacts[] =>
  isFound ? [buyer] : [];
