import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../kernel/database/statements.ts';

/** A user in a tree. Details are only read on request. */
export interface TreeRow extends Record<string, unknown> {
  tier: number;
  id: string;
  /** Ids from the first tier to this user, separated by dots. */
  path: string;
  details?: {
    parent_id: number | null;
    display_name: string;
    email: string | null;
    phone: string;
    group_id: number | null;
    joined_at: string;
    direct_count: number;
  };
}

/** Selects the `page` of a tree, with details on request. */
const withDetails = (tree: SQL, detail: boolean) =>
  detail
    ? sql`${tree}
      select page.tier, page.id, array_to_string(page.path, '.') as path, u.details
        from page cross join lateral (
          select jsonb_build_object('parent_id', u.affiliate_id, 'display_name', u.display_name,
                   'email', u.email, 'phone', u.phone, 'group_id', u.group_id,
                   'joined_at', u.created_at, 'direct_count',
                   (select count(*) from users d where d.affiliate_id = u.id)) as details
            from users u where u.id = page.id offset 0
        ) u order by page.tier, page.path`
    : sql`${tree}
      select page.tier, page.id, array_to_string(page.path, '.') as path
        from page order by page.tier, page.path`;

/** The users above a user, up to one tier beyond `depth`. */
export const findUplines = (id: number, depth: number, detail: boolean) =>
  raw<TreeRow>(
    withDetails(
      sql`with recursive page (tier, id, path) as (
        select 1, u.affiliate_id, array[u.affiliate_id] from users u
         where u.id = ${id} and u.affiliate_id is not null
        union all
        select p.tier + 1, u.affiliate_id, p.path || u.affiliate_id
          from page p join users u on u.id = p.id
         where u.affiliate_id is not null and p.tier <= ${depth}
      )`,
      detail,
    ),
  );

/**
 * The users below a user, down to one tier beyond `depth`, sorted by tier and path. The recursion makes rows in this
 * order and stops after `rows`, so a first page costs the same in any tree. A further join or sort would read the whole
 * tree.
 * @param after the path of the last row of the page before
 */
export function findDownlines(
  id: number,
  depth: number,
  { detail, rows, after }: { detail: boolean; rows: number; after: readonly number[] | undefined },
) {
  const beyond = after
    ? sql`where (w.tier, w.path) > (${after.length}, ${sql.param(after)}::bigint[])`
    : sql``;
  return raw<TreeRow>(
    withDetails(
      sql`with recursive walk (tier, id, path) as (
        (select 1, u.id, array[u.id] from users u where u.affiliate_id = ${id} order by u.id)
        union all
        select w.tier + 1, c.id, w.path || c.id from walk w cross join lateral (
          select u.id from users u where u.affiliate_id = w.id order by u.id offset 0
        ) c where w.tier <= ${depth}
      ), page as (
        select w.tier, w.id, w.path from walk w ${beyond} limit ${rows}
      )`,
      detail,
    ),
  );
}
