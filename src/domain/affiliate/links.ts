import type { Config } from '../../config.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { ProductRow } from '../product/rules.ts';
import type { AffiliateLink, sums } from './schemas.ts';

type Product = ProductRow['product'];

/** Without a trailing slash; undefined if the store has no site. */
export const siteOf = ({ site_url }: SettingsRow): string | undefined =>
  site_url.replace(/\/+$/, '') || undefined;

/** Resolves a path against the store's site, which may be in a folder. Undefined for a path if there is no site. */
export function pageAt(link: string, site: string | undefined): string | undefined {
  if (site === undefined || !link.startsWith('/')) return URL.parse(link, site && `${site}/`)?.href;
  const { origin, pathname } = new URL(site);
  const folder = pathname.replace(/\/+$/, '');
  const isWithin = link.startsWith(folder) && /^(?:[/?#]|$)/.test(link.slice(folder.length));
  return new URL(isWithin ? link : folder + link, origin).href;
}

/** The path of a product's page on the store's own site. */
export const checkoutPage = ({ slug }: Pick<Product, 'slug'>): string => `/checkout/${slug}`;

/** The most campaigns of an affiliate that are counted by name in a day. The rest are counted together. */
export const mostSubs = 200;

/** The name for the rest. No link can have it. */
export const otherSub = '(other)';

interface Target {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly link: string;
}

/**
 * The pages that a product's links may lead to. The page that sells it is in the shop if that module is on, otherwise
 * on the store's site.
 */
export function targetsOf(product: Product, { site, shop }: Site): Target[] {
  const { slug, title, affiliate } = product;
  const selling = (path: string) => pageAt(path, shop ?? site);
  const pages = [
    {
      ...{ key: 'sales-page', title },
      link: affiliate.landing_page
        ? pageAt(affiliate.landing_page, site)
        : selling(`/product/${slug}`),
    },
    { key: 'checkout', title: `Checkout: ${title}`, link: selling(checkoutPage(product)) },
    ...affiliate.links.map((page) => ({ ...page, link: pageAt(page.link, site) })),
  ];
  const known = new Set<string>();
  return pages.flatMap((page) => {
    if (known.has(page.key)) return [];
    known.add(page.key);
    const description = 'description' in page ? page.description : '';
    const { key, title: label, link } = page;
    return link === undefined ? [] : [{ key, label, description, link }];
  });
}

/** `site` is undefined without a site of the store, `shop` while that module is off. */
export interface Site {
  readonly site: string | undefined;
  readonly shop: string | undefined;
  readonly baseUrl: string;
}

export const addressesOf = (
  settings: SettingsRow,
  { BASE_URL: baseUrl, MODULES }: Pick<Config, 'BASE_URL' | 'MODULES'>,
): Site => ({
  ...{ site: siteOf(settings), baseUrl },
  shop: MODULES.includes('shop') ? baseUrl : undefined,
});

export type PageLink = Omit<AffiliateLink, keyof typeof sums>;

const affiliateLink = (
  affiliate_id: number,
  product_id: number,
  key: string,
  { site, shop, baseUrl }: Site,
) => `${shop ?? site ?? baseUrl}/aff/${affiliate_id}/${product_id}/${key}`;

export const affiliateLinks = (affiliate_id: number, product: Product, at: Site) =>
  targetsOf(product, at).map((target): PageLink => ({
    ...target,
    affiliate_link: affiliateLink(affiliate_id, product.id, target.key, at),
    product_id: product.id,
  }));

/**
 * Adds to the query of an address.
 * @param visit the visitor's own query; parameters given here or already there take precedence
 */
export function withQuery(
  address: string,
  query: Record<string, string | undefined>,
  visit: URLSearchParams = new URLSearchParams(),
): string {
  const url = new URL(address);
  const taken = new Set([...Object.keys(query), ...url.searchParams.keys()]);
  for (const [name, value] of visit) {
    if (!taken.has(name)) url.searchParams.append(name, value);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
