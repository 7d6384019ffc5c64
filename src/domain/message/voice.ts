import type { Instant } from '../../lib/instant.ts';
import { moneyFormat } from '../../lib/money.ts';
import type { Language, MessageMedium } from '../../schema/lists.ts';
import type { Facts } from './facts.ts';
import { clipped, oneLine } from '../../lib/text.ts';
import { texts } from './texts/index.ts';
import type { Words } from './texts/shape.ts';

/** Formats values for a reader's language, the store's currency and time zone, and a medium. */
export interface Voice {
  readonly words: Words;
  readonly money: (amount: number) => string;
  /** `1 February 2026`. */
  readonly day: (instant: Instant) => string;
  readonly moment: (instant: Instant) => string;
  /** Quotes a text that a person wrote. */
  readonly said: (text: string) => string;
}

export const voiceOf = (
  store: Facts['store'],
  language: Language,
  medium: MessageMedium,
): Voice => {
  const { words } = texts[language];
  const money = moneyFormat(words.amounts, store);
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const written = (instant: Instant, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(words.dates, { timeZone: store.timezone, ...format }).format(
      new Date(instant),
    );
  return {
    words,
    money: (amount) => oneLine(money(amount)),
    day: (instant) => written(instant, date),
    moment: (instant) => written(instant, { ...date, ...time, timeZoneName: 'short' }),
    said: (text) =>
      clipped(medium === 'whatsapp' ? unformatted(oneLine(text)) : oneLine(text), 500),
  };
};

/** Removes characters at the edges of words that WhatsApp would take for formatting. */
const unformatted = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}])[*_~`]+(?=\S)|(?<=\S)[*_~`]+(?![\p{L}\p{N}])/gu, '').trim();
