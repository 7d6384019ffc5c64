import { apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, page, record } from '../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { commissionEvent } from '../commissions/events.ts';
import { toCommission } from '../commissions/rules.ts';
import { findSettings } from '../platform/queries.ts';
import { payoutEvent } from './events.ts';
import {
  cancelPayout,
  countPayouts,
  findPayable,
  findPayee,
  findPayout,
  insertPayout,
  listPayouts,
} from './queries.ts';
import { cancelledPayout, newPayout, sumOf, toPayout } from './rules.ts';
import { Payout, PayoutCreate, PayoutQuery } from './schemas.ts';

export const listPayoutsEndpoint = endpoint({
  id: 'payouts.list',
  route: ['GET /payouts'],
  summary: 'List payouts',
  access: apiKey('commissions:read'),
  effect: 'read',
  query: PayoutQuery,
  reply: [200, page(Payout)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listPayouts(query, window),
    () => countPayouts(query),
  );
  return pageOf(query, rows.map(toPayout), total);
});

export const createPayout = endpoint({
  id: 'payouts.create',
  route: ['POST /payouts'],
  summary: 'Pay an affiliate out',
  description:
    'Takes every commission that is payable now, each one once however many calls there are. What was taken back after an earlier payout is netted; where nothing is left to pay it waits for the next one. What a user had earned is still owed, and paid here, after they were erased: their name and bank account are gone.',
  access: apiKey('commissions:write'),
  effect: 'write',
  body: PayoutCreate,
  reply: [201, record(Payout)],
  errors: ['rest_not_found', 'nothing_payable'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('payouts'),
      settings: findSettings(),
      affiliate: findPayee(body.affiliate_id),
      rows: findPayable(body.affiliate_id, body.date_end, now),
    },
    decide: ({ id, settings: [settings], affiliate: [affiliate], rows }) => {
      if (!affiliate || !settings) return unknownReference('affiliate_id');
      if (sumOf(rows) <= 0) {
        return refuse('nothing_payable', { message: 'The affiliate has nothing to be paid.' });
      }
      const { currency } = settings;
      const created = newPayout(body, affiliate, rows, { id: nextId(id), currency, now });
      const paid = { paid_at: now.toISOString(), payout_id: created.payout.id };
      const record = toPayout(created);
      return {
        write: insertPayout(created, rows, now),
        events: [
          payoutEvent('payout.paid', record),
          ...rows.map((row) => {
            const after = { ...row, ...paid, updated_at: paid.paid_at, version: row.version + 1 };
            return commissionEvent('commission.paid', toCommission(after, now));
          }),
        ],
        reply: one(record),
      };
    },
  }),
);

export const cancelPayoutEndpoint = endpoint({
  id: 'payouts.cancel',
  route: ['POST /payouts/:id/cancel'],
  summary: 'Cancel a payout',
  description:
    'For a transfer that did not arrive: its commissions are payable again. A second time changes nothing.',
  access: apiKey('commissions:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, record(Payout)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findPayout(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.payout)) return refuse('rest_conflict');
      if (before.payout.status === 'cancelled') return { write: [], reply: one(toPayout(before)) };
      const after = cancelledPayout(before, now);
      return { write: cancelPayout(before, after), reply: one(toPayout(after)) };
    },
  }),
);
