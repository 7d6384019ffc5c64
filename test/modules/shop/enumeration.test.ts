import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { isLong, long } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { fieldsOf, orderPath, send } from './buyer.ts';
import { Members, takeMessages } from './member.ts';
import { type Visit, visit } from './visitor.ts';

const opened = useStoreFixture();
let members: Members;
let relay: Awaited<ReturnType<typeof takeMessages>>;

type Somebody = 'a member' | 'an affiliate' | 'a blocked user' | 'an employee' | 'an administrator';

const people = {} as Record<Somebody, User>;
const somebody: readonly Somebody[] = [
  'a member',
  'an affiliate',
  'a blocked user',
  'an employee',
  'an administrator',
];

const slugs: Record<string, string> = {};
const coupon = 'OWNCODE';

beforeAll(async () => {
  const { fixture } = opened;
  members = new Members(fixture);
  await fixture.set('shop_unpaid_orders', 1000);
  const group = (await fixture.api.post('/user-groups', { name: 'Insiders' })).body.data;
  const facts = { phone: '+628111222333', language: 'id', display_name: 'Wati', address: 'Jl. 1' };
  people['a member'] = await fixture.newUser({ ...facts, group_id: group.id });
  people['an affiliate'] = await fixture.newAffiliate(facts);
  people['a blocked user'] = await fixture.newUser({ ...facts, status: 'blocked' });
  people['an employee'] = await fixture.newStaff();
  people['an administrator'] = await fixture.newAdministrator();
  const regular = { duration: 1, period: 'monthly', price: 5000 };
  const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
  const products = {
    plain: {},
    last: { stock: 1000 },
    free: { price: 0 },
    seldom: { limit_buy_time: 60 },
    insiders: { group: { buy_list: [group.id] } },
    club: {
      payment_type: 'recurring',
      subscription: { active: true, regular, tryout },
    },
    parcel: {
      type: 'physical',
      shipping: { active: true, options: [{ id: 'post', courier: 'Post', cost: 100 }] },
    },
  };
  for (const [title, fields] of Object.entries(products)) {
    const product = await fixture.newProduct({ title, ...fields });
    slugs[title] = product.slug;
    // Everybody has bought each product before.
    for (const { id: user_id } of Object.values(people))
      await fixture.api.post('/orders', { product_id: product.id, user_id, status: 'completed' });
  }
  const made = await fixture.api.post('/coupons', {
    ...{ code: coupon, user_id: people['an affiliate'].id },
    discount: { value: 10, type: 'percentage' },
  });
  expect(made.status).toBe(201);
  // The orders were placed before there was a sender.
  relay = await takeMessages(fixture);
  await fixture.api.patch('/message-templates/order-placed/email', { active: false });
});
afterAll(() => relay.close());
// Lets the rates of the previous test pass.
beforeEach(() => opened.fixture.store.clock.advance(60));

let strangers = 0;
const stranger = () => `nobody-${(strangers += 1)}@people.example`;

/** The visible parts of an answer, without values that differ in each answer. */
function seen({ status, headers, text, trips }: Visit, email: string) {
  const plain = (value: string) =>
    value
      .replaceAll(email, '<email>')
      .replaceAll(encodeURIComponent(email), '<email>')
      .replaceAll(/\b[1-9]\d*-\d+-[0-9a-f]{32}\b/g, '<token>')
      .replaceAll(/(name="(?:key|quote)" value=")[^"]*/g, '$1')
      .replaceAll(/\bORD\d+|\b0\d{5,}\b/g, '<number>');
  const shown = [...headers].filter(([name]) => !/^(x-request-id|server-timing)$/.test(name));
  return {
    ...{ status, trips, text: plain(text) },
    headers: Object.fromEntries(shown.map(([name, value]) => [name, plain(value)])),
  };
}

/**
 * Sends the form of a checkout, and opens the page of its order.
 * @returns everything that the sender sees
 */
async function checkout(slug: string, email: string, fields: Record<string, string>) {
  const { store } = opened.fixture;
  const page = await visit(store, `/checkout/${slug}?email=${encodeURIComponent(email)}`);
  const typed = { name: 'Dewi', phone: '', email, address: 'Jl. 2', postal_code: '40111' };
  const sent = { ...fieldsOf(page.text), ...typed, ...fields };
  const priced = await send(store, slug, { ...sent, action: 'price' });
  const answer = await send(store, slug, { ...sent, ...fieldsOf(priced.text), action: 'order' });
  const path = orderPath(answer);
  const order = path === '' ? [] : [await visit(store, path)];
  return [page, priced, answer, ...order].map((one) => seen(one, email));
}

