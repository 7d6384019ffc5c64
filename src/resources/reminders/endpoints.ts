import { apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findBuyerOf, findOrder } from '../orders/queries.ts';
import {
  countReminders,
  findOutlook,
  findReminder,
  insertReminder,
  listReminders,
  removeReminder,
  saveReminder,
  whileAwaited,
} from './queries.ts';
import { newReminder, resent, updatedReminder } from './rules.ts';
import {
  Reminder,
  ReminderCreate,
  ReminderQuery,
  ReminderReply,
  ReminderUpdate,
} from './schemas.ts';
import { sendNow } from './sending.ts';

export const listRemindersEndpoint = endpoint({
  id: 'reminders.list',
  route: ['GET /reminders'],
  summary: 'List reminders',
  access: apiKey('reminders:read'),
  effect: 'read',
  query: ReminderQuery,
  reply: [200, page(Reminder)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listReminders(query, window),
    () => countReminders(query),
  );
  return pageOf(query, rows, total);
});

export const getReminder = endpoint({
  id: 'reminders.get',
  route: ['GET /reminders/:id'],
  summary: 'Read a reminder',
  access: apiKey('reminders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, ReminderReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findReminder(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});

export const createReminder = endpoint({
  id: 'reminders.create',
  route: ['POST /reminders'],
  summary: 'Schedule a reminder',
  description:
    'About an order, to its buyer unless `recipient` says otherwise; at once by default. Of an order that waits for its payment it is a reminder of that: it is cancelled with the wait.',
  access: apiKey('reminders:write'),
  effect: 'write',
  body: ReminderCreate,
  reply: [201, ReminderReply],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('reminders'),
      found: findOrder(body.order_id),
      buyer: findBuyerOf(body.order_id),
    },
    decide: ({ id, found: [order], buyer: [buyer] }) => {
      if (!order || !buyer) return unknownReference('order_id');
      const reminder = newReminder(body, nextId(id), order, buyer, now);
      if (isRefusal(reminder)) return reminder;
      return {
        write: [...whileAwaited(reminder), insertReminder(reminder)],
        reply: one(reminder),
      };
    },
  }),
);

export const updateReminder = endpoint({
  id: 'reminders.update',
  route: ['POST /reminders/:id'],
  summary: 'Update a reminder',
  description:
    'A partial update of one that waits or was cancelled. A reminder of a payment can only wait while its order does, and one that was cancelled only with somebody to send it to.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  body: ReminderUpdate,
  reply: [200, ReminderReply],
  errors: ['rest_not_found', 'reminder_not_pending', 'reminder_no_recipient', 'order_not_payable'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findReminder(params.id), outlook: findOutlook(params.id) },
    decide: ({ found: [before], outlook: [outlook] }) => {
      if (!before || !outlook) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const after = updatedReminder(before, body, outlook, now);
      if (isRefusal(after)) return after;
      return {
        write: after === before ? [] : [...whileAwaited(after), saveReminder(before, after)],
        reply: one(after),
      };
    },
  }),
);

export const resendReminder = endpoint({
  id: 'reminders.resend',
  route: ['POST /reminders/:id/resend'],
  summary: 'Send a reminder once more',
  description:
    'At once, at most five times a day, not while it is on its way, and not where its recipient is gone; a reminder of a payment only while its order waits for that.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, ReminderReply],
  errors: [
    'rest_not_found',
    'reminder_sending',
    'reminder_no_recipient',
    'order_not_payable',
    'rest_too_many_requests',
  ],
}).handle(async ({ params, db, after: afterwards, ifMatch, now }) => {
  const answer = await db.change({
    load: { found: findReminder(params.id), outlook: findOutlook(params.id) },
    decide: ({ found: [before], outlook: [outlook] }) => {
      if (!before || !outlook) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const again = resent(before, outlook, now);
      if (isRefusal(again)) return again;
      return { write: [...whileAwaited(again), saveReminder(before, again)], reply: one(again) };
    },
  });
  if (!isRefusal(answer)) afterwards(sendNow);
  return answer;
});

export const deleteReminder = endpoint({
  id: 'reminders.delete',
  route: ['DELETE /reminders/:id'],
  summary: 'Delete a reminder',
  description: 'One that waits is not sent.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'reminder_sending'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findReminder(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      if (before.status === 'sending') return refuse('reminder_sending');
      return {
        write: [removeReminder(before)],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
