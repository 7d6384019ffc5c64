import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { partsOf } from '../../../src/kernel/endpoint/routes.ts';
import { pages } from '../../../src/endpoints.ts';
import { runs } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, fieldsOf, orderPath } from './buyer.ts';
import { pictures } from '../../lib/pictures.ts';
import { Members } from './member.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
const base = 'https://shop.example';
const site = 'https://store.example';
/** Origins to which redirects and links may lead. */
const own = [base, site];

let members: Members;
let affiliate_id: number;
let product: { id: number; slug: string };
let cookie: string;
let token: string;

beforeAll(async () => {
  const { fixture } = opened;
  members = new Members(fixture);
  await fixture.set('site_url', site);
  await fixture.set('shop_hourly_orders', 100_000);
  await fixture.set('affiliate_sign_up', true);
  ({ id: affiliate_id } = await fixture.newAffiliate());
  const links = [{ key: 'page', title: 'Page', description: '', link: '/landing' }];
  const tiers = [{ tier: 1, fee: 10, type: 'percentage' }];
  product = await fixture.newProduct({ affiliate: { enabled: true, tiers, links } });
  await signIn();
  token =
    orderPath(await buy(fixture.store, product.slug))
      .split('/')
      .at(-1) ?? '';
});

const signIn = async () => {
  ({ cookie = '' } = await members.signIn((await opened.fixture.newUser()).id));
};

const evil = fc.constantFrom(
  ...[
    '//evil.example',
    '///evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
  ],
  ...[
    '%2f%2fevil.example',
    '%5cevil.example',
    '/%2f/evil.example',
    '/..//evil.example',
    '.evil.example',
  ],
  ...['https:evil.example', 'https://evil.example', 'HTTPS://evil.example', 'https:/evil.example'],
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    ':80@evil.example',
    '#@evil.example',
  ],
  ...[
    '\r\nLocation: https://evil.example',
    '%0d%0aLocation:%20https://evil.example',
    '\t//evil.example',
  ],
  ...[
    '\u0000//evil.example',
    '\u2028//evil.example',
    '。evil.example',
    '/%09/evil.example',
    '?//evil.example',
  ],
);

const text = fc.oneof(evil, fc.string({ maxLength: 20 }));

const names = [
  'next',
  'url',
  'redirect',
  'return_to',
  'to',
  'link',
  'said',
  'ref',
  'sub',
  'coupon',
  'email',
];
const field = fc.oneof(
  fc.constantFrom(...names, 'path', 'license', 'pay', 'price', 'code', 'phone'),
  text,
);

/** Headers allow no other characters. */
const inHeader = evil.map((value) => value.replaceAll(/[^ -~]/g, ''));

const headers = fc.record(
  {
    'x-forwarded-host': inHeader,
    'x-forwarded-proto': fc.constantFrom('http', 'javascript', 'https'),
    'x-forwarded-prefix': inHeader,
    'x-original-url': inHeader,
    'x-rewrite-url': inHeader,
    forwarded: fc.constant('host=evil.example;proto=https'),
    referer: fc.constant('https://evil.example/'),
    cookie: fc.constantFrom('member', '', 'ref=//evil.example'),
  },
  { requiredKeys: [] },
);

/** The pages and forms of the shop, and the links of an affiliate. */
const routes = [
  ...pages.map(({ route: [first] }) => partsOf(first)),
  ...['sales-page', 'checkout', 'page'].map((key) => ({
    method: 'GET',
    path: `/aff/:affiliate/:product/${key}`,
  })),
].map(({ method, path }) => ({ method, path }));

/** A request to any page, to an affiliate's link, or to an unknown address. */
const asked = fc.record({
  page: fc.constantFrom(...routes, { method: 'GET', path: '' }),
  /** The value of a parameter; null for the real one. */
  part: fc.option(text),
  before: fc.oneof({ arbitrary: fc.constant(''), weight: 8 }, { arbitrary: evil, weight: 1 }),
  after: fc.oneof({ arbitrary: fc.constant(''), weight: 4 }, { arbitrary: evil, weight: 1 }),
  query: fc.array(fc.tuple(field, text), { maxLength: 4 }),
  form: fc.array(fc.tuple(field, text), { maxLength: 4 }),
  headers,
  host: fc.constantFrom(
    'shop.example',
    'evil.example',
    'shop.example.evil.example',
    'shop.example:8443',
  ),
});