const linksTo = async (email: string, slug: string) => {
  const sent = await messages();
  return sent.filter(
    ({ recipient, content }) => recipient === email && content.includes(`/checkout/${slug}?link=`),
  ).length;
};

interface Sent {
  readonly recipient: string;
  readonly content: string;
}

const messages = async () => (await relay.sent()).map((text): Sent => JSON.parse(text));

const forms: readonly (readonly [product: string, fields: Record<string, string>])[] = [
  ['plain', {}],
  ['plain', { coupon }],
  ['plain', { coupon: 'UNKNOWN' }],
  ['last', { quantity: '2' }],
  ['free', {}],
  ['seldom', {}],
  ['insiders', {}],
  ['club', {}],
  ['parcel', {}],
];

describe.each(somebody)('The address of %s', (name) => {
  test.runIf(isLong || name === 'a member')(
    'gets the same pages as a new one at every checkout, and the same links by mail',
    async () => {
      const known = people[name].email ?? '';
      for (const [product, fields] of forms) {
        const slug = slugs[product] ?? '';
        const unknown = stranger();
        const label = `${product} ${JSON.stringify(fields)}`;
        const before = await linksTo(known, slug);
        expect(await checkout(slug, known, fields), label).toEqual(
          await checkout(slug, unknown, fields),
        );
        expect((await linksTo(known, slug)) - before, label).toBe(await linksTo(unknown, slug));
      }
    },
  );

  long('brings the same text as a new one to the phone that was typed', async () => {
    const textTo = async (email: string, number: string) => {
      const [answer] = (await checkout(slugs['plain'] ?? '', email, { phone: number })).slice(-1);
      expect(answer?.status).toBe(200);
      const sent = (await messages()).filter(({ recipient }) => recipient === number);
      return sent.map(({ content }) => content.replaceAll(/\d+-0-[0-9a-f]{32}|\b\d{4,}\b/g, ''));
    };
    const index = somebody.indexOf(name);
    const known = await textTo(people[name].email ?? '', `+6281255501${index}`);
    expect(known).toHaveLength(1);
    expect(known).toEqual(await textTo(stranger(), `+6281255502${index}`));
  });

  test('gets the same as a new one from the form that mails a link', async () => {
    const ask = async (email: string) =>
      seen(await members.send('/account/link', { email }), email);
    expect(await ask(people[name].email ?? '')).toEqual(await ask(stranger()));
  });
});

describe('A number that signs a member in', () => {
  const confirmed = '+628111222333';

  beforeAll(async () => {
    await opened.fixture.store.database.query(
      'insert into account_phones (user_id, phone, confirmed_at) values ($1, $2, now())',
      [people['a member'].id, confirmed],
    );
  });

  /** Requests a code, and enters wrong ones until no more are accepted. */
  async function enter(phone: string) {
    const answers = [await members.send('/account/code', { phone })];
    await relay.sent();
    for (let i = 0; i < 7; i++)
      answers.push(await members.send('/account/code/session', { phone, code: '000000x' }));
    return answers.map((answer) => seen(answer, phone));
  }

  test('gets the same as any other from the forms that send and take a code, in as many trips', async () => {
    const known = await enter(confirmed);
    const { rows } = await opened.fixture.store.database.query('select tries from account_codes');
    expect(rows).toEqual([{ tries: 5 }]);
    expect(known).toEqual(await enter('+628999888777'));
  });
});

describe('A member who wants another e-mail address', () => {
  test('sees the same, and is left as many tries, whether or not somebody has it', async () => {
    const { fixture } = opened;
    const tries = async (email: string) => {
      const headers = await members.signIn((await fixture.newUser()).id);
      const own = stranger();
      const answers: Visit[] = [];
      for (const address of [email, email, email, own]) {
        answers.push(await members.send('/account/email', { email: address }, headers));
        await relay.sent();
      }
      answers.push(await members.open('/account/details?said=mailed', headers));
      const mailed = (await messages()).filter(({ recipient }) => recipient === own).length;
      return { answers: answers.map((answer) => answer.status), mailed };
    };
    const taken = await tries(people['a member'].email ?? '');
    expect(taken).toEqual(await tries(stranger()));
    expect(taken.mailed).toBe(0);
  });
});
