import { expect, test } from 'vitest';
import { findLongestPending, listReviews } from '../../src/queries/confirmations.ts';
import { countActivations, findActivation } from '../../src/queries/license-activations.ts';
import { findLicenseByCode, listLicenses, loadCase } from '../../src/queries/licenses.ts';
import { findStorePeriods } from '../../src/queries/order-periods.ts';
import { findDays, findTopProductsOfDays } from '../../src/queries/order-totals.ts';
import { listOrders } from '../../src/queries/orders.ts';
import { listProducts } from '../../src/queries/products.ts';
import { findLeadersOfDays } from '../../src/queries/rankings.ts';
import { listUsers } from '../../src/queries/user-lists.ts';
import { findFigures, listAttempts, listAttemptsBeside } from '../../src/queries/webhook-log.ts';
import { exampleCode } from '../../src/domain/license/schemas.ts';
import type { ConfirmationQuery } from '../../src/domain/confirmation/schemas.ts';
import type { DeliveryQuery } from '../../src/domain/webhook/schemas.ts';
import { pageWindow } from '../../src/kernel/lists/window.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

interface Built {
  toSQL?(): { sql: string; params: unknown[] };
  getQuery?(): { sql: string; params: unknown[] };
}

/** The tables that a statement reads whole for lack of an index. */
async function readWhole(statement: Built): Promise<string[]> {
  const built = statement.toSQL?.() ?? statement.getQuery?.();
  if (!built) throw new Error('The statement says no SQL.');
  const { database } = opened.fixture.store;
  await database.query('begin');
  await database.query('set local enable_seqscan = off');
  const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${built.sql}`,
    built.params,
  );
  await database.query('rollback');
  const read: string[] = [];
  const walk = (plan: Plan): void => {
    if (plan['Node Type'] === 'Seq Scan') read.push(plan['Relation Name'] ?? '');
    plan.Plans?.forEach(walk);
  };
  for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) walk(plan);
  // The table has one row.
  return read.filter((table) => table !== 'settings');
}

const window = pageWindow({});
const orders = (search: string) => (): Built => listOrders({ search }, window);
const users = (search: string) => (): Built => listUsers({ search }, window);
const attempts = (query: DeliveryQuery) => (): Built => listAttempts(1, query, window);
const reviews = (query: ConfirmationQuery) => (): Built => listReviews(query, window);

test.each([
  ['orders by a part of a number', orders('inv-0001')],
  ['orders by an e-mail address', orders('who@mail.example')],
  ['orders by a coupon', orders('HEMAT10')],
  ['orders by an amount', orders('350147')],
  ['orders by an amount with its currency', orders('Rp 350.147,00')],
  ['orders by an invoice without its zeros', orders('INV-77')],
  ['orders by a phone', orders('0812-5501-4789')],
  ['orders by a name in two forms', orders('Ångström')],
  ['users by a phone', users('0812-5501-4789')],
  ['users by the beginning of a phone with its calling code', users('+62 812')],
  ['users by a name in two forms', users('Ångström')],
  ['products by a title in two forms', () => listProducts({ search: 'Crème' }, window)],
  ['orders by a licence', orders(exampleCode)],
  ['licences by a code', () => findLicenseByCode(exampleCode)],
  ['licences by a code, as they are judged', () => loadCase({ license: exampleCode }).found],
  ['licences by a code or a part of it', () => listLicenses({ search: 'AB1CD' }, window)],
  ['licences by a longer part of a code', () => listLicenses({ search: 'AB1CDEF2' }, window)],
  ["a licence's activation", () => findActivation(exampleCode, 'toko.example')],
  ["a licence's activations", () => countActivations(exampleCode)],
  ['deliveries by event', attempts({ event: 'order.created' })],
  ['deliveries by a class of answers', attempts({ code: '5xx' })],
  ['deliveries by time', attempts({ date_start: '2026-03-01', date_end: '2026-03-31' })],
  ['the attempts of an event', () => listAttemptsBeside(1, 1)],
  ['the figures of a webhook', () => findFigures(1, 30, new Date(0))],
  ['confirmations of a status', reviews({ status: 'pending' })],
  ['confirmations by time', reviews({ date_start: '2026-03-01' })],
  ['the periods of the store', () => findStorePeriods(new Date(0))],
  ['the days of the overview', () => findDays(30, new Date(0))],
  ['the top products of 30 days', () => findTopProductsOfDays(30, new Date(0), 10)],
  ['the top affiliates of 30 days', () => findLeadersOfDays(30, new Date(0), 10)],
  ['the confirmation that waits longest', () => findLongestPending()],
] satisfies [string, () => Built][])('%s are found through indexes', async (_, statement) => {
  expect(await readWhole(statement())).toEqual([]);
});
