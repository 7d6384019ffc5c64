import { describe, expect, test } from 'vitest';
import { composed, ownText } from '../../../src/domain/message/content.ts';
import { namesIn, unknownPlaceholders } from '../../../src/domain/message/filling.ts';
import { kinds } from '../../../src/domain/message/kinds.ts';
import { placeholders, placeholdersOf } from '../../../src/domain/message/placeholders.ts';
import { signInTexts } from '../../../src/domain/message/texts/sign-in.ts';
import { languages, templateKinds, templateMedia } from '../../../src/schema/lists.ts';
import { full, minimal } from './facts.ts';

const all = templateKinds.flatMap((kind) =>
  templateMedia.flatMap((medium) => languages.map((language) => ({ kind, medium, language }))),
);

describe.each(all)('The text of $kind by $medium in $language', ({ kind, medium, language }) => {
  const template = ownText(kind, medium, language);

  test('has only placeholders of its kind', () => {
    expect(unknownPlaceholders(template.subject, kind)).toEqual([]);
    expect(unknownPlaceholders(template.text, kind)).toEqual([]);
  });

  test.each([
    ['much', full[kind]],
    ['little', minimal(kind)],
  ])('reads well if it has a value for %s', (_, facts) => {
    const unsubscribe_url = kinds[kind].transactional ? null : 'https://shop.example/u/abc';
    const content = composed({ template, facts, medium, language, layout: null, unsubscribe_url });
    expect(content.subject).not.toBe('');
    for (const said of [content.subject, content.text, content.html ?? '']) {
      expect(said).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
      expect(said).not.toMatch(/\n\n\n|^\s|\s$/);
    }
    // A sentence without its value leaves nothing behind.
    expect(content.text).not.toMatch(/: *(?:\n\n|$)|\(\)|\*\*| {2}| [.,]/);
  });
});

test('a message to a buyer without a name has no greeting, and a message of a store without a site has no address', () => {
  const said = (facts: (typeof full)['order-cancelled']) =>
    composed({
      template: ownText('order-cancelled', 'email', 'en'),
      ...{ facts, medium: 'email', language: 'en', layout: null, unsubscribe_url: null },
    }).text.split('\n');
  expect(said(full['order-cancelled'])).toContain('Hi Dewi Kartika,');
  expect(said(full['order-cancelled']).at(-1)).toBe('https://melati.example');
  expect(said(minimal('order-cancelled'))[0]).toMatch(/^Your order INV-2041/);
  expect(said(minimal('order-cancelled')).at(-1)).toBe('Toko Melati');
});

test('every placeholder belongs to a kind of message, or to a sign-in message', () => {
  const had = new Set<string>(templateKinds.flatMap(placeholdersOf));
  const ofSignIn = new Set(
    languages.flatMap((language) =>
      Object.values(signInTexts[language]).flatMap(({ subject, text }) => namesIn(subject + text)),
    ),
  );
  const names = Object.keys(placeholders);
  expect(names.filter((name) => !had.has(name) && !ofSignIn.has(name))).toEqual([]);
  expect([...ofSignIn].filter((name) => !names.includes(name))).toEqual([]);
});

test('messages to affiliates name no buyer, and only messages to buyers have access links and licence codes', () => {
  for (const kind of templateKinds) {
    const had = placeholdersOf(kind);
    if (kinds[kind].audience === 'affiliate') expect(had).not.toContain('buyer-name');
    if (kinds[kind].audience !== 'buyer') {
      expect(had).not.toContain('access');
      expect(had).not.toContain('licenses');
    }
  }
});
