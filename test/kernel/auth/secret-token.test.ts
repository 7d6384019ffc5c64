import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase62 } from '../../../src/lib/base62.ts';
import { crc32 } from '../../../src/lib/crc32.ts';
import {
  derivedCode,
  derivedToken,
  generateToken,
  generatePepper,
  hashToken,
  parseToken,
  readPeppers,
} from '../../../src/kernel/auth/secret-token.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyKey = fc.constant(null).map(() => generateToken('svcapi'));

/** Any text, including half characters. */
const anyText = fc.uint16Array({ maxLength: 100 }).map((codes) => String.fromCharCode(...codes));

/** A text with the correct checksum of a key. */
const checked = (body: string) => body + encodeBase62(crc32(body), 6);

describe('an API key', () => {
  test('has a prefix of 12 characters, and a secret of 43 with a checksum of 6', () => {
    const { token, prefix } = generateToken('svcapi');
    expect(token).toMatch(/^svcapi_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(token.split('_')[1]).toBe(prefix);
  });

  test('is read back as it was generated', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(parseToken('svcapi', key.token)).toEqual(key);
      }),
    );
  });

  test('keeps its format: keys in use must stay valid', () => {
    expect(parseToken('svcapi', `svcapi_${'0'.repeat(12)}_${'z'.repeat(43)}1mXiIt`)).toEqual({
      prefix: '000000000000',
      token: 'svcapi_000000000000_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz1mXiIt',
    });
  });

  test('never comes twice', () => {
    const keys = Array.from({ length: 1000 }, () => generateToken('svcapi'));
    expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(keys.length);
    expect(new Set(keys.map(({ token }) => token.slice(20))).size).toBe(keys.length);
  });

  test('is refused with any one character changed', () => {
    const { token } = generateToken('svcapi');
    for (let at = 0; at < token.length; at++) {
      for (const character of `${base62}_- \0é`) {
        if (character === token[at]) continue;
        expect(
          parseToken('svcapi', token.slice(0, at) + character + token.slice(at + 1)),
        ).toBeNull();
      }
    }
  });

  test('is refused with two characters exchanged', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(67), ({ token }, at) => {
        const [first = '', second = ''] = token.slice(at, at + 2);
        fc.pre(first !== second);
        const exchanged = token.slice(0, at) + second + first + token.slice(at + 2);
        expect(parseToken('svcapi', exchanged)).toBeNull();
      }),
    );
  });

  test('is refused with additional or missing characters', () => {
    const { token } = generateToken('svcapi');
    const around = [`${token} `, ` ${token}`, `${token}\n`, `"${token}"`, `Bearer ${token}`];
    const missing = [token.slice(1), token.slice(0, -1), token.slice('svcapi_'.length)];
    for (const text of [...around, ...missing, token + token, token.toUpperCase()]) {
      expect(parseToken('svcapi', text)).toBeNull();
    }
  });

  test('is no secret of another kind, even of one whose name is as long', () => {
    const kinds = ['svcapi', 'svclink', 'svcses', 'svcenter', 'svcacc'] as const;
    for (const kind of kinds) {
      const { token } = generateToken(kind);
      expect(kinds.filter((other) => parseToken(other, token) !== null)).toEqual([kind]);
    }
  });

  test('has one form, whatever its checksum', () => {
    const [prefix, secret] = ['a'.repeat(12), 'b'.repeat(43)];
    expect(parseToken('svcapi', checked(`svcapi_${prefix}_${secret}`))).not.toBeNull();
    const forms = [
      ...[`SVCAPI_${prefix}_${secret}`, `svcapi-${prefix}_${secret}`, `svcapi_${prefix}-${secret}`],
      ...[`svcapi_${prefix}a_${secret.slice(1)}`, `svcapi_${prefix.slice(1)}_${secret}b`],
      ...[`svcapi_${'é'.repeat(12)}_${secret}`, `svcapi_${prefix}_${'-'.repeat(43)}`],
      ...[`svcapi_${prefix}_${secret}b`, `svcapi_${prefix}_${secret.slice(1)}`],
    ];
    for (const form of forms) expect(parseToken('svcapi', checked(form)), form).toBeNull();
  });

  test('is not recognised in any other text, however odd or long', () => {
    const short = ['', 'svcapi_', 'svcapi__', `svcapi_${'a'.repeat(12)}_${'a'.repeat(49)}`];
    const asLong = ['é', '\uD800', '\0', '١', '_'].map((character) => character.repeat(69));
    const huge = ['a', '_', 'svcapi_'].map((part) => part.repeat(1_000_000));
    for (const text of [...short, ...asLong, ...huge])
      expect(parseToken('svcapi', text)).toBeNull();
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseToken('svcapi', text)).toBeNull();
      }),
    );
  });
});

const bytesOf = (pepper: string) => Buffer.from(pepper.slice(pepper.indexOf(':') + 1), 'base64url');
const hmac = (pepper: string, text: string) =>
  createHmac('sha256', bytesOf(pepper)).update(text).digest('hex');

