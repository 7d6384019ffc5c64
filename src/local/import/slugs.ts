import { hyphenated } from '../../lib/text.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

/** The slugs of a shop's posts of a type. */
export const slugsOf = ({ database }: Staging<Source>, type: string): (string | null)[] =>
  database
    .prepare('select post_name as slug from posts where post_type = ?')
    .all(type)
    .map(({ slug }) => slug as string | null);

/**
 * Gives each product its slug: the shop's own, or what tells it from others where it has none that can be kept.
 * @param all the shop's slugs: one that is made of another never takes one of these
 */
export function uniqueSlugs(
  all: readonly (string | null)[],
): (wanted: string, id: number) => string {
  const own = new Set(all);
  const taken = new Set<string>();
  return (wanted, id) => {
    const clean = hyphenated(decoded(wanted)).slice(0, 180);
    const isTaken = taken.has(clean) || (clean !== wanted && own.has(clean));
    const slug =
      clean === '' || /^\d+$/.test(clean) || isTaken ? `${clean || 'product'}-${id}` : clean;
    taken.add(slug);
    return slug;
  };
}

/** WordPress keeps slugs of other alphabets percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
