import type * as z from 'zod';
import {
  type Instant,
  ProductParts,
  defaultParts,
  products,
} from '../../../../src/exports/store.ts';
import { description, plainText } from '../html-text.ts';
import { type ImportedRow, insertInto } from '../mapped.ts';
import { entryOf } from '../values.ts';

export type Post = Readonly<Record<string, string | null>>;

const statuses: Readonly<Record<string, 'publish' | 'private'>> = {
  publish: 'publish',
  private: 'private',
};

const draft = 'draft' as const;

/** The columns of a product that come from its post. A product that can't be sold is a draft. */
export const postColumns = (post: Post, id: number, at: Instant, isSold: boolean) => ({
  id,
  title: plainText(post['post_title'] ?? '').slice(0, 300) || `Product ${id}`,
  status: isSold ? (entryOf(statuses, post['post_status']) ?? draft) : draft,
  description: description(post['post_content'] ?? '').slice(0, 20_000),
  excerpt: description(post['post_excerpt'] ?? '').slice(0, 5000),
  deleted_at: post['post_status'] === 'trash' ? at : null,
  created_at: at,
  updated_at: at,
});

/** The parts of a product that the store accepts, and whether these are all. */
export function acceptedParts(wanted: Partial<ProductParts>) {
  const shapes: Readonly<Record<string, z.ZodType>> = ProductParts.shape;
  const good = Object.entries(wanted).filter(
    ([name, part]) => shapes[name]?.safeParse(part).success,
  );
  return {
    parts: Object.fromEntries(good) as Partial<ProductParts>,
    isWhole: good.length === Object.keys(wanted).length,
  };
}

export function goneProduct(
  id: number,
  { title, slug, currency, at }: { title: string; slug: string; currency: string; at: Instant },
): ImportedRow {
  const row = insertInto(products, {
    ...defaultParts,
    id,
    title: title || `Deleted product ${id}`,
    slug,
    status: 'draft',
    currency,
    enable_sale: false,
    deleted_at: at,
    created_at: at,
    updated_at: at,
  });
  return { rows: [row], targets: [id], outcome: 'placeholder', reasons: ['deleted-in-source'] };
}
