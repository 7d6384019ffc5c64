import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composed } from '../../../src/domain/message/content.ts';
import type { TemplateText } from '../../../src/schema/messages.ts';
import { htmlOf, layoutProblem } from '../../../src/domain/message/html.ts';
import { full, order } from './facts.ts';

const template: TemplateText = {
  subject: 'Order {{order-number}}',
  text: 'Hi {{name}},\n\n{{product-name}}',
  approved: null,
};

const given = {
  template,
  facts: full['order-placed'],
  medium: 'email',
  language: 'en',
  layout: null,
  unsubscribe_url: null,
} as const;

const said = (more: Partial<Parameters<typeof composed>[0]> = {}) =>
  composed({ ...given, ...more });

const named = (product: string) => ({ ...given.facts, order: { ...order, product } });

/** Every tag that the service makes; any other `<` comes from values. */
const ours = /<p style="[^"<>]*">|<\/p>|<br>|<a href="https?:\/\/[^"<>]*">|<\/a>/g;

describe('HTML of a text', () => {
  test('has its paragraphs, lines and addresses', () => {
    expect(htmlOf('a\nb\n\nSee https://x.example/?a=1&b=2.')).toBe(
      '<p style="margin:0 0 16px">a<br>\nb</p>\n' +
        '<p style="margin:0 0 16px">See <a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>.</p>',
    );
  });

  test.each([
    ['(https://x.example/a).', 'https://x.example/a'],
    ['https://x.example/a_(b)', 'https://x.example/a_(b)'],
    ['https://x.example/token_-', 'https://x.example/token_-'],
    ['"https://x.example"', 'https://x.example'],
    ['HTTP://x.example!?', 'HTTP://x.example'],
    ['(see https://x.example/a.),', 'https://x.example/a'],
  ])('takes no punctuation into a link: %s', (text, address) => {
    expect(htmlOf(text)).toContain(`<a href="${address}">${address}</a>`);
  });

  test('takes no punctuation into a link, however much there is', () => {
    const address = 'https://x.example/a';
    const html = htmlOf(`${address}${').'.repeat(50_000)}`);
    expect(html).toContain(`<a href="${address}">${address}</a>).).`);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.example',
    'https://',
    'http://[x',
  ])('makes no link of %s', (text) => {
    expect(htmlOf(text)).not.toContain('<a');
  });

  const pieces = fc.constantFrom(
    ...['<', '>', '"', "'", '&', ' ', '\n', '\n\n', 'https://', 'x.example', '/a', 'javascript:'],
    ...['<script>', ' onclick=', '&lt;', '](', '{{name}}', '\u0000', '=', ')', '(', '`', '.', ']'],
  );
  const anyText = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 });

  test('has no tags but ours, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (parts) => {
        const html = htmlOf(parts.join(''));
        expect(html.replace(ours, '')).not.toMatch(/[<>"']/);
        expect(html).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      }),
      { numRuns: 1000 },
    );
  });

  test('shows the text itself, in its lines and paragraphs', () => {
    const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
    const shown = (html: string) =>
      html
        .replaceAll('<br>\n', '\n')
        .replaceAll(/<\/p>\n<p[^>]*>/g, '\n\n')
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/&([^;]+);/g, (_, name: keyof typeof characters) => characters[name]);
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.join('');
        const paragraphs = text.replaceAll(/\n{2,}/g, '\n\n').replaceAll(/^\n\n|\n\n$/g, '');
        expect(shown(htmlOf(text))).toBe(paragraphs);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('A message', () => {
  test('is text and, by e-mail, HTML in its language', () => {
    expect(said()).toMatchObject({
      subject: 'Order INV-2041',
      text: 'Hi Dewi Kartika,\n\nKelas Memasak Rendang',
      from_name: 'Toko Melati',
      unsubscribe_url: null,
    });
    expect(said({ language: 'id' }).html).toContain('<html lang="id">');
    expect(said({ medium: 'whatsapp' }).html).toBeNull();
  });

  test('treats values that people typed as text', () => {
    const { html, text } = said({ facts: named('<b onclick="x">{{name}}</b>') });
    expect(text).toContain('<b onclick="x">{{name}}</b>');
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;{{name}}&lt;/b&gt;');
  });

  test('has a subject of one line that is not too long, and always one', () => {
    const { subject } = said({
      template: { ...template, subject: 'a\r\nBcc: {{product-name}}' },
      facts: named(`x\n\u0000${'y'.repeat(300)}`),
    });
    expect(subject).toMatch(/^a Bcc: x y+…$/);
    expect(subject).toHaveLength(200);
    expect(said({ template: { ...template, subject: '{{reason}}' } }).subject).toBe('Toko Melati');
  });

  test('has no control characters in its subject, whatever is in it', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 10 });
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const { subject } = said({
          template: { ...template, subject: `${a}{{product-name}}` },
          facts: named(b),
        });
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });

  test('is never longer than its medium allows, and keeps the whole unsubscribe note', () => {
    const long = { ...template, text: 'a'.repeat(10_000) };
    const unsubscribe_url = 'https://shop.example/u/abc';
    const { text } = said({ template: long, medium: 'whatsapp', unsubscribe_url });
    expect(text).toHaveLength(4096);
    expect(
      text.endsWith(
        `…\n\nDon't want to get messages like this one? Stop these messages: ${unsubscribe_url}`,
      ),
    ).toBe(true);
  });

  test('says how to unsubscribe, at the end of its text and HTML', () => {
    const { text, html } = said({
      language: 'id',
      unsubscribe_url: 'https://shop.example/u?a=1&b=2',
    });
    expect(text.split('\n').at(-1)).toBe(
      'Tidak ingin menerima pesan seperti ini lagi? Hentikan pesan ini: https://shop.example/u?a=1&b=2',
    );
    expect(html).toContain(
      'lagi? <a href="https://shop.example/u?a=1&amp;b=2">Hentikan pesan ini</a></p>',
    );
    expect(said().html).not.toContain('Stop these');
  });
});

