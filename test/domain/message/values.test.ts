import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Facts, PaymentFacts } from '../../../src/domain/message/facts.ts';
import { valuesOf } from '../../../src/domain/message/values.ts';
import { voiceOf } from '../../../src/domain/message/voice.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import { type Language, languages, type MessageMedium } from '../../../src/schema/lists.ts';
import { order, store, transfer } from './facts.ts';

const said = (
  facts: Partial<Facts>,
  language: Language = 'en',
  medium: MessageMedium = 'email',
) => {
  const whole = { store, name: 'Dewi', ...facts };
  return valuesOf(whole, voiceOf(whole.store, language, medium));
};

const money = (amount: number, currency: string, currency_exponent: number, language: Language) => {
  const facts = {
    store: { ...store, currency, currency_exponent },
    order: { ...order, total: amount },
  };
  return said(facts, language).amount;
};

describe('An amount is written as its reader writes it', () => {
  test.each([
    ['IDR', 0, 350_000, 'IDR 350,000', 'Rp350.000'],
    ['IDR', 2, 35_000_050, 'IDR 350,000.50', 'Rp350.000,50'],
    ['IDR', 0, -350_000, '-IDR 350,000', '-Rp350.000'],
    ['USD', 2, 125_050, '$1,250.50', 'US$1.250,50'],
    ['USD', 2, 5, '$0.05', 'US$0,05'],
    ['KWD', 3, 12_345_678, 'KWD 12,345.678', 'KWD 12.345,678'],
    ['JPY', 0, 0, '¥0', 'JP¥0'],
    ['USD', 2, largestAmount - 1, '$89,999,999,999.99', 'US$89.999.999.999,99'],
    ['KWD', 3, 9_007_199_254_740_991, 'KWD 9,007,199,254,740.991', 'KWD 9.007.199.254.740,991'],
  ])('%s of %i decimals: %i', (currency, exponent, amount, english, indonesian) => {
    expect(money(amount, currency, exponent, 'en')).toBe(english);
    expect(money(amount, currency, exponent, 'id')).toBe(indonesian);
  });

  test('with all of its digits', () => {
    const amounts = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(
        amounts,
        fc.nat(4),
        fc.constantFrom(...languages),
        (amount, exponent, language) => {
          const digits = money(amount, 'KWD', exponent, language).replace(/\D/g, '');
          expect(BigInt(digits)).toBe(BigInt(amount));
        },
      ),
    );
  });
});

describe('A date is that of the store', () => {
  const subscription = { product: 'A', end: '2026-01-31T17:30:00.000Z' };
  const payment = { ...transfer, before: '2026-01-31T17:30:00.000Z' };

  test.each([
    ['Asia/Jakarta', '1 February 2026', '1 Februari 2026', 'pukul 00.30 WIB'],
    ['Asia/Makassar', '1 February 2026', '1 Februari 2026', 'pukul 01.30 WITA'],
    ['UTC', '31 January 2026', '31 Januari 2026', 'pukul 17.30 UTC'],
  ])('in %s', (timezone, english, indonesian, time) => {
    const facts = { store: { ...store, timezone }, subscription, order: { ...order, payment } };
    expect(said(facts, 'en')['end-date']).toBe(english);
    expect(said(facts, 'id')['end-date']).toBe(indonesian);
    expect(said(facts, 'id')['pay-before']).toBe(`${indonesian} ${time}`);
  });

  test('with its time and zone in English too', () => {
    const facts = { order: { ...order, payment } };
    expect(said(facts)['pay-before']).toBe('1 February 2026 at 00:30 GMT+7');
  });
});

