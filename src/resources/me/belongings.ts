import * as z from 'zod';
import { session } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ownCollection, ownPage } from '../../http/envelope.ts';
import { pageOf, pageParameters, readPage } from '../../http/pagination.ts';
import { findGrantsOf } from '../access/queries.ts';
import { toAccessProducts } from '../access/rules.ts';
import { AccessProduct } from '../access/schemas.ts';
import { countSubscriptions, listSubscriptions } from '../subscriptions/queries.ts';
import { toSubscription } from '../subscriptions/rules.ts';
import { Subscription } from '../subscriptions/schemas.ts';
import { asOwn, ownList } from './rules.ts';

export const listOwnSubscriptions = endpoint({
  id: 'me.subscriptions',
  route: ['GET /me/subscriptions'],
  summary: 'List the own subscriptions',
  description: 'Each chain of renewals is one, with when it ends and what renewing it costs.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [200, ownPage(Subscription)],
}).handle(async ({ principal, query, db, now }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listSubscriptions(principal.userId, window),
    () => countSubscriptions(principal.userId, now),
  );
  const shown = rows.map((row) => toSubscription(row, now.toISOString()));
  return asOwn(principal, pageOf(query, shown, total));
});

export const listOwnAccess = endpoint({
  id: 'me.access',
  route: ['GET /me/access'],
  summary: 'List the products the user has or had access to',
  description: 'Each with the best of its grants: live ones first, then the later end.',
  access: session(),
  effect: 'read',
  reply: [200, ownCollection(AccessProduct)],
}).handle(async ({ principal, db, now }) => {
  const { grants } = await db.query({ grants: findGrantsOf(principal.userId) });
  return ownList(principal, toAccessProducts(grants, now.toISOString()));
});
