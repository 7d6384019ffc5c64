import { prepared } from '../../kernel/database/prepared.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { siteOf } from '../../domain/affiliate/links.ts';
import { findSettings } from '../../queries/settings.ts';
import { renderBlock } from '../../domain/access/blocks.ts';
import { type Finding, type Question, findAccess } from '../../domain/access/checks.ts';
import type { ContentRow } from '../../schema/access.ts';
import { findContent, findContentGrants } from '../../queries/access.ts';
import type { Block } from '../../domain/access/schemas.ts';
import { findAccessUser } from '../../queries/users.ts';
import { findContentProducts } from '../../queries/products.ts';

/** The user may be an anonymous visitor. */
export const loadContentCheck = prepared(
  { id: 'bigint', user_id: 'bigint?' },
  ({ id, user_id }) => ({
    content: findContent(id),
    user: findAccessUser(user_id),
    grants: findContentGrants(user_id, id),
    products: findContentProducts(id),
    settings: findSettings(),
  }),
);

export interface ContentAnswer {
  readonly question: Question;
  readonly finding: Finding;
  readonly block: Block | null;
}

/** Returns undefined for an unknown user. */
export function answerContent(
  content: ContentRow,
  loaded: Results<ReturnType<typeof loadContentCheck>['statements']>,
  now: Date,
): ContentAnswer | undefined {
  const [user] = loaded.user;
  const [settings] = loaded.settings;
  const [first, ...rest] = content.product_ids;
  if (!user || !settings || first === undefined) return undefined;
  const moment = { now: now.toISOString(), timezone: settings.timezone };
  const question: Question = {
    ...moment,
    user,
    content,
    product_ids: [first, ...rest],
    grants: loaded.grants,
  };
  const finding = findAccess(question);
  const shown = finding.product_id;
  const product = loaded.products.find(({ id }) => id === shown) ?? { slug: '', title: '' };
  return {
    question,
    finding,
    block: renderBlock(finding, { ...moment, content, product, site: siteOf(settings) }),
  };
}