describe('The payment instructions', () => {
  const how = (
    payment: Partial<PaymentFacts>,
    language: Language = 'en',
    more: Partial<Facts> = {},
  ) =>
    said({ order: { ...order, payment: { ...transfer, ...payment } }, ...more }, language)[
      'how-to-pay'
    ].split('\n');

  const [bca] = transfer.accounts;

  test('for a transfer: the account, the exact amount, the reference, and the deadline', () => {
    expect(how({})).toEqual([
      'Please transfer IDR 350,123 to this account:',
      '- BCA 1234567890, account holder PT Melati',
      '',
      'Please transfer exactly this amount, to the last digit: it is how we recognise your payment.',
      'Give INV-2041 as the reference.',
      'Please pay by 1 February 2026 at 00:00 GMT+7. After that, your order is cancelled automatically.',
    ]);
    expect(how({}, 'id')).toEqual([
      'Silakan transfer Rp350.123 ke rekening berikut:',
      '- BCA 1234567890 a.n. PT Melati',
      '',
      'Mohon transfer dengan nominal yang sama persis sampai digit terakhir agar pembayaran Anda dapat kami kenali.',
      'Cantumkan INV-2041 pada berita transfer.',
      'Mohon lakukan pembayaran paling lambat 1 Februari 2026 pukul 00.00 WIB. Setelah itu, pesanan otomatis dibatalkan.',
    ]);
  });

  test('for a transfer of any amount, without a deadline, to one of several accounts', () => {
    const bri = { bank: 'BRI', owner: 'Melati', account_number: '98765', info: 'KCP Bandung' };
    const accounts = bca ? [bca, bri] : [];
    expect(how({ accounts, exact: false, before: null }, 'id')).toEqual([
      'Silakan transfer Rp350.123 ke salah satu rekening berikut:',
      '- BCA 1234567890 a.n. PT Melati',
      '- BRI 98765 a.n. Melati (KCP Bandung)',
      '',
      'Cantumkan INV-2041 pada berita transfer.',
    ]);
  });

  test('for a transfer if the store has no account', () => {
    expect(how({ accounts: [] })[0]).toBe(
      'Please transfer IDR 350,123 to our bank account. Ask us for its number.',
    );
  });

  test('for payment on delivery', () => {
    const cod = { type: 'cod', accounts: [], before: null, exact: false } as const;
    expect(how(cod)).toEqual(['You pay IDR 350,123 in cash when your order is delivered.']);
    expect(how(cod, 'id')).toEqual([
      'Mohon siapkan Rp350.123 tunai untuk dibayarkan saat pesanan diterima.',
    ]);
  });

  test("link the provider's page, or else the store's, or else nothing", () => {
    const at = { type: 'redirect', title: 'Midtrans', accounts: [], before: null } as const;
    expect(how({ ...at, url: 'https://pay.example/1' })).toEqual([
      'Pay IDR 350,123 with Midtrans here: https://pay.example/1',
    ]);
    expect(how(at, 'id')).toEqual([
      'Bayar Rp350.123 dengan Midtrans di sini: https://melati.example',
    ]);
    expect(how(at, 'en', { store: { ...store, url: '' } })).toEqual([
      'Please pay IDR 350,123 with Midtrans.',
    ]);
    expect(how({ ...at, before: transfer.before }).slice(1)).toEqual([
      '',
      'Please pay by 1 February 2026 at 00:00 GMT+7. After that, your order is cancelled automatically.',
    ]);
  });

  test("link the order's page first, if the store has such pages", () => {
    const page = 'https://shop.example/order/7-0-xxxx';
    const told = { page, before: null, exact: false };
    const line = `See your order and how to pay for it here: ${page}`;
    expect(how(told).slice(-2)).toEqual(['Give INV-2041 as the reference.', line]);
    expect(how({ ...told, type: 'cod' }).slice(1)).toEqual([line]);
    expect(
      how({ ...told, type: 'redirect', title: 'Midtrans', url: 'https://pay.example' }),
    ).toEqual([`Pay IDR 350,123 with Midtrans here: ${page}`]);
    expect(how(told, 'id').at(-1)).toBe(`Lihat pesanan dan cara pembayarannya di sini: ${page}`);
    const payment = { ...transfer, page };
    expect(said({ order: { ...order, payment } })['order-link']).toBe(page);
  });

  test('are empty if nothing has to be paid', () => {
    expect(said({ order })).toMatchObject({ 'how-to-pay': '', 'pay-before': '' });
  });
});

