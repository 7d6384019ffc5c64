import type { Language } from '../../../schema/lists.ts';
import type { SettingsRow } from '../../../schema/platform.ts';
import { en } from './texts/en.ts';
import { id } from './texts/id.ts';
import type { Texts } from './texts/en.ts';

const textsOf: Readonly<Record<Language, Texts>> = { en, id };

/** The store on its pages, in a language. */
export interface StoreView {
  readonly name: string;
  readonly language: Language;
  readonly texts: Texts;
  /** An amount in the store's currency. */
  readonly money: (amount: number) => string;
  readonly moment: (at: string) => string;
}

export function storeView(settings: SettingsRow, language: Language): StoreView {
  const { store_name, currency, currency_exponent, timezone: timeZone } = settings;
  const digits = currency_exponent ?? 0;
  const numbers = new Intl.NumberFormat(language, {
    ...(currency && { style: 'currency', currency }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const moments = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  return {
    ...{ name: store_name, language, texts: textsOf[language] },
    money: (amount) => numbers.format(amount / 10 ** digits),
    moment: (at) => moments.format(new Date(at)),
  };
}

/** The view of a store whose database can't be read. */
export const plainView = (language: Language): StoreView => ({
  ...{ name: '', language, texts: textsOf[language] },
  money: String,
  moment: String,
});
