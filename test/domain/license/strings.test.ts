import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalString, isFreeHost } from '../../../src/domain/license/strings.ts';

describe('a host name or URL becomes its host', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  Example.COM\n', 'example.com'],
    ['https://www.example.com/', 'example.com'],
    ['HTTP://WWW.Example.com/shop/?a=1#b', 'example.com'],
    ['//example.com/x', 'example.com'],
    ['ftp://example.com', 'example.com'],
    ['https://user:secret@example.com/', 'example.com'],
    ['example.com.', 'example.com'],
    ['www.www.example.com', 'example.com'],
    ['www.com', 'www.com'],
    ['example.com/shop with blanks', 'example.com'],
    ['example.com?x', 'example.com'],
    ['http://example.com:80', 'example.com'],
    ['https://example.com:443/', 'example.com'],
    ['example.com:8080', 'example.com:8080'],
    ['https://Example.com:08443/a', 'example.com:8443'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['https://www.BÜCHER.example/', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['www。example.com', 'example.com'],
    ['my_shop.example.com', 'my_shop.example.com'],
    ['localhost', 'localhost'],
    ['LOCALHOST:3000', 'localhost:3000'],
    ['http://intranet/', 'intranet'],
    ['192.168.0.1', '192.168.0.1'],
    ['http://192.168.0.1:81/', '192.168.0.1:81'],
    ['http://192.168.0.1./', '192.168.0.1'],
    ['[::1]', '[::1]'],
    ['http://[2001:DB8:0::1]:8080/', '[2001:db8::1]:8080'],
  ])('%s', (text, host) => {
    expect(canonicalString(text)).toBe(host);
  });
});

describe('a text that is no host name is only trimmed', () => {
  test.each([
    'MACHINE-01',
    '12345',
    '1.2',
    '0x7f.1',
    'http://1',
    'b64/aGVsbG8=',
    '550E8400-e29b-41d4-a716-446655440000',
    'Dewi@Example.com',
    'C:\\Users\\Dewi',
    'My Machine.local',
    'a..b',
    '-.-',
    'example.com:99999',
    'example.com:abc',
    `${'a'.repeat(64)}.com`,
    'http://',
    'https://%zz.com',
    'ab\tcd.com',
  ])('%s', (text) => {
    expect(canonicalString(` ${text}\u00a0`)).toBe(text);
  });
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((text) => {
  // Labels of the form ??--… are reserved; only xn-- is valid, with a valid name.
  return text.slice(2, 4) !== '--' && text !== 'www';
});
const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[a-z]{2,10}$/))
  .map(([labels, last]) => [...labels, last].join('.'));

test('a domain keeps its canonical form with any scheme, port, path or blanks around it', () => {
  const around = fc.record({
    domain,
    scheme: fc.constantFrom('', '//', 'http://', 'https://', 'HTTPS://'),
    www: fc.constantFrom('', 'www.', 'WWW.'),
    port: fc.constantFrom('', ':80', ':443'),
    dot: fc.constantFrom('', '.'),
    path: fc.constantFrom('', '/', '/a/b?c=d#e', '?x=1', '#top'),
    blank: fc.constantFrom('', ' ', '\t\n'),
    upper: fc.boolean(),
  });
  fc.assert(
    fc.property(around, ({ domain, scheme, www, port, dot, path, blank, upper }) => {
      const host = upper ? domain.toUpperCase() : domain;
      const text = `${blank}${scheme}${www}${host}${dot}${port}${path}${blank}`;
      expect(canonicalString(text)).toBe(domain);
    }),
    { numRuns: 1000 },
  );
});

const pieces =
  'http s : // www. WWW. a . .. example .com :80 :8080 / [ ] ::1 @ ? # % \\ ü 。 xn-- - _ 127 0 localhost Ａ ß İ １'.split(
    ' ',
  );

test('canonicalString changes nothing when it is applied again, and leaves no blanks around the text', () => {
  const urlish = fc
    .array(fc.constantFrom(' ', '\u00ad', ...pieces), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const text = fc.oneof(urlish, domain, fc.webUrl(), fc.string(), fc.ipV6());
  fc.assert(
    fc.property(text, (text) => {
      const once = canonicalString(text);
      expect(canonicalString(once)).toBe(once);
      expect(once).toBe(once.trim());
    }),
    { numRuns: 1500 },
  );
});

test('hosts for development take no seat', () => {
  const free = ['localhost', 'localhost:3000', 'shop.test', 'a.b.test:81', 'nas.local'];
  free.push('staging.example.com', 'dev.example.com', 'dev.example.com:8080');
  free.push(
    'http://127.0.0.1:8000',
    '127.255.0.1',
    'http://[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    '::1',
  );
  free.push('http://10.0.0.5', '172.16.3.4', 'https://172.31.255.1/wp', '192.168.1.10:8080');
  free.push('169.254.0.7', '[fe80::1]', '[fd12:3456::1]:81', '[fc00::]', '[::ffff:192.168.0.1]');
  free.push('toko.localhost', 'http://a.b.localhost:5173/', 'http://', 'https:///', '//');
  free.push('http://0.0.0.0:8000', '[::]:3000', '192.168.0.1.');
  for (const string of free) expect(isFreeHost(canonicalString(string)), string).toBe(true);
  const taking = ['example.com', 'localhost.com', 'test', 'latest', 'shop.test.com', 'mydev.com'];
  taking.push(
    'stagings.example.com',
    'staging',
    'local',
    'dev machine',
    'x-dev.a.com',
    ...['203.0.113.7', '172.15.0.1', '172.32.0.1', '192.169.0.1', '11.0.0.1', '128.0.0.1'],
    ...['[2001:db8::1]', '[::ffff:203.0.113.7]', '10.example.com', 'localhost.example', 'fdisk'],
    ...['127.0.0.1.example.com', 'http', '1.127.0.0.1'],
  );
  for (const string of taking) expect(isFreeHost(canonicalString(string)), string).toBe(false);
});
