import { endpoint, open, Redirect } from '../../kernel/endpoint/declare.ts';
import { cookieNamed } from '../../kernel/endpoint/console-requests.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { Id } from '../../lib/schemas.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { dateIn } from '../../lib/calendar.ts';
import { visitorOf } from '../../actions/affiliates/visitor.ts';
import { findSettings } from '../../queries/settings.ts';
import { canAffiliate } from '../../domain/user/rules.ts';
import { addressesOf, targetsOf, withQuery } from '../../domain/affiliate/links.ts';
import { couponInLink, subInLink } from '../../domain/affiliate/schemas.ts';
import { findPerson } from '../../queries/users.ts';
import { findVisitor, insertClick } from '../../queries/clicks.ts';
import { findPublished } from '../../queries/product-promotion.ts';

import * as z from 'zod';

/** Programs that preview links. Their visits are not counted. */
const program =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|monitor|curl|wget|python|java\/|go-http|headless/i;

/** Returns 0, which no record has, unless the text is an id. */
const linkedId = (description: string) =>
  z
    .string()
    .transform((text) => Id.safeParse(Number(text)).data ?? 0)
    .meta({ type: 'integer', minimum: 1, description });

/** The first valid value of a parameter. */
const firstOf = (visit: URLSearchParams, name: string, schema: z.ZodString): string | undefined =>
  visit
    .getAll(name)
    .map((text) => schema.safeParse(text).data)
    .find((value) => value !== undefined);

export const followLink = endpoint({
  id: 'affiliates.click',
  namespace: 'root',
  route: ['GET /aff/:affiliate/:product/:target'],
  summary: 'Follow an affiliate link',
  description:
    "Records the visit and redirects to the store's own pages for the product, or to those that the product names. The target receives `ref`, which is also set as a cookie: for `affiliate_link_days` (a setting), an order that carries it counts for the affiliate, whether it is for this product or another in the programme. `sub=` in the link names a campaign (up to 50 letters, digits, `_`, `.` or `-`) in the affiliate's figures. Beyond 200 campaigns of an affiliate in a day, the rest is counted together, as `(other)`. `coupon=` in the link is passed on if it can be the code of a coupon. Any other parameter of the link, such as `utm_source`, is passed on unless the address of the page has a parameter of that name. The sales page is the product's `landing_page`, if it has one. Otherwise the sales page, like the checkout, is a page of the shop if the module `shop` is on, or else of `site_url` (a setting). Without both, a link works only if the product names the page by a complete address. Visits by crawlers are redirected but not recorded.",
  access: open('visitors follow these links from anywhere'),
  effect: 'write',
  params: z.object({
    affiliate: linkedId('Id of the affiliate.'),
    product: linkedId('Id of the product.'),
    target: z
      .string()
      .describe('Key of a page.')
      .meta({ examples: ['sales-page'] }),
  }),
  reply: [302, Redirect],
  errors: ['rest_not_found'],
  secretReply: true,
  head: true,
}).handle(async ({ params, db, request, userAgent, authority, config, now }) => {
  const { affiliate, products, settings, known } = await db.query({
    affiliate: findPerson(params.affiliate),
    products: findPublished(params.product),
    settings: findSettings(),
    known: findVisitor(cookieNamed('ref', request.header('cookie'))),
  });
  const [product] = products;
  if (!product || !settings[0]) return refuse('rest_not_found');
  const page = targetsOf(product, addressesOf(settings[0], config)).find(
    ({ key }) => key === params.target,
  );
  if (!page) return refuse('rest_not_found');
  const visit = new URL(request.url).searchParams;
  const coupon = firstOf(visit, 'coupon', couponInLink);
  const counts = affiliate[0] && canAffiliate(affiliate[0]) && product.affiliate.enabled;
  const isVisit = request.method === 'GET' && userAgent !== '' && !program.test(userAgent);
  if (!counts || !isVisit) {
    return redirectTo(withQuery(page.link, { coupon, ref: undefined }, visit));
  }
  const ref = randomBase62(20);
  const at = now.toISOString();
  const stranger = {
    address: request.header('cf-connecting-ip') ?? '',
    ...{ userAgent, day: dateIn(at, settings[0].timezone) },
  };
  const location = withQuery(page.link, { coupon, ref }, visit);
  const click = {
    ref,
    affiliate_id: params.affiliate,
    product_id: product.id,
    target: page.key,
    at,
    sub: firstOf(visit, 'sub', subInLink) ?? '',
    visitor: known[0]?.visitor ?? (await visitorOf(stranger, authority)),
  };
  const written = await db.change<Record<never, never>, never>({
    load: {},
    decide: () => ({ write: insertClick(click), reply: { location } }),
  });
  if (isRefusal(written)) return written;
  const memory = settings[0].affiliate_link_days * 86_400;
  return redirectTo(
    location,
    `ref=${ref}; Path=/; Max-Age=${memory}; Secure; HttpOnly; SameSite=Lax`,
  );
});
