import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { edd } from '../../packages/import/src/edd/source.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import type { Source } from '../../packages/import/src/source.ts';
import { woocommerce } from '../../packages/import/src/woocommerce/source.ts';

const folder = 'packages/import/src';
const sources = [edd, sejoli, woocommerce];

/** Declarations of tables; all other files read them. */
const declares = /(^|\/)(source|wordpress|software-license-manager)\.ts$/;

/** Names that readers compose: of addresses, and of AffiliateWP's rates. */
const isComposed = (name: string) => /^_?(billing|shipping)_|^_affwp_/.test(name);

/** Columns of posts, and a setting of AffiliateWP, that another kind of shop reads. */
const shared = ['menu_order', 'post_modified_gmt', 'post_parent', 'coupon_template_woocommerce'];

/** The column by which notes of orders are selected, and its value. */
const selecting = ['comment_type', 'order_note'];

/** Names that the import does not use yet: of prices that include tax, and of renewed keys. */
const waiting = ['woocommerce_prices_include_tax', 'txn_id', 'date_renewed'];

/** The code that reads a kind of shop. */
const readersOf = ({ name }: Source) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !declares.test(path))
    .filter((path) => !sources.some((other) => other.name !== name && path.startsWith(other.name)))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8'))
    .join('\n');

/** All names that are staged: of tables, columns, keys, options and their fields. */
const stagedBy = ({ tables }: Source): string[] =>
  Object.entries(tables).flatMap(([table, { columns, rows, fields }]) => [
    ...[table, ...columns, ...(rows?.values ?? []), ...Object.values(fields?.of ?? {}).flat()],
  ]);

test.each(sources)('Everything that is staged of a shop of $name is read', (source) => {
  const code = readersOf(source);
  const unread = stagedBy(source)
    .map((name) => name.replace('{p}', '').replace(/[|_]*\*$/, ''))
    .filter((name) => !new RegExp(`(?<![A-Za-z0-9])${name}(?![A-Za-z0-9])`).test(code));
  const known = [...shared, ...selecting, ...waiting];
  expect(unread.filter((name) => !isComposed(name) && !known.includes(name))).toEqual([]);
});