type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

async function formOf({ path }: Asked['page']): Promise<Record<string, string>> {
  if (path === '/checkout/:slug') {
    const { text: html } = await visit(opened.fixture.store, `/checkout/${product.slug}`);
    const email = `${crypto.randomUUID()}@people.example`;
    return { ...fieldsOf(html), name: 'Dewi', email, action: 'order' };
  }
  const details = { display_name: 'Wati', phone: '', address: '', postal_code: '', country: '' };
  return {
    ...details,
    link: 'svcenter_unknown',
    code: '1',
    license: 'a',
    string: 'b',
    email: 'new@people.example',
  };
}

/** Sends a request unchanged to any host. */
async function answerTo({ page, part, before, after, query, form, headers: sent, host }: Asked) {
  const real: Record<string, string> = {
    ...{ slug: product.slug, token, id: '1', name: 'ffd000.css' },
    ...{ affiliate: String(affiliate_id), product: String(product.id) },
  };
  let replaced = part === null;
  const path = page.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (replaced) return real[name] ?? '1';
    replaced = true;
    return part ?? '';
  });
  const whole = `${before}${path}${after}`;
  const start = /^[/\\]/.test(whole) ? '' : '/';
  const url = `https://${host}${start}${whole}?${String(new URLSearchParams(query))}`;
  if (!URL.canParse(url)) return undefined;
  const isForm = page.method === 'POST';
  const values = isForm ? { ...(await formOf(page)), ...Object.fromEntries(form) } : {};
  const answer = await opened.fixture.store.fetch(
    new Request(url, {
      method: page.method,
      headers: {
        ...{ accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': 'same-origin' },
        ...sent,
        ...(sent.cookie === 'member' && { cookie }),
      },
      ...(isForm && {
        body: page.path.endsWith('/proof') ? proof() : new URLSearchParams(values),
      }),
      redirect: 'manual',
    }),
  );
  if (page.path === '/account/sign-out') await signIn();
  return answer;
}

function proof(): FormData {
  const body = new FormData();
  body.set('file', new File([pictures.png], 'receipt.png'));
  return body;
}

/** The addresses in an answer: its redirect, and the links and forms of its page. */
async function addressesIn(answer: Response): Promise<string[]> {
  const html = await answer.text();
  const linked = [...html.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)];
  const location = answer.headers.get('location');
  return [
    ...(location === null ? [] : [location]),
    ...(answer.headers.has('refresh') ? ['refresh:'] : []),
    ...linked.map(([, address = '']) => address.replaceAll('&amp;', '&')),
  ];
}

/** The addresses in an answer that lead a browser to another site. */
const foreignIn = async (answer: Response) =>
  (await addressesIn(answer)).filter((address) => !own.includes(new URL(address, base).origin));

test('every page that redirects does so with a hostile query, form and headers too', async () => {
  const hostile = names.map((name): [string, string] => [name, '//evil.example']);
  const redirecting: string[] = [];
  for (const page of routes) {
    const answer = await answerTo({
      ...{ page, part: null, before: '', after: '', query: hostile, host: 'evil.example' },
      form: [
        ['next', 'https://evil.example'],
        ['path', '//evil.example'],
      ],
      headers: { 'x-forwarded-host': 'evil.example', cookie: 'member' },
    });
    expect(answer && (await foreignIn(answer.clone()))).toEqual([]);
    if (answer?.headers.has('location')) redirecting.push(`${page.method} ${page.path}`);
  }
  expect(redirecting.toSorted()).toEqual([
    ...['checkout', 'page', 'sales-page'].map((key) => `GET /aff/:affiliate/:product/${key}`),
    'POST /account/affiliate',
    'POST /account/affiliate/coupons',
    'POST /account/bank',
    'POST /account/details',
    'POST /account/email',
    'POST /account/email/confirm',
    'POST /account/phone',
    'POST /account/phone/confirm',
    'POST /account/session',
    'POST /account/sign-out',
    'POST /checkout/:slug',
    'POST /order/:token/pay',
    'POST /order/:token/proof',
  ]);
});

test('no redirect or link of the shop leads to another site, whatever its request says', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (request) => {
      const answer = await answerTo(request);
      if (!answer) return;
      expect(answer.status).toBeLessThan(500);
      expect(await foreignIn(answer)).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});
