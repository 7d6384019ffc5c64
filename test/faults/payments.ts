import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Commission } from '../../src/domain/commission/schemas.ts';
import type { Order } from '../../src/domain/order/schemas.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import type { User } from '../../src/domain/user/schemas.ts';
import { askProviders } from '../../src/jobs/ask-providers.ts';
import { sendRefunds } from '../../src/jobs/send-refunds.ts';
import { AffiliateStore } from '../harness/affiliates.ts';
import type { ApiClient } from '../harness/client.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { type Till, useTill } from '../operations/payments/till.ts';
import { type Mishap, type Worker, apiBase, befallen } from './mortal.ts';

/** An order that is about to be paid, with its latest payment and the provider's callbacks. */
interface Sale {
  readonly order: Order;
  reference: string;
  callbacks: Request[];
}

/** A worker's work, with its preparation and its expected end. */
interface Scene {
  /** True if the provider has this work; always if undefined. */
  readonly happens?: (till: Till) => Promise<boolean>;
  readonly before: (till: Till, sale: Sale) => Promise<void>;
  readonly work: (worker: Worker, client: ApiClient, till: Till, sale: Sale) => Promise<unknown>;
  readonly after: (till: Till, sale: Sale) => Promise<void>;
}

const open = async (till: Till, sale: Sale) => {
  sale.reference = await till.opened(sale.order.id);
};

const pay = async (till: Till, sale: Sale) => {
  await open(till, sale);
  till.provider.pay(sale.reference);
};

const complete = async (till: Till, sale: Sale) => {
  await pay(till, sale);
  await till.bring();
};

const refundKey = ({ order }: Sale) => ({
  headers: { 'idempotency-key': `refund-of-${order.id}` },
});

const refund = async (till: Till, sale: Sale) => {
  const reply = await till.fixture.api.post(
    `/orders/${sale.order.id}/refunds`,
    { reason: 'Too late.' },
    refundKey(sale),
  );
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
};

/** Handles callbacks as a worker that may be killed. */
const takeCallbacks: Scene['work'] = async ({ fetch }, _, till, sale) => {
  sale.callbacks = till.provider.takeCallbacks(apiBase);
  for (const callback of sale.callbacks) await fetch(callback.clone());
};

async function expectPaidOnce(till: Till, { order }: Sale) {
  const after = await till.fixture.order(order.id);
  expect(after).toMatchObject({ status: 'completed', payment_status: 'paid', refunded_total: 0 });
  expect(after.history).toHaveLength(2);
  expect(await till.unexpected(order.id)).toEqual([]);
}

async function expectRefundedOnce(till: Till, { order, reference }: Sale) {
  till.provider.settleRefunds?.('succeeded');
  await till.bring();
  await till.later(6 * 3600);
  const after = await till.fixture.order(order.id);
  expect(after).toMatchObject({ status: 'refunded', refunded_total: order.grand_total });
  const refunds = await till.refunds(order.id);
  expect(refunds).toHaveLength(1);
  const { paid, ...given } = till.provider.books(reference);
  const isManual = refunds[0].state === 'manual';
  expect(refunds[0].state).toBe(isManual ? 'manual' : 'succeeded');
  expect(given).toMatchObject(isManual ? { refunds: 0 } : { refunds: 1, refunded: paid });
}

