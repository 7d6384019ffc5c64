import { type SourceTable, words } from './source.ts';

/**
 * WordPress's own tables, with the columns that shops use. Passwords, activation keys, sessions and application
 * passwords are never read.
 */

export const users = {
  columns: ['ID', 'user_email', 'user_registered', 'display_name'],
  id: 'ID',
  index: ['ID'],
  network: true,
} as const satisfies SourceTable;

/** A meta table, with the rows of these keys. */
export const metaOf = <const Id extends string>(id: Id, keys: readonly string[]) =>
  ({
    columns: [id, 'meta_key', 'meta_value'],
    rows: { column: 'meta_key', values: keys },
    index: [id, 'meta_key'],
  }) as const satisfies SourceTable;

/** Roles (`{p}capabilities`), names, and keys that a shop adds. */
export const usermeta = (keys: readonly string[]) =>
  ({
    ...metaOf('user_id', ['first_name', 'last_name', '{p}capabilities', ...keys]),
    network: true,
  }) as const satisfies SourceTable;

export const posts = (types: readonly string[]) =>
  ({
    columns: words(
      'ID post_author post_date post_date_gmt post_content post_title post_excerpt',
      'post_status post_name post_modified_gmt post_parent post_type menu_order',
    ),
    rows: { column: 'post_type', values: types },
    id: 'ID',
    index: ['ID'],
  }) as const satisfies SourceTable;

export const postmeta = (keys: readonly string[]) => metaOf('post_id', keys);

/** Selects options by name. Of the options in `arrays`, which contain secrets, it takes only the fields named there. */
export const options = (
  names: readonly string[],
  arrays: Readonly<Record<string, readonly string[]>> = {},
) =>
  ({
    columns: ['option_name', 'option_value'],
    rows: {
      column: 'option_name',
      values: [
        'blogname',
        'home',
        'timezone_string',
        'gmt_offset',
        ...names,
        ...Object.keys(arrays),
      ],
    },
    fields: { column: 'option_value', of: arrays },
    index: ['option_name'],
  }) as const satisfies SourceTable;

/** The tables of product categories: terms, with the meta of these keys, their taxonomies, and the links to products. */
export const taxonomyTables = (taxonomies: readonly string[], keys: readonly string[]) =>
  ({
    terms: { columns: ['term_id', 'name', 'slug'], index: ['term_id'] },
    termmeta: { ...metaOf('term_id', keys), optional: true },
    term_taxonomy: {
      columns: ['term_taxonomy_id', 'term_id', 'taxonomy', 'parent'],
      rows: { column: 'taxonomy', values: taxonomies },
      index: ['term_taxonomy_id'],
    },
    term_relationships: { columns: ['object_id', 'term_taxonomy_id'], index: ['object_id'] },
  }) as const satisfies Record<string, SourceTable>;