describe('A list', () => {
  test('of goods has a heading, and is empty without goods', () => {
    const access = { shown: [{ title: 'Kelas', url: 'https://melati.example/1' }], left: 0 };
    const licenses = { shown: ['A-1', 'B-2'], left: 0 };
    const given = said({ order: { ...order, access, licenses } }, 'id');
    expect(given.access).toBe('Akses pembelian Anda di sini:\n- Kelas: https://melati.example/1');
    expect(given.licenses).toBe('Kode lisensi Anda:\n- A-1\n- B-2');
    expect(said({ order })).toMatchObject({ access: '', licenses: '' });
  });

  test('that is too long ends with the number of the other items', () => {
    const licenses = { shown: ['A-1', 'B-2'], left: 10 };
    const lines = said({ order: { ...order, licenses } }).licenses.split('\n');
    expect(lines.slice(-2)).toEqual(['- B-2', 'and 10 more']);
  });

  test('of a parcel has its known details', () => {
    const shipping = { courier: 'JNE', tracking_number: '', tracking_url: '' };
    expect(said({ order: { ...order, shipping } }, 'id').tracking).toBe('Kurir: JNE');
  });
});

test('reasons are given in words, and money of another currency with that currency', () => {
  const unexpected = { amount: 100, reason: 'currency' } as const;
  expect(said({ unexpected }, 'id')).toMatchObject({
    reason: 'mata uangnya berbeda dengan pesanan',
    'received-amount': '',
  });
  expect(said({ webhook: { name: 'Gudang', reason: 'gone' } }).reason).toContain('410');
  expect(said({ refund: { amount: 1, reason: 'Stok\nhabis' } }).reason).toBe('Stok habis');
});

describe('A text that somebody wrote', () => {
  test('about themselves contains no link', () => {
    const named = (name: string) => said({ name }).name;
    expect(named('You won https://evil.example/x now')).toBe('You won https evil. example x now');
    expect(named('www.evil.example')).toBe('www. evil. example');
    expect(named('Dr. J.R. O’Neil-Śmith')).toBe('Dr. J. R. O’Neil-Śmith');
    expect(named('أحمد')).toBe('أحمد');
    for (const dot of ['。', '．', '｡', '․', '﹒', '.\u200b', '.\u2060', '.\u00ad', '.\u0301']) {
      expect(named(`evil${dot}example`), dot).toBe('evil. example');
    }
    for (const name of [
      'ｈｔｔｐｓ：／／ｅｖｉｌ．ｅｘａｍｐｌｅ',
      'https:\u2044\u2215evil.example',
    ]) {
      expect(named(name)).toBe('https evil. example');
    }
    expect(named('Dewi\u200d Kartika 👩‍👩‍👧')).toBe('Dewi\u200d Kartika 👩‍👩‍👧');
  });

  test('is cut to one line of a limited length, without marks that change its direction', () => {
    expect(said({ name: ' a\r\n\tb\u2028c\u202Ed ' }).name).toBe('a b c d');
    expect(said({ name: '😀'.repeat(300) }).name).toMatch(/^(😀){49}…$/u);
  });

  test.each([
    ['*x*', 'x'],
    ['_x_ ~y~ ```z```', 'x y z'],
    ['Anna_Maria', 'Anna_Maria'],
    ['3 * 4', '3 * 4'],
    ['*', '*'],
  ])('formats nothing in WhatsApp: %s', (name, shown) => {
    expect(said({ name }, 'en', 'whatsapp').name).toBe(shown);
    expect(said({ name }, 'en', 'email').name).toBe(name);
  });

  test('is complete where it is meant to be copied', () => {
    const licenses = { shown: ['_A*1_'], left: 0 };
    expect(said({ order: { ...order, licenses } }, 'en', 'whatsapp').licenses).toContain('- _A*1_');
  });
});

describe('A sign-in notice names the browser and the system', () => {
  const browserOf = (browser: string, language: Language = 'en') =>
    said({ sign_in: { at: '2026-03-10T09:00:00Z', browser, country: 'ID' } }, language).browser;
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0';

  test.each([
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 Edg/143.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Safari/537.36 EdgA/143.0`, 'Edge on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Firefox/140.0', 'Firefox'],
    ['curl/8.5.0', ''],
    ['https://evil.example/', ''],
    ['', ''],
  ])('%s', (userAgent, expected) => {
    expect(browserOf(userAgent)).toBe(expected);
  });

  test('An Indonesian notice says it in Indonesian', () => {
    expect(browserOf('Firefox/140.0 (Windows)', 'id')).toBe('Firefox di Windows');
  });
});
