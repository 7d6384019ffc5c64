import { useStore } from '../context/session.ts';
import { type Currency, money } from '../lib/money.ts';
import { useLocale } from '../texts/texts.ts';

interface MoneyProps {
  /** In the smallest unit of its currency. */
  readonly amount: number;
  /** The currency, if it isn't the store's. */
  readonly currency?: string;
}

/** An amount in the store's currency, or in another with as many decimals. */
export function Money({ amount, currency }: MoneyProps) {
  const text = useMoney();
  return <span className="money">{text(amount, currency)}</span>;
}

export function useMoney(): (amount: number, currency?: string) => string {
  const store: Currency = useStore();
  const locale = useLocale();
  return (amount, currency) =>
    money(amount, currency === undefined ? store : { ...store, currency }, locale);
}
