import { describe, expect, test } from 'vitest';
import { webLink } from '../../src/lib/schemas.ts';

const taken = (text: string) => webLink.safeParse(text).success;

test.each([
  '',
  '/',
  '/lessons/2?part=1#top',
  '/@sari',
  'https://shop.example',
  'HTTPS://shop.example/',
  'http://shop.example:8080/a;b=c/@sari?mail=a@b.example#x@y',
  'https://shop.example?next=https://x@y.example/',
  'https://[2001:db8::1]/',
  'https://toko-roti.example/r%C3%B6ti/r\u00f6ti',
])('%j is an address on the web', (link) => {
  expect(taken(link)).toBe(true);
});

describe('a link that shows one address and leads to another is refused', () => {
  test.each([
    'https://user@x.example/',
    'https://user:pw@x.example/',
    'https://:x@x.example/',
    'https://:@x.example/',
    'https://@x.example/',
    'https://shop.example:443@x.example/',
    'https://shop.example%2F@x.example/',
    'https:///user:pw@x.example/',
    'https:///:@x.example/',
    'https:////x.example/',
    'https://',
    'https:x.example',
    '//x.example',
    '///x.example',
    '/\\x.example',
    '\\\\x.example',
    'https:\\\\x.example',
    'https://shop.example\\@x.example/',
    'https://x.example\\.shop.example/',
    '/a\\b',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.example/',
    'x.example',
    '?next=1',
  ])('%j', (link) => {
    expect(taken(link)).toBe(false);
  });

  const unseen = [
    ...Array.from({ length: 33 }, (_, code) => code),
    ...Array.from({ length: 0xa0 - 0x7f + 1 }, (_, i) => 0x7f + i),
    ...[0x1680, 0x2003, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ].map((code) => String.fromCharCode(code));

  test.each(unseen.map((character) => [JSON.stringify(character), character] as const))(
    'with %s in it',
    (_, character) => {
      for (const link of ['/a/b', 'https://x.example/a']) {
        for (let at = 0; at <= link.length; at++) {
          const text = link.slice(0, at) + character + link.slice(at);
          expect(taken(text), JSON.stringify(text)).toBe(false);
        }
      }
    },
  );
});
