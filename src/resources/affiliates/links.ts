import type { SettingsRow } from '../platform/queries.ts';
import type { ProductRow } from '../products/rules.ts';
import type { AffiliateLink } from './schemas.ts';

type Product = ProductRow['product'];

/** The address of the store's own site, without a slash at its end. */
export const siteOf = ({ site_url }: SettingsRow, baseUrl: string): string =>
  (site_url || baseUrl).replace(/\/+$/, '');

/** A page of a product that affiliates send visitors to. */
interface Target {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly link: string;
}

/**
 * The pages of a product that links may lead to: the store's own, and those the product names. What
 * is no web address is left out, so that a link never leads to anything else.
 */
export function targetsOf({ slug, title, affiliate }: Product, site: string): Target[] {
  const landing = affiliate.landing_page && webAddress(affiliate.landing_page, site);
  const pages = [
    { key: 'sales-page', title, link: landing || `/product/${slug}` },
    { key: 'checkout', title: `Checkout: ${title}`, link: `/checkout/${slug}` },
    ...affiliate.links,
  ];
  const known = new Set<string>();
  return pages.flatMap((page) => {
    const link = webAddress(page.link, site);
    if (link === undefined || known.has(page.key)) return [];
    known.add(page.key);
    const description = 'description' in page ? page.description : '';
    return [{ key: page.key, label: page.title, description, link }];
  });
}

/** A link as a complete web address, one of the site where it names no other. */
function webAddress(link: string, site: string): string | undefined {
  if (!URL.canParse(link, `${site}/`)) return undefined;
  const url = new URL(link, `${site}/`);
  return ['https:', 'http:'].includes(url.protocol) && !url.username ? url.href : undefined;
}

/** The link that counts for an affiliate and leads to a page of a product. */
export const affiliateLink = (
  affiliate_id: number,
  product_id: number,
  key: string,
  site: string,
) => `${site}/aff/${affiliate_id}/${product_id}/${key}`;

/** The links an affiliate shares for a product. */
export const affiliateLinks = (affiliate_id: number, product: Product, site: string) =>
  targetsOf(product, site).map((target): AffiliateLink => ({
    ...target,
    affiliate_link: affiliateLink(affiliate_id, product.id, target.key, site),
    product_id: product.id,
  }));

/** An address with more in its query. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
