import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong, runs } from '../../harness/long.ts';
import { breakRow } from '../../harness/break.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { MidtransServer } from '../../providers/midtrans.ts';
import { PayPalServer } from '../../providers/paypal.ts';
import { Till } from './till.ts';
import { Counter } from './transfers.ts';

/** A store with a provider whose payments banks take back. */
interface Stage {
  readonly till: Till;
  /** Undefined if the store's currency has no transfers. */
  readonly counter?: Counter;
  readonly provider: MidtransServer | PayPalServer;
  /** The buyer's bank takes a payment back. */
  readonly reverse: (reference: string) => void;
  /** True if the money of a reversed payment can come again by itself, and not only as another payment. */
  readonly canReturn: (reference: string) => boolean;
  /** Changes the fate of the next refunds. */
  readonly changeRefunds: () => void;
  /** Lets all refunds succeed. */
  readonly allowRefunds: () => void;
  readonly close: () => Promise<void>;
}

/** Midtrans takes another payment on the page of a reversed one. */
async function openMidtrans(): Promise<Stage> {
  const counter = await Counter.open();
  await counter.fixture.set('unique_code_enabled', false);
  const till = await Till.open('midtrans', 'IDR', 0, counter.fixture);
  const provider = till.provider as MidtransServer;
  return {
    ...{ till, counter, provider },
    reverse: (reference) => provider.decline(reference),
    canReturn: () => false,
    changeRefunds: () => {
      provider.deniesRefunds = !provider.deniesRefunds;
    },
    allowRefunds: () => {
      provider.deniesRefunds = false;
    },
    close: async () => {
      await provider.close();
      await counter.close();
    },
  };
}

/** A bank that took a payment of PayPal back may return it. */
async function openPayPal(): Promise<Stage> {
  const till = await Till.open('paypal', 'USD', 2);
  const provider = till.provider as PayPalServer;
  let outcome: 'succeeded' | 'failed' = 'succeeded';
  return {
    ...{ till, provider },
    reverse: (reference) => provider.chargeBack(reference),
    canReturn: (reference) => provider.isChargedBack(reference),
    changeRefunds: () => {
      outcome = outcome === 'failed' ? 'succeeded' : 'failed';
      provider.settleRefunds(outcome);
    },
    allowRefunds: () => provider.settleRefunds('succeeded'),
    close: () => till.close(),
  };
}

let stage: Stage;

interface Case {
  readonly id: number;
  readonly reason: string;
  readonly status: 'open' | 'accepted' | 'refunded';
  readonly amount: number;
  readonly refunded_total: number;
  /** The payment's reference. */
  readonly reference: string;
  /** True if the payment paid an order. */
  readonly booked: boolean;
  readonly resolved_by_type: string | null;
}

interface Refund {
  readonly id: number;
  readonly amount: number;
  readonly state: string;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** An order, what its buyer and its owner do, and the money that moved outside of the store. */
class History {
  readonly id: number;
  readonly lines: string[] = [];
  /** Money that the owner paid back by hand, by the payment that it was of. */
  readonly byHand = new Map<string, number>();
  /** Money that the owner paid back by hand before a reversal. */
  readonly earlierByHand = new Map<string, number>();
  /** Unexpected payments that the owner paid back by hand. */
  readonly unexpectedByHand = new Set<string>();
  /** Amounts of transfers that the owner assigned although the order was paid, by their ids. */
  readonly extra = new Map<string, number>();
  readonly transfers: string[] = [];
  /** Payments that the store has lost to disputes. */
  readonly lost = new Set<string>();
  /** Payments with a dispute or an appeal that has not ended. */
  readonly disputed = new Set<string>();
  /** Cash that the owner says came. */
  cash = 0;

  constructor(id: number) {
    this.id = id;
  }

  get provider(): Stage['provider'] {
    return stage.provider;
  }

  get references(): string[] {
    return this.provider.references().filter((reference) => reference.startsWith(`${this.id}-`));
  }

  order = () => stage.till.fixture.order(this.id);

  /** Payments that their provider holds. */
  held = () =>
    this.references.filter(
      (reference) => !this.lost.has(reference) && this.provider.books(reference).paid > 0,
    );

  /** Midtrans's banks take back no payment of which a part was refunded. */
  reversible = () =>
    stage.provider instanceof PayPalServer
      ? this.held()
      : this.held().filter((reference) => this.provider.books(reference).refunded === 0);

  cases = async (): Promise<Case[]> => {
    const listed: Case[] = await stage.till.unexpected(this.id);
    const { rows } = await stage.till.store.database.query<Case>(
      `select u.id::int, p.reference, p.booked_at is not null as booked, u.resolved_by_type
         from unexpected_payments u join payment_sessions p on p.id = u.session_id
        where u.order_id = $1`,
      [this.id],
    );
    return listed.map((each) => ({ ...each, ...rows.find(({ id }) => id === each.id) }));
  };