const scenes: Readonly<Record<string, Scene>> = {
  'opens the page': {
    before: async () => {},
    work: (_, client, __, { order }) => client.get(`/orders/${order.id}/payment-gateway`),
    after: async (till, sale) => {
      till.store.clock.advance(45);
      await complete(till, sale);
      await expectPaidOnce(till, sale);
    },
  },
  'opens the page, and nobody asks for it before the job came': {
    before: async () => {},
    work: (_, client, __, { order }) => client.get(`/orders/${order.id}/payment-gateway`),
    after: async (till, sale) => {
      await till.later(150);
      await complete(till, sale);
      await expectPaidOnce(till, sale);
    },
  },
  'is told of the payment': {
    before: pay,
    work: takeCallbacks,
    after: async (till, sale) => {
      await till.later(150);
      await expectPaidOnce(till, sale);
    },
  },
  'finds the payment on the buyer’s return': {
    before: async (till, sale) => {
      await pay(till, sale);
      till.lose();
      till.store.clock.advance(11);
    },
    work: (_, client, __, { order }) => client.get(`/orders/${order.id}/payment-gateway`),
    after: async (till, sale) => {
      await till.later(150);
      await expectPaidOnce(till, sale);
    },
  },
  'finds the payment by the job': {
    before: async (till, sale) => {
      await pay(till, sale);
      till.lose();
      till.store.clock.advance(121);
    },
    work: ({ services }) => askProviders(services),
    after: async (till, sale) => {
      await till.later(150);
      await expectPaidOnce(till, sale);
    },
  },
  'books a refund': {
    before: complete,
    work: (_, client, __, sale) =>
      client.post(`/orders/${sale.order.id}/refunds`, { reason: 'Too late.' }, refundKey(sale)),
    after: async (till, sale) => {
      await refund(till, sale);
      await till.later(150);
      await expectRefundedOnce(till, sale);
    },
  },
  'sends a refund': {
    before: async (till, sale) => {
      await complete(till, sale);
      await refund(till, sale);
    },
    work: ({ services }) => sendRefunds(services),
    after: async (till, sale) => {
      await till.later(150);
      await expectRefundedOnce(till, sale);
    },
  },
  'hears of a refund at the dashboard': {
    happens: (till) => till.givesBack(),
    before: async (till, sale) => {
      await complete(till, sale);
      till.provider.refundByHand(sale.reference);
    },
    work: takeCallbacks,
    after: async (till, sale) => {
      if (!(await till.givesBack())) return;
      // A provider repeats an unanswered callback.
      for (const callback of sale.callbacks) await till.post(callback.clone());
      await till.later(150);
      await expectRefundedOnce(till, sale);
    },
  },
  'closes the page of a cancelled order': {
    before: async (till, sale) => {
      await open(till, sale);
      await till.fixture.api.patch(`/orders/${sale.order.id}`, { status: 'cancelled' });
    },
    work: ({ services }) => askProviders(services),
    after: async (till, { order, reference }) => {
      await till.later(150);
      expect((await till.fixture.order(order.id)).status).toBe('cancelled');
      expect(await till.unexpected(order.id)).toEqual([]);
      const isClosed = till.provider.journal.some(({ path }) => /cancel|expire/.test(path));
      expect(till.provider.books(reference).payable).toBe(!isClosed);
      for (let day = 0; day < 2; day++) await till.later(86_400);
    },
  },
};

/** Tests the workers of a store that takes payments through a provider, with a mishap at each step. */
export function describeMishaps(
  name: string,
  kind: string,
  mishaps: (steps: number) => readonly Mishap[],
): void {
  describe(`A worker that takes payments through ${name}`, () => {
    const opened = useTill(name);
    let at: AffiliateStore;
    let course: Product;
    let buyer: User;
    beforeAll(async () => {
      const { fixture } = opened.till;
      at = await AffiliateStore.open(fixture);
      course = await at.newCourse();
      buyer = await fixture.newUser({ display_name: 'Dewi Kartika', phone: '081234567890' });
    });
    afterAll(() => expectIntegrity(opened.till));

    /**
     * Runs a scene.
     * @returns the number of the worker's steps, and the commissions of the order's affiliates
     */
    async function play({ before, work, after }: Scene, mishap?: Mishap) {
      const { till } = opened;
      const { id: product_id } = course;
      const terms = { user_id: buyer.id, payment_gateway: name, affiliate_id: at.seller.id };
      const order = await till.fixture.newOrder({ product_id, ...terms });
      const sale = { order, reference: '', callbacks: [] };
      await before(till, sale);
      const steps = await befallen(till.store, mishap, (worker) =>
        work(worker, till.fixture.api.through(worker.fetch), till, sale),
      );
      await after(till, sale);
      return { steps, earned: sumByTier(await at.ledger(order)) };
    }

    test.each(Object.entries(scenes))(`recovers from ${kind} when it %s`, async (_, scene) => {
      const { steps, earned } = await play(scene);
      expect(steps > 0).toBe((await scene.happens?.(opened.till)) ?? true);
      for (const mishap of mishaps(steps)) {
        expect({ mishap, earned: (await play(scene, mishap)).earned }).toEqual({
          mishap,
          earned,
        });
      }
    });
  });
}

const sumByTier = (ledger: readonly Commission[]) =>
  [1, 2, 3].map((tier) =>
    ledger
      .filter((row) => row.tier === tier && row.status !== 'cancelled')
      .reduce((sum, { commission }) => sum + commission, 0),
  );
