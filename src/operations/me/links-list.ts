import { endpoint, ownCollection, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readLinks } from '../../actions/affiliates/reading.ts';
import { AffiliateLink } from '../../domain/affiliate/schemas.ts';
import { ownList } from '../../actions/me/rules.ts';
import { OwnLinksQuery } from '../../actions/me/schemas.ts';

export const listOwnLinks = endpoint({
  id: 'me.links.list',
  route: ['GET /me/links'],
  summary: 'List your affiliate links',
  description:
    'For each product: links to its sales page, its checkout and the pages the product names. A visit through such a link is recorded and counts for the user, as long as they may promote the product.',
  access: session(),
  effect: 'read',
  query: OwnLinksQuery,
  reply: [200, ownCollection(AffiliateLink)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, config }) => {
  const links = await readLinks(db, principal.userId, query.product_id ?? query.id, config);
  return isRefusal(links) ? links : ownList(principal, links);
});
