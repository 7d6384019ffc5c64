import { hyphenated } from '../../../src/exports/store.ts';
import type { Reason } from './reasons.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

export const slugsOf = ({ database }: Staging<Source>, type: string): (string | null)[] =>
  database
    .prepare('select post_name as slug from posts where post_type = ?')
    .all(type)
    .map(({ slug }) => slug as string | null);

/**
 * Gives each product its slug: the shop's own, or a new one if that can't be kept.
 * @param all the shop's slugs, which new ones never use
 */
export function uniqueSlugs(
  all: readonly (string | null)[],
): (wanted: string, id: number) => string {
  const own = new Set(all);
  const taken = new Set<string>();
  return (wanted, id) => {
    const clean = cleanSlug(wanted);
    const isFree = (slug: string) => !taken.has(slug) && (slug === wanted || !own.has(slug));
    let slug = isPossible(clean) ? clean : `${clean || 'product'}-${id}`;
    while (!isFree(slug)) slug = `${slug}-${id}`;
    taken.add(slug);
    return slug;
  };
}

const cleanSlug = (wanted: string) => hyphenated(decoded(wanted)).slice(0, 180);

/** A number alone could be taken for an id. */
const isPossible = (slug: string) => slug !== '' && !/^\d+$/.test(slug);

/** Reports a changed slug, because links to the product need a redirect. */
export function slugChange(
  post: Readonly<Record<string, string | null>>,
  slug: string,
): { readonly reasons: readonly Reason[]; readonly detail?: string } {
  const was = post['post_name'] ?? '';
  // No links exist to records that were never published, or are in the bin.
  if (was === '' || was === slug || post['post_status'] === 'trash') return { reasons: [] };
  const clean = cleanSlug(was);
  const isTaken = isPossible(clean) && clean !== slug;
  return {
    reasons: [isTaken ? 'slug-taken' : 'renamed'],
    detail: `${decoded(was)} → ${slug}`,
  };
}

/** WordPress percent-encodes slugs in other alphabets. */
export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