describe('hashToken', () => {
  test('is HMAC-SHA-256 of the whole key, under the current pepper first', async () => {
    const [old, current] = [generatePepper(6), generatePepper(7)];
    const peppers = await readPeppers(`${current},${old}`);
    const { token } = generateToken('svcapi');
    expect(await hashToken(token, peppers)).toEqual([
      { version: 7, hash: hmac(current, token) },
      { version: 6, hash: hmac(old, token) },
    ]);
  });

  test('is found again under the new pepper and the old one while both are in place', async () => {
    const [old, current] = [generatePepper(1), generatePepper(2)];
    const { token } = generateToken('svcapi');
    const [stored] = await hashToken(token, await readPeppers(old));
    const rotated = await hashToken(token, await readPeppers(`${current} ${old}`));
    const retired = await hashToken(token, await readPeppers(current));
    expect(rotated).toContainEqual(stored);
    expect(retired).not.toContainEqual(stored);
  });

  test('differs for another key and for another pepper', async () => {
    const peppers = await readPeppers(`${generatePepper(1)} ${generatePepper(2)}`);
    const keys = [generateToken('svcapi'), generateToken('svcapi')];
    const hashes = await Promise.all(keys.map(({ token }) => hashToken(token, peppers)));
    expect(new Set(hashes.flat().map(({ hash }) => hash)).size).toBe(4);
  });
});

describe('A derived secret', () => {
  const zeros = `1:${'A'.repeat(43)}`;

  test('keeps its format: links and codes that were sent must stay valid', async () => {
    const peppers = await readPeppers(zeros);
    const link = await derivedToken('svclink', 'sign-in 1', peppers);
    expect(link).toEqual({
      prefix: 'T2rBhTBXScun',
      token: 'svclink_T2rBhTBXScun_ES0rETj6jNifpQCf1DA9sOTo3VAH5UnxhNC9HdLi0Rc1ETHyH',
    });
    expect(parseToken('svclink', link.token)).toEqual(link);
    expect(await derivedCode('sign-in 1', peppers)).toBe('664427');
    expect(await derivedCode('sign-in 69', peppers)).toBe('001371');
  });

  test('differs in all its parts for another kind, seed or pepper', async () => {
    const [one, two] = [await readPeppers(zeros), await readPeppers(generatePepper(1))];
    const links = await Promise.all([
      derivedToken('svclink', 'a', one),
      derivedToken('svclink', 'b', one),
      derivedToken('svcenter', 'a', one),
      derivedToken('svclink', 'a', two),
    ]);
    const secrets = links.map(({ token }) => token.slice(token.lastIndexOf('_') + 1));
    expect(new Set(links.map(({ prefix }) => prefix)).size).toBe(links.length);
    expect(new Set(secrets.map((secret) => secret.slice(0, 20))).size).toBe(links.length);
    expect(new Set(secrets.map((secret) => secret.slice(20, 43))).size).toBe(links.length);
  });

  test('is the one of the current pepper', async () => {
    const current = generatePepper(2);
    const rotated = await readPeppers(`${current},${zeros}`);
    const alone = await readPeppers(current);
    expect(await derivedToken('svclink', 'a', rotated)).toEqual(
      await derivedToken('svclink', 'a', alone),
    );
    expect(await derivedCode('a', rotated)).toBe(await derivedCode('a', alone));
  });
});

describe('readPeppers', () => {
  test('takes commas, blanks and line breaks between and around', async () => {
    const [first, second] = [generatePepper(2), generatePepper(1)];
    const spellings = [`${first},${second}`, `${first} ${second}`, ` ${first},\n${second}\n`];
    for (const text of spellings) {
      expect((await readPeppers(text)).map(({ version }) => version)).toEqual([2, 1]);
    }
    const [several] = await readPeppers(generatePepper(2_147_483_647));
    expect(several.version).toBe(2_147_483_647);
  });

  test('makes the keys impossible to extract', async () => {
    const [pepper] = await readPeppers(generatePepper(1));
    expect(pepper.key.extractable).toBe(false);
  });

  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA';
  test.each([
    ['nothing', '', 'is empty'],
    ['blanks only', ' , ', 'is empty'],
    ['three', `3:${secret} 2:${secret} 1:${secret}`, '3 peppers'],
    ['a version twice', `1:${secret},1:${secret}`, 'version 1 twice'],
    ['no version', secret, 'pepper 1 has no valid version'],
    ['an empty version', `:${secret}`, 'pepper 1 has no valid version'],
    ['version 0', `0:${secret}`, 'pepper 1 has no valid version'],
    ['a version with zeros', `01:${secret}`, 'pepper 1 has no valid version'],
    ['a version above an integer', `2147483648:${secret}`, 'pepper 1 has no valid version'],
    ['the parts exchanged', `1:${secret} ${secret}:2`, 'pepper 2 has no valid version'],
    ['padding', `1:${secret}==`, 'pepper 1 is not base64url'],
    ['base64', `1:${secret}+/+/`, 'pepper 1 is not base64url'],
    ['hexadecimal of odd length', `1:${'a'.repeat(65)}`, 'pepper 1 is not base64url'],
    ['a short one', `1:${secret.slice(0, 40)}`, 'pepper 1 has fewer than 32 bytes'],
    ['an empty one', '1:', 'pepper 1 has fewer than 32 bytes'],
  ])('refuses %s, and never shows it', async (_, text, message) => {
    const error = await readPeppers(text).catch((error: unknown) => error);
    expect(String(error)).toMatch(/^Error: API_KEY_PEPPERS/);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain(secret.slice(0, 8));
  });
});
