import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { runs } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { changesOf, readStates, toldStates } from '../../harness/states.ts';

const opened = useStoreFixture();
const day = 86_400;

/** Products that change states in every way, a group that one of them leads to, and two users. */
let stock: { products: number[]; groups: number[]; users: number[] };

beforeAll(async () => {
  const { fixture } = opened;
  const { api } = fixture;
  await fixture.set('states_told_at', fixture.store.clock.now());
  await api.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] });
  const group = async (name: string, priority: number) =>
    (await api.post('/user-groups', { name, priority })).body.data.id as number;
  const groups = [await group('Silver', 1), await group('Gold', 2)];
  const regular = { duration: 1, period: 'monthly', price: 9_000 };
  const license = { active: true, count: 1, expires_days: 40 };
  const lasting = { active: true, count: 1, expires_days: 0 };
  const made = [
    await fixture.newProduct({ license }),
    await fixture.newProduct({
      ...{ payment_type: 'recurring', license },
      subscription: { active: true, regular },
    }),
    await fixture.newProduct({
      ...{ payment_type: 'recurring', license: lasting },
      subscription: { active: true, regular: { ...regular, payments: 3 } },
    }),
    await fixture.newProduct({ group_update: { active: true, group_id: groups[1] } }),
  ];
  stock = {
    products: made.map(({ id }) => id),
    groups,
    users: [(await fixture.newUser()).id, (await fixture.newUser()).id],
  };
});

