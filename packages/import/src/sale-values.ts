import { type Instant, largestAmount } from '../../../src/exports/store.ts';
import type { Reason } from './reasons.ts';
import { amountOf, numberIn } from './values.ts';

/** The largest limit, stock or number of days here. */
const most = 2_147_483_647;

/**
 * Reads prices, limits, deadlines and percentages. Numbers are read as PHP reads them, from the start of a text:
 * "10,50" is 10. Nothing may be sold for 0 or without a limit because a value is unreadable: check `isReadable`.
 */
export class SaleValues {
  readonly #exponent: number;
  readonly #reasons = new Set<Reason>();
  #isReadable = true;

  /** @param exponent decimals of the currency */
  constructor(exponent: number) {
    this.#exponent = exponent;
  }

  get isReadable(): boolean {
    return this.#isReadable;
  }

  get reasons(): readonly Reason[] {
    return [...this.#reasons];
  }

  /** An amount of 0 or more; a missing one is 0. */
  amount(text: string | null | undefined): number {
    const units = this.surcharge(text);
    if (units < 0) this.unreadable();
    return Math.max(0, units);
  }

  /** An amount that may be below 0. */
  surcharge(text: string | null | undefined): number {
    const amount = amountOf(this.#number(text), this.#exponent);
    if (!amount) this.unreadable();
    if (amount?.rounded) this.#reasons.add('amount-rounded');
    return amount?.units ?? 0;
  }

  /** A whole number of 0 or more; decimals are dropped. */
  whole(text: string | null | undefined): number {
    const number = Math.trunc(Number(this.#number(text)));
    if (number >= 0 && number <= most) return number;
    this.#reasons.add('value-impossible');
    return number < 0 ? 0 : most;
  }

  /** A whole number; 0 = no limit. A number below 0 is unreadable, since 0 would replace it. */
  limit(text: string | null | undefined): number {
    if (Number(this.#number(text)) < 0) this.unreadable();
    return this.whole(text);
  }

  /** A percentage, 100 at most. */
  percentage(text: string | null | undefined): number {
    const number = Number(this.#number(text));
    if (number < 0) this.unreadable();
    if (number > 100) this.#reasons.add('value-impossible');
    return Math.min(100, Math.max(0, Math.round(number * 10_000) / 10_000));
  }

  /** A number; a very large one becomes the largest amount. */
  number(text: string | null | undefined): number {
    return Math.min(largestAmount, Math.max(-largestAmount, Number(this.#number(text))));
  }

  /** A moment; null for an empty text. */
  moment(
    text: string | null | undefined,
    read: (text: string | null) => Instant | null,
  ): Instant | null {
    const moment = read(text ?? null);
    const isSaid = !/^\s*(0|0000-00-00.*)?\s*$/.test(text ?? '');
    if (moment === null && isSaid) this.unreadable();
    return moment;
  }

  /** Records a reason of the calling reader. */
  note(reason: Reason): void {
    this.#reasons.add(reason);
  }

  /** Records that a value can't be imported. */
  unreadable(): void {
    this.#isReadable = false;
    this.#reasons.add('value-impossible');
  }

  #number(text: string | null | undefined): string {
    const said = text?.trim() ?? '';
    const number = numberIn(said);
    if (number === undefined) {
      if (said !== '') this.unreadable();
      return '0';
    }
    if (number !== said) this.#reasons.add('number-cut');
    return number;
  }
}
