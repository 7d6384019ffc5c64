import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { type Checkout, type Start, clientOf } from './checkout.ts';

/** Moments of a first start, in order, and how to detect each. */
export const moments = {
  PostgreSQL: (start: Start) => start.prints('PostgreSQL …'),
  Migrations: (start: Start) => start.prints('Migrations …'),
  Worker: (start: Start) => start.prints('Worker …'),
  'the first user': (start: Start, checkout: Checkout) => checkout.reaches(start, 'users', 1),
  'a few orders': (start: Start, checkout: Checkout) => checkout.reaches(start, 'orders', 5),
  'the last order': (start: Start, checkout: Checkout) => checkout.reaches(start, 'orders', 63),
};

type Moment = keyof typeof moments;

/** A long time-out, for many starts on a busy machine. */
export const patience = 600_000;

/**
 * Kills a start at each of these moments, at the last one with a worker. Fails unless the next start opens a complete
 * store on the same port.
 */
export async function opensAfterKills(
  checkout: Checkout,
  port: string,
  at: readonly Moment[],
): Promise<void> {
  for (const moment of at) {
    const start = checkout.start({ PORT: port });
    await moments[moment](start, checkout);
    await start.end('SIGKILL');
  }
  await openAfterKill(checkout, { PORT: port });
}

/** Opens the store again on the port of the last worker, and fails unless it is complete. */
export async function openAfterKill(
  checkout: Checkout,
  environment: Record<string, string>,
): Promise<Start> {
  const left = checkout.workers();
  expect(left).toHaveLength(1);
  const start = checkout.start(environment);
  await expectWhole(start, checkout);
  const pids = checkout.workers().map(({ pid }) => pid);
  expect(pids).toHaveLength(1);
  expect(pids).not.toEqual(left.map(({ pid }) => pid));
  expect(drafts(checkout)).toEqual([]);
  return start;
}

/** Interrupts a start at each of these moments. Fails unless the next one opens a complete store. */
export async function opensAfterCtrlC(
  checkout: Checkout,
  port: string,
  at: readonly Moment[],
): Promise<void> {
  for (const moment of at) await breakOff(checkout, port, moment);
  await expectWhole(checkout.start({ PORT: port }), checkout);
}

/** Interrupts a start at a moment. Fails if it complains or leaves something behind. */
export async function breakOff(checkout: Checkout, port: string, moment: Moment): Promise<void> {
  const start = checkout.start({ PORT: port });
  await moments[moment](start, checkout);
  expect(await start.end('SIGINT', 'group'), moment).toBe(0);
  expect(start.output().trim(), moment).toMatch(
    /^Starting the store\n {2}\w[^]*( …| s\n)\nClosing the store\.$/,
  );
  expectClosed(checkout, moment);
}

/** Expects that nothing of a store is running, and that no file is incomplete. */
export function expectClosed(checkout: Checkout, moment?: Moment): void {
  expect(checkout.workers(), moment).toEqual([]);
  expect(existsSync(checkout.path('postgres/postmaster.pid')), moment).toBe(false);
  expect(drafts(checkout), moment).toEqual([]);
}

const drafts = (checkout: Checkout) =>
  readdirSync(checkout.path('')).filter((name) => name.includes('.new'));

/** Expects the demo's orders, and the product and user of the README's first request. */
export async function expectWhole(start: Start, checkout: Checkout): Promise<void> {
  await start.prints('The store is open');
  const api = clientOf(checkout);
  const orders = await api.get('/orders?per_page=1');
  expect(orders.body.meta.pagination.total).toBe(63);
  expect(orders.body.data[0].note).toBe('The last demo order');
  expect((await api.get('/products/1')).body.data.title).toBe('Selling Online, the Course');
  expect((await api.get('/users/4')).body.data.email).toBe('dewi.kartika@demo.example');
  expect((await api.get('/users?per_page=1')).body.meta.pagination.total).toBe(14);
}
