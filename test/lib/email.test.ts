import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Email, isEmail } from '../../src/lib/email.ts';
import { trimmed } from '../../src/lib/text.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const text = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters.split('')), minLength, maxLength });

// The grammar of RFC 5321, 4.1.2, rule by rule.
const Atom = text(`${letters}${digits}!#$%&'*+-/=?^_\`{|}~`, 1, 20);
const DotString = fc.array(Atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('.'));
const LetDig = text(letters + digits, 1, 1);
const LdhStr = fc.tuple(text(`${letters}${digits}-`, 0, 30), LetDig).map((parts) => parts.join(''));
const subDomain = fc
  .tuple(LetDig, fc.option(LdhStr, { nil: '' }))
  .map(([first, rest]) => first + rest);
/** Top-level domains: by ICANN's rules letters, or punycode. */
const topLevel = fc.oneof(
  text(letters, 2, 20),
  subDomain.map((rest) => `xn--${rest}`),
);
const Domain = fc
  .tuple(fc.array(subDomain, { minLength: 1, maxLength: 4 }), topLevel)
  .map(([labels, top]) => [...labels, top].join('.'));
const Mailbox = fc.tuple(DotString, Domain).map(([local, domain]) => `${local}@${domain}`);

describe('An e-mail address', () => {
  test('is taken as RFC 5321 writes it, and stored in lower case', () => {
    fc.assert(
      fc.property(Mailbox, (address) => {
        expect(isEmail(address)).toBe(true);
        expect(Email.parse(address)).toBe(address.toLowerCase());
      }),
    );
  });

  test('is refused with anything before, within or behind it that RFC 5321 does not have', () => {
    const strange = fc.constantFrom(
      ...[
        ' ',
        '\t',
        '\r\n',
        '\n',
        '\0',
        ',',
        ';',
        ':',
        '<',
        '>',
        '(',
        ')',
        '[',
        ']',
        '"',
        '\\',
        '@',
      ],
      ...['\u00a0', '\u200b', '\u2028', 'é', '＠', '。', '\u{1f600}', '\ud800'],
    );
    fc.assert(
      fc.property(Mailbox, strange, fc.nat(), (address, part, at) => {
        const place = at % (address.length + 1);
        const spoilt = address.slice(0, place) + part + address.slice(place);
        expect(isEmail(spoilt)).toBe(false);
        // Blanks around an address are trimmed.
        expect(Email.safeParse(spoilt).success).toBe(trimmed(spoilt) === address);
      }),
    );
  });

  test('is refused if it contains two addresses, however they are combined', () => {
    const between = fc.constantFrom('', ',', ', ', ';', ' ', '\n', '\r\nBcc: ', '%0a', '><', '" <');
    fc.assert(
      fc.property(Mailbox, Mailbox, between, (one, other, mark) => {
        expect(isEmail(one + mark + other)).toBe(false);
      }),
    );
  });

  test('is of at most 254 characters, 64 before the @ and 63 between two dots', () => {
    const label = 'd'.repeat(63);
    const domain = `${label}.${label}.${'d'.repeat(58)}.de`;
    expect(isEmail(`${'l'.repeat(64)}@${domain}`)).toBe(true);
    expect(`${'l'.repeat(64)}@${domain}`).toHaveLength(254);
    expect(isEmail(`${'l'.repeat(64)}@d${domain}`)).toBe(false);
    expect(isEmail(`${'l'.repeat(65)}@demo.example`)).toBe(false);
    expect(isEmail(`local@${label}d.example`)).toBe(false);
    expect(isEmail(`local@demo.${label}d`)).toBe(false);
    expect(isEmail(`local@demo.${label}`)).toBe(true);
  });

  test.each(
    `no-at, a@b, @shop.example, a@, a@shop..example, a@.shop.example, a@shop.example., .a@shop.example,
     a.@shop.example, a..b@shop.example, a@-shop.example, a@shop-.example, a@shop.-example, a@sh_op.example,
     a@127.0.0.1, a@[127.0.0.1], "a b"@shop.example, "a"@shop.example, Name <a@shop.example>, <a@shop.example>,
     mailto:a@shop.example, a@bücher.example, a@shop.example:25`
      .split(',')
      .map((address) => address.trim()),
  )('is refused: %s', (address) => {
    expect(isEmail(address)).toBe(false);
  });

  test.each([
    "d'arcy'@shop.example",
    'a&b=c/d@shop.example',
    'user@xn--e1afmkfd.xn--p1ai',
    'a@3com.example',
    'a@b.4you',
    'a@x.y',
    '{{name}}@shop.example',
  ])('is accepted: %s', (address) => {
    expect(isEmail(address)).toBe(true);
  });
});