  /** The reference of the payment that pays the order. */
  payer = async (): Promise<string | undefined> => {
    const { rows } = await stage.till.store.database.query<{ reference: string }>(
      `select reference from payment_sessions p join orders o on o.id = p.order_id
        where o.id = $1 and p.booked_at = o.paid_at`,
      [this.id],
    );
    return rows[0]?.reference;
  };

  /**
   * Sets aside what was paid back by hand of a reversed payment. Refunds of the order count against the next payment if
   * that pays the order.
   */
  leaveBehind(reference: string) {
    const { byHand, earlierByHand, unexpectedByHand } = this;
    const earlier = earlierByHand.get(reference) ?? 0;
    const left = unexpectedByHand.has(reference) ? 0 : (byHand.get(reference) ?? 0);
    earlierByHand.set(reference, earlier + left);
    byHand.delete(reference);
  }

  giveByHand(reference: string, amount: number) {
    this.byHand.set(reference, (this.byHand.get(reference) ?? 0) + amount);
  }

  openTransfers = async () => {
    const mutations = (await stage.counter?.mutations('status=open')) ?? [];
    return mutations.filter(({ mutation_id }) => this.transfers.includes(mutation_id));
  };

  say(line: string) {
    this.lines.push(line);
  }

  async patch(body: object): Promise<boolean> {
    const reply = await stage.till.fixture.api.patch(`/orders/${this.id}`, body);
    this.say(`patch ${JSON.stringify(body)}: ${reply.status} ${reply.body.code ?? ''}`);
    return reply.status === 200;
  }
}

type Step = (history: History, pick: <T>(from: readonly T[]) => T | undefined) => Promise<void>;

const steps: Record<string, Step> = {
  'open a page': async (history) => {
    history.say(`page: ${(await stage.till.page(history.id)).status}`);
  },
  'open another page': async (history) => {
    const { grand_total, paid_at } = await history.order();
    if (paid_at !== null) return;
    if (stage.provider instanceof MidtransServer) stage.provider.fail('cancel', 'dropped');
    await history.patch({ grand_total: grand_total + 100 });
    await history.patch({ grand_total });
    await stage.till.page(history.id);
  },
  pay: async (history, pick) => {
    const { provider, references } = history;
    const reference = pick(
      references.filter((each) => provider.books(each).payable || stage.canReturn(each)),
    );
    if (reference === undefined) return;
    if (provider instanceof PayPalServer && stage.canReturn(reference)) {
      provider.undoChargeBack(reference);
    } else provider.pay(reference);
    history.say(`pay ${reference}`);
  },
  reverse: async (history, pick) => {
    const reference = pick(history.reversible());
    if (reference === undefined) return;
    stage.reverse(reference);
    if (!stage.canReturn(reference)) history.leaveBehind(reference);
    history.say(`reverse ${reference}`);
  },
  dispute: async (history, pick) => {
    const { provider, byHand, lost } = history;
    if (!(provider instanceof PayPalServer)) return;
    const reference = pick([...history.held(), ...lost].filter((each) => !byHand.has(each)));
    if (reference === undefined) return;
    const state = pick(['open', 'lost', 'won'] as const) ?? 'lost';
    provider.dispute(reference, state);
    if (state === 'lost') lost.add(reference);
    if (state === 'won') lost.delete(reference);
    if (state === 'open') history.disputed.add(reference);
    else history.disputed.delete(reference);
    history.say(`dispute ${reference} ${state}`);
  },
  transfer: async (history) => {
    if (!stage.counter) return;
    history.transfers.push(stage.counter.transfer(stage.till.price));
    await stage.counter.bring();
    history.say('transfer');
  },
  assign: async (history, pick) => {
    const transfer = pick(await history.openTransfers());
    if (!transfer) return;
    const { paid_at } = await history.order();
    const body = { action: 'assign', order_id: history.id };
    const reply = await stage.till.fixture.api.post(`/payments/mutations/${transfer.id}`, body);
    history.say(`assign: ${reply.status} ${reply.body.code ?? ''}`);
    if (reply.status !== 200) return;
    if (paid_at !== null) history.extra.set(transfer.mutation_id, transfer.amount ?? 0);
  },
  bring: async (history) => {
    history.say(`bring: ${(await stage.till.bring(2)).join(' ')}`);
  },
  'bring to an order that refuses it': async (history) => {
    const mend = await breakRow(stage.till.store, 'orders', history.id);
    history.say(`bring, refused: ${(await stage.till.bring()).join(' ')}`);
    await mend();
  },
  'wait while the provider refuses refunds for now': async (history) => {
    const { rowCount } = await stage.till.store.database.query(
      `select from provider_refunds r join payment_sessions p on p.id = r.session_id
        where p.order_id = $1 and r.state = 'requested' and r.attempts = 0`,
      [history.id],
    );
    for (let refunds = rowCount ?? 0; refunds > 0; refunds--) {
      stage.provider.fail('refund', 'overloaded');
    }
    history.say(`${rowCount} refunds must wait`);
    await wait(history, 61);
  },
  'lose the callbacks': async (history) => {
    stage.till.lose();
    history.say('lose');
  },
  refund: async (history, pick) => {
    const { grand_total, refunded_total } = await history.order();
    const part = Math.ceil((grand_total - refunded_total) / (pick([1, 1, 2, 5]) ?? 1));
    const reply = await stage.till.fixture.api.post(`/orders/${history.id}/refunds`, {
      amount: part,
    });
    history.say(`refund ${part}: ${reply.status} ${reply.body.code ?? ''}`);
  },
  'refund at the dashboard': async (history, pick) => {
    const reference = pick(history.held().filter((each) => !history.byHand.has(each)));
    if (reference === undefined) return;
    const { paid, refunded } = history.provider.books(reference);
    const part = Math.ceil((paid - refunded) / (pick([1, 2, 5]) ?? 1));
    if (part === 0) return;
    history.provider.refundByHand(reference, part);
    history.say(`dashboard ${reference} ${part}`);
  },
  decide: async (history, pick) => {
    const action = pick(['accept', 'refund', 'paid_by_hand']);
    if (action === 'paid_by_hand') await learn(history);
    const found = pick((await history.cases()).filter(({ status }) => status === 'open'));
    if (!found) return;
    const reply = await stage.till.fixture.api.post(`/payments/unexpected/${found.id}`, { action });
    history.say(
      `${action} ${found.reason} ${found.reference}: ${reply.status} ${reply.body.code ?? ''}`,
    );
    if (reply.status !== 200 || action !== 'paid_by_hand') return;
    history.giveByHand(found.reference, found.amount - found.refunded_total);
    history.unexpectedByHand.add(found.reference);
  },
  'pay a failed refund by hand': async (history, pick) => {
    await learn(history);
    const refunds: Refund[] = await stage.till.refunds(history.id);
    const failed = pick(refunds.filter(({ state }) => state === 'failed'));
    if (!failed) return;
    const { rows } = await stage.till.store.database.query<{ reference: string }>(
      `select p.reference from provider_refunds r join payment_sessions p on p.id = r.session_id
        where r.refund_id = $1`,
      [failed.id],
    );
    const body = { action: 'paid_by_hand' };
    const reply = await stage.till.fixture.api.post(`/refunds/${failed.id}`, body);
    history.say(`by hand ${failed.amount}: ${reply.status}`);
    if (reply.status === 200) history.giveByHand(rows[0]?.reference ?? '', failed.amount);
  },
  'mark as paid': async (history) => {
    const { status, grand_total } = await history.order();
    if (!['on-hold', 'payment-confirm'].includes(status)) return;
    if (await history.patch({ status: 'completed' })) history.cash += grand_total;
  },
  'let it wait': async (history) => {
    const { paid_at, refunded_total, status } = await history.order();
    const payer = await history.payer();
    // An owner who has refunded cash doesn't say later that the cash never came.
    if (payer === undefined && paid_at !== null && refunded_total > 0) return;
    const { cash } = history;
    if (status === 'completed') await history.patch({ status: 'in-progress' });
    const isTakenBack = paid_at !== null && !['cancelled', 'refunded'].includes(status);
    if (!(await history.patch({ status: 'on-hold' })) || !isTakenBack) return;
    if (payer !== undefined) {
      history.byHand.delete(payer);
      history.earlierByHand.delete(payer);
    } else if (!(await isByTransfer(history))) history.cash = cash - stage.till.price;
    history.extra.clear();
  },
  cancel: async (history) => {
    const { status } = await history.order();
    if (status === 'completed') await history.patch({ status: 'in-progress' });
    await history.patch({ status: 'cancelled' });
  },
  'wait a minute': (history) => wait(history, 61),
  'wait an hour': (history) => wait(history, 3700),
  'change the fate of refunds': async (history) => {
    stage.changeRefunds();
    history.say('change the fate of refunds');
  },
};

async function wait(history: History, seconds: number) {
  await stage.till.later(seconds);
  history.say(`wait ${seconds}`);
}

/** Tells if a transfer paid the order that just waits again: it is open once more. */
async function isByTransfer(history: History): Promise<boolean> {
  const open = await history.openTransfers();
  return open.some(({ mutation_id, version }) => version > 1 && !history.extra.has(mutation_id));
}

/** Lets the store learn of reversals, and of refunds at the dashboard, before the owner pays by hand. */
async function learn(history: History) {
  stage.allowRefunds();
  for (const reference of history.references) history.provider.notifyAgain(reference);
  await stage.till.bring();
  // A refund that has just failed is compared with the dashboard within a minute.
  for (let minutes = 0; minutes < 2; minutes++) await stage.till.later(61);
}

/** Delivers and looks up everything until nothing changes. */
async function settle(history: History) {
  for (const reference of history.disputed) {
    if (history.provider.books(reference).paid === 0) continue;
    history.provider.dispute(reference, history.lost.has(reference) ? 'lost' : 'won');
  }
  for (let turn = 0; turn < 2; turn++) {
    for (const seconds of [61, 130, 3700, 22_000]) {
      stage.allowRefunds();
      await stage.till.later(seconds);
      await stage.till.bring();
    }
    await learn(history);
  }
}

/** The money that the store really has of an order. */
async function moneyHeld(history: History): Promise<number> {
  const { provider, references, byHand, earlierByHand, transfers, cash, lost } = history;
  const { status_group } = await history.order();
  const payer = status_group === 'closed' ? undefined : await history.payer();
  const pages = references.map((reference) => {
    const { paid, refunded } = provider.books(reference);
    const earlier = reference === payer ? (earlierByHand.get(reference) ?? 0) : 0;
    const left = paid === 0 || lost.has(reference) ? 0 : paid - refunded - earlier;
    return paid === 0 ? 0 : left - (byHand.get(reference) ?? 0);
  });
  const refunds: Refund[] = await stage.till.refunds(history.id);
  const manual = refunds.filter(({ state }) => state === 'manual').map(({ amount }) => amount);
  return sumOf(pages) + transfers.length * stage.till.price + cash - sumOf(manual);
}

/** The money that the API's answers tell of. */
async function moneyExplained(history: History): Promise<number> {
  const order = await history.order();
  const payer = await history.payer();
  const isReversed = payer !== undefined && history.provider.books(payer).paid === 0;
  const refunds: Refund[] = await stage.till.refunds(history.id);
  const own = (order.paid_at === null ? 0 : order.grand_total) - order.refunded_total;
  const cases = (await history.cases()).filter(
    ({ reason, reference }) => reason !== 'reversed' && history.provider.books(reference).paid > 0,
  );
  const kept = new Map(
    cases
      .filter(
        ({ status, booked, resolved_by_type: by }) =>
          status === 'accepted' && !booked && by !== 'system',
      )
      .map((each) => [each.reference, each.amount - each.refunded_total]),
  );
  const transfers = await history.openTransfers();
  return sumOf([
    isReversed ? 0 : own,
    ...refunds.filter(({ state }) => state === 'failed').map(({ amount }) => amount),
    ...cases
      .filter(({ status }) => status === 'open')
      .map(({ amount, refunded_total }) => amount - refunded_total),
    ...kept.values(),
    ...transfers.map(({ amount }) => amount ?? 0),
    ...history.extra.values(),
  ]);
}

/** Payments and reversals come more often than the rest. */
const names = [
  ...Object.keys(steps),
  'pay',
  'pay',
  'reverse',
  'bring',
  'dispute',
  'decide',
  'let it wait',
];
const step = fc.tuple(fc.constantFrom(...names), fc.nat(1000));

async function play(taken: readonly (readonly [string, number])[]): Promise<void> {
  const { id } = await stage.till.newOrder();
  const history = new History(id);
  await stage.till.page(id);
  stage.provider.pay(history.references[0] ?? '');
  for (const [name, draw] of taken) {
    stage.till.store.clock.advance(1);
    await steps[name]?.(history, (from) => from[draw % from.length]);
  }
  await settle(history);
  const figures = [await moneyHeld(history), await moneyExplained(history)];
  expect(figures[0], history.lines.join('\n')).toBe(figures[1]);
}

describe.each([
  ['Midtrans', openMidtrans],
  ['PayPal', openPayPal],
])('After any payments, reversals, transfers and refunds by %s,', (_, open) => {
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.close());

  test('the API tells of all the money that the store has', async () => {
    const history = fc.array(step, { minLength: 6, maxLength: 24 });
    const seed = isLong ? {} : { seed: 24 };
    await fc.assert(fc.asyncProperty(history, play), { numRuns: runs(200), ...seed });
    await expectIntegrity(stage.till);
  }, 600_000);
});