describe("A shop's own layout", () => {
  const layout =
    '<title>{{store-name}}</title>\n{{content}}\n<a href="{{unsubscribe-url}}">Stop</a>\n{{store-url}}';
  const store = { ...given.facts.store, name: 'A & {{content}}' };

  test('frames the message, with values as text', () => {
    const { html } = said({ layout, facts: { ...given.facts, store } });
    expect(html).toBe(
      '<title>A &amp; {{content}}</title>\n<p style="margin:0 0 16px">Hi Dewi Kartika,</p>\n' +
        '<p style="margin:0 0 16px">Kelas Memasak Rendang</p>\nhttps://melati.example',
    );
  });

  test('says in its own words how to unsubscribe', () => {
    const { html } = said({ layout, unsubscribe_url: 'https://shop.example/"u' });
    expect(html).toContain('<a href="https://shop.example/&quot;u">Stop</a>');
    expect(html).not.toContain('Stop these');
    expect(said({ layout: '{{content}}', unsubscribe_url: 'https://shop.example/u' }).html).toMatch(
      /Stop these messages<\/a><\/p>$/,
    );
  });

  test('is accepted if it has no fault', () => {
    expect(layoutProblem(layout)).toBeUndefined();
    expect(layoutProblem('<style>@media(x){p{color:red}}</style>{{ content }}')).toBeUndefined();
  });

  test.each([
    ['<p>Hello</p>', '{{content}} exactly once'],
    ['{{content}}{{content}}', '{{content}} exactly once'],
    ['{{content}} {{name}}', 'must not contain {{name}}:'],
    ['{{content}} {{', 'must not contain {{:'],
    ['{{content}} {{unsubscribe-url}}', 'on a line without other'],
    ['{{content}}<SCRIPT src="x">', 'not contain scripts'],
    ['<body onload="x()">{{content}}', 'not contain scripts'],
    ['<a href="javascript:x">{{content}}</a>', 'not contain scripts'],
  ])('is refused: %s', (html, why) => {
    expect(layoutProblem(html)).toContain(why);
  });
});

describe('A template that WhatsApp approved', () => {
  const approved = {
    name: 'order_placed_id',
    variables: ['name', 'how-to-pay', 'reason', 'unheard-of'],
  };

  test('gets its values in order, each in one line and none empty', () => {
    const content = said({
      template: { ...template, approved },
      medium: 'whatsapp',
      language: 'id',
    });
    expect(content.approved).toEqual({
      name: 'order_placed_id',
      values: [
        'Dewi Kartika',
        'Silakan transfer Rp350.123 ke rekening berikut: - BCA 1234567890 a.n. PT Melati · ' +
          'Mohon transfer dengan nominal yang sama persis sampai digit terakhir agar pembayaran Anda dapat kami kenali. · ' +
          'Cantumkan INV-2041 pada berita transfer. · ' +
          'Mohon lakukan pembayaran paling lambat 1 Februari 2026 pukul 00.00 WIB. Setelah itu, pesanan otomatis dibatalkan.',
        '-',
        '-',
      ],
    });
  });

  test('does not apply to other media', () => {
    expect(said({ template: { ...template, approved } }).approved).toBeNull();
  });
});
