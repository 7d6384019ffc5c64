import type { MessageContent } from '../../schema/message-content.ts';
import type { Language, MessageMedium, TemplateKind, TemplateMedium } from '../../schema/lists.ts';
import type { TemplateText } from '../../schema/messages.ts';
import type { Facts } from './facts.ts';
import { filledIn } from './filling.ts';
import { type UnsubscribeLink, pageOf } from './html.ts';
import { clipped, oneLine } from '../../lib/text.ts';
import type { Placeholder } from './placeholders.ts';
import { texts } from './texts/index.ts';
import { type Values, valuesOf } from './values.ts';
import { voiceOf } from './voice.ts';

export const ownText = (
  kind: TemplateKind,
  medium: TemplateMedium,
  language: Language,
): TemplateText => ({
  subject: '',
  ...texts[language].templates[kind][medium],
  approved: null,
});

interface Composition {
  readonly template: TemplateText;
  readonly facts: Facts;
  readonly medium: MessageMedium;
  readonly language: Language;
  /** The store's HTML layout; null for the plain one. */
  readonly layout: string | null;
  /** Null for transactional messages. */
  readonly unsubscribe_url: string | null;
}

export function composed(given: Composition): MessageContent {
  const { template, facts, medium, language, layout, unsubscribe_url } = given;
  const values = valuesOf(facts, voiceOf(facts.store, language, medium));
  const unsubscribing = unsubscribingAt(unsubscribe_url, language);
  const ending = unsubscribing === null ? '' : `\n\n${lineOf(unsubscribing)}`;
  const longest = medium === 'whatsapp' ? 4096 : 20_000;
  const text = clipped(filledIn(template.text, values), longest - ending.length);
  const from_name = clipped(oneLine(facts.store.name), 100);
  const store = { name: values['store-name'], url: values['store-url'] };
  return {
    subject: clipped(oneLine(filledIn(template.subject, values)), 200) || from_name,
    text: `${text}${ending}`,
    html: medium === 'email' ? pageOf(text, { store, language, unsubscribing, layout }) : null,
    language,
    from_name,
    approved: medium === 'whatsapp' ? approvedOf(template, values) : null,
    unsubscribe_url,
  };
}

function unsubscribingAt(url: string | null, language: Language): UnsubscribeLink | null {
  if (url === null) return null;
  const [question, link] = texts[language].words.unsubscribe;
  return { url, question, link };
}

const lineOf = ({ question, link, url }: UnsubscribeLink) => `${question} ${link}: ${url}`;

/** WhatsApp accepts no line breaks in a variable, no runs of blanks, and no empty value. */
const approvedOf = ({ approved }: TemplateText, values: Values) =>
  approved && {
    name: approved.name,
    values: approved.variables.map((name) => {
      const value = Object.hasOwn(values, name) ? values[name as Placeholder] : '';
      const line = value.replace(/:\n/g, ': ').replace(/\n+/g, ' · ');
      return clipped(oneLine(line), 1024) || '-';
    }),
  };