const jobs = async () => {
  const problems: unknown[] = [];
  await runJobs(await opened.fixture.store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
};

type Step = readonly [kind: string, which: number, how: number];

const pick = <T>(from: readonly T[], at: number) => from[at % from.length] as T;

/** The id of one of a list's last records. */
async function some(path: string, at: number): Promise<number> {
  const { body } = await opened.fixture.api.get(`${path}?per_page=4`);
  return body.data[at % Math.max(1, body.data.length)]?.id ?? 999_999;
}

/** Calls of all kinds, many of which are refused. */
const deeds: Readonly<Record<string, (which: number, how: number) => Promise<unknown>>> = {
  order: async (which, how) =>
    opened.fixture.api.post('/orders', {
      product_id: pick(stock.products, which),
      user_id: pick(stock.users, how),
    }),
  move: async (which, how) =>
    opened.fixture.api.patch(`/orders/${await some('/orders', which)}`, {
      status: pick(['completed', 'completed', 'in-progress', 'refunded', 'cancelled'], how),
    }),
  hide: async (which) => opened.fixture.api.delete(`/orders/${await some('/orders', which)}`),
  grant: async (which, how) =>
    opened.fixture.api.post('/access', {
      product_id: pick(stock.products, which),
      user_id: pick(stock.users, how),
      ...(how > 2 && { end_active: later(how * day) }),
      ...(how > 4 && { start: later(day) }),
    }),
  regrant: async (which, how) =>
    opened.fixture.api.post(`/users/${pick(stock.users, which)}/access-products`, {
      product_ids: [pick(stock.products, how)],
      mode: pick(['add', 'replace'], which),
      ...(how > 3 && { end_active: later(how * day) }),
    }),
  revoke: async (which) => opened.fixture.api.delete(`/access/${await some('/access', which)}`),
  subscription: async (which, how) => {
    const path = `/subscriptions/${await some('/subscriptions', which)}`;
    const [verb, body] = pick(
      [
        ['/pause', {}],
        ['/pause', { until: later(2 * day) }],
        ['/resume', {}],
        ['/cancel', { at: 'end' }],
        ['/cancel', { at: 'now' }],
      ] as const,
      how,
    );
    return which > 4
      ? opened.fixture.api.patch(path, { end_date: later(how * day), next_price: how })
      : opened.fixture.api.post(`${path}${verb}`, body);
  },
  license: async (which, how) =>
    opened.fixture.api.post(`/licenses/${await some('/licenses', which)}`, {
      ...(how > 3
        ? { expires_at: later(how * day) }
        : { status: pick(['active', 'inactive'], how) }),
    }),
  issue: async (which, how) => {
    const { api } = opened.fixture;
    const order = (await api.get(`/orders/${await some('/orders', which)}`)).body.data;
    return api.post('/licenses', {
      product_id: order?.product_id ?? pick(stock.products, which),
      user_id: order?.user_id ?? pick(stock.users, how),
      ...(order && how > 2 && { order_id: order.id }),
      ...(how > 4 && { expires_at: null }),
    });
  },
  group: async (which, how) =>
    opened.fixture.api.post(`/users/${pick(stock.users, which)}/group`, {
      group_id: pick([...stock.groups, null], how),
      force: true,
    }),
  block: async (which, how) =>
    opened.fixture.api.patch(`/users/${pick(stock.users, which)}`, {
      status: pick(['active', 'blocked'], how),
    }),
  wait: async (which, how) => {
    opened.fixture.store.clock.advance((which * 5 + how) * day);
    await jobs();
    opened.fixture.store.clock.advance(60);
    await jobs();
  },
};

const later = (seconds: number) =>
  new Date(opened.fixture.store.clock.now().getTime() + seconds * 1000).toISOString();

const step = fc.tuple(
  fc.constantFrom(...Object.keys(deeds), 'order', 'move', 'move', 'wait'),
  fc.nat(6),
  fc.nat(6),
);

/** Expects the state of each user to have exactly the licences that are valid. */
async function expectStates(): Promise<void> {
  const { api } = opened.fixture;
  for (const id of stock.users) {
    const listed = (await api.get(`/licenses?user_id=${id}&per_page=100&reveal=true`)).body.data;
    const valid: number[] = [];
    for (const license of listed) {
      const { body } = await api.post('/licenses/status', { license: license.code });
      if (body.valid) valid.push(license.id);
    }
    const { licenses } = (await api.get(`/users/${id}/state`)).body.data;
    expect(licenses.map((one: { id: number }) => one.id)).toEqual(valid);
  }
}

/**
 * Makes a call.
 * @returns the changes that were not announced, and those announced twice in one event
 */
async function overlooked([kind, which, how]: Step): Promise<string[]> {
  const { store } = opened.fixture;
  const told = toldStates(store);
  await told();
  const before = await readStates(store);
  await deeds[kind]?.(which, how);
  const changed = changesOf(before, await readStates(store));
  await expectStates();
  const events = await told();
  const users = events.map(([first = '']) => first.split(' ')[0]);
  const twice = kind === 'wait' ? [] : users.filter((id, at) => users.indexOf(id) !== at);
  return [...changed.filter((one) => !events.flat().includes(one)), ...twice.map(String)];
}

test('In any history each change of a state is announced, once per user and transaction', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (history) => {
      for (const each of history) expect(await overlooked(each), each.join()).toEqual([]);
    }),
    { numRuns: runs(8), endOnFailure: true },
  );
}, 120_000);

describe('A change of state by time', () => {
  /** Grants of a new user, by the seconds until they start and end. */
  async function granted(...times: (readonly [start: number, end: number])[]) {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser();
    for (const [start, end] of times) {
      const { id: product_id } = await fixture.newProduct();
      const grant = { user_id, product_id, start: later(start), end_active: later(end) };
      expect(await fixture.api.post('/access', grant)).toMatchObject({ status: 201 });
    }
    const told = toldStates(fixture.store);
    await told();
    return { user_id, told };
  }

  test('is announced within a minute, once', async () => {
    const { clock } = opened.fixture.store;
    await jobs();
    const { user_id, told } = await granted([0, 600], [0, 600], [300, 900]);
    const changes = async (seconds: number) => {
      clock.advance(seconds);
      await jobs();
      return (await told()).filter(([first]) => first === `${user_id} access`);
    };
    expect(await changes(299)).toEqual([]);
    expect(await changes(50)).toHaveLength(1);
    expect(await changes(250)).toEqual([]);
    expect(await changes(50)).toHaveLength(1);
    expect(await changes(10)).toEqual([]);
    expect(await changes(3600)).toHaveLength(1);
    expect(await changes(3600)).toEqual([]);
  });
});
