import { decimalText, moneyFormat } from '../../../lib/money.ts';
import type { Language } from '../../../schema/lists.ts';
import type { SettingsRow } from '../../../schema/platform.ts';
import { en } from './texts/en.ts';
import { id } from './texts/id.ts';
import type { Texts } from './texts/en.ts';

const textsOf: Readonly<Record<Language, Texts>> = { en, id };

export type FieldDemand = SettingsRow['shop_phone'];

export type StoreLink = 'terms' | 'privacy' | 'contact' | 'imprint';

/** The store as its pages show it, in a language. */
export interface StoreView {
  readonly name: string;
  /** Empty = none. */
  readonly logo: string;
  /** As #rrggbb; empty = the usual one. */
  readonly color: string;
  /** Empty = none. */
  readonly links: Readonly<Record<StoreLink, string>>;
  readonly phone: FieldDemand;
  readonly postalCode: FieldDemand;
  readonly language: Language;
  readonly texts: Texts;
  /** In the store's currency. */
  readonly money: (amount: number) => string;
  /** An amount as a bank's form takes it: `12.50`. */
  readonly digits: (amount: number) => string;
  readonly moment: (at: string) => string;
}

export function storeView(settings: SettingsRow, language: Language): StoreView {
  const { store_name, timezone: timeZone } = settings;
  const moments = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  return {
    ...{ name: store_name, language, texts: textsOf[language] },
    logo: settings.shop_logo_url,
    color: settings.shop_color,
    links: {
      terms: settings.shop_terms_url,
      privacy: settings.shop_privacy_url,
      contact: settings.shop_contact_url,
      imprint: settings.shop_imprint_url,
    },
    phone: settings.shop_phone,
    postalCode: settings.shop_postal_code,
    money: moneyFormat(language, settings),
    digits: (amount) => decimalText(amount, settings.currency_exponent ?? 0),
    moment: (at) => moments.format(new Date(at)),
  };
}

/** Shown if the database can't be read. */
export const plainView = (language: Language): StoreView => ({
  ...{ name: '', language, texts: textsOf[language], logo: '', color: '' },
  links: { terms: '', privacy: '', contact: '', imprint: '' },
  phone: 'optional',
  postalCode: 'optional',
  money: String,
  digits: String,
  moment: String,
});
