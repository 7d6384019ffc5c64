import { createContext, use } from 'react';

/** The languages of the console, each by its own name. */
export const languages = { en: 'English', id: 'Bahasa Indonesia' } as const;

export type Language = keyof typeof languages;

export interface Catalogue<T> {
  readonly en: T;
  readonly id: T;
}

/** A catalogue: every language has all texts of the English one. */
export const catalogue = <T>(texts: { readonly en: T; readonly id: NoInfer<T> }): Catalogue<T> =>
  texts;

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', id: 'id-ID' };

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => use(LanguageContext);

/** The locale of dates, amounts and plurals. */
export const useLocale = (): string => locales[useLanguage()];

export const useTexts = <T>(texts: Catalogue<T>): T => texts[useLanguage()];

/** The form of a noun for a number in English; Indonesian has one form. */
export const plural = (count: number, one: string, other: string): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : other}`;
