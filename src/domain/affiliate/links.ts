import type { SettingsRow } from '../../schema/platform.ts';
import type { ProductRow } from '../product/rules.ts';
import type { AffiliateLink } from './schemas.ts';

type Product = ProductRow['product'];

/** The address of the store's own site, without a slash at its end. */
export const siteOf = ({ site_url }: SettingsRow, baseUrl: string): string =>
  (site_url || baseUrl).replace(/\/+$/, '');

/** Where a product is bought on the store's own site. */
export const checkoutPage = ({ slug }: Pick<Product, 'slug'>): string => `/checkout/${slug}`;

/** A page of a product that affiliates send visitors to. */
interface Target {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly link: string;
}

/** The pages of a product that links may lead to: the store's own, and those the product names. */
export function targetsOf(product: Product, site: string): Target[] {
  const { slug, title, affiliate } = product;
  const pages = [
    { key: 'sales-page', title, link: affiliate.landing_page || `/product/${slug}` },
    { key: 'checkout', title: `Checkout: ${title}`, link: checkoutPage(product) },
    ...affiliate.links,
  ];
  const known = new Set<string>();
  return pages.flatMap((page) => {
    if (known.has(page.key)) return [];
    known.add(page.key);
    const description = 'description' in page ? page.description : '';
    const { href } = new URL(page.link, `${site}/`);
    return [{ key: page.key, label: page.title, description, link: href }];
  });
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
