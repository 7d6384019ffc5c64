import { beforeAll, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { Members } from './member.ts';

const opened = useStoreFixture();
const path = '/account/affiliate';
let members: Members;
let template: { id: number };

beforeAll(async () => {
  const { fixture } = opened;
  members = new Members(fixture);
  template = await newTemplate({ code: 'PARTNERS', discount: { value: 15, type: 'percentage' } });
});

async function newTemplate(fields: object): Promise<{ id: number }> {
  const rule = { use_by_affiliate: true, limit_affiliate_coupon: 2 };
  const reply = await opened.fixture.api.post('/coupons', { rule, ...fields });
  expect(reply.status).toBe(201);
  return reply.body.data;
}

const make = (headers: Record<string, string>, code: string, of = template.id) =>
  members.send(`${path}/coupons`, { code, template: String(of) }, headers);

const after = async (headers: Record<string, string>, code: string, of?: number) => {
  const { headers: answered } = await make(headers, code, of);
  const url = new URL(answered.get('location') ?? '');
  return members.open(url.pathname + url.search, headers);
};

const couponsOf = async (user_id: number) =>
  (await opened.fixture.api.get(`/coupons?user_id=${user_id}`)).body.data as { code: string }[];

test('An affiliate makes a coupon of their own from a template in two trips, and sees it in one', async () => {
  const { fixture } = opened;
  await fixture.set('affiliate_coupon_status', 'active');
  const { id } = await fixture.newAffiliate();
  const headers = await members.signIn(id);
  const before = await members.open(path, headers);
  expect(before.text).toContain('PARTNERS: 15% off');
  const made = await make(headers, ' wati-15 ');
  expect([made.status, made.trips]).toEqual([302, 2]);
  const [coupon] = await couponsOf(id);
  expect(coupon).toMatchObject({
    ...{ code: 'WATI-15', user_id: id, coupon_parent_id: template.id, state: 'active' },
    discount: { value: 15, type: 'percentage' },
  });
  const { text, trips } = await members.open(path, headers);
  expect(trips).toBe(1);
  expect(text).toContain('<code>WATI-15</code>');
  expect(text).toContain('data-copy="WATI-15"');
  expect(text).toContain('15% off · used 0 times');
  const { slug } = await fixture.newProduct();
  const priced = await members.open(`/checkout/${slug}?coupon=WATI-15`, {});
  expect(priced.text).toContain('-$22.50');
});

test('A coupon that waits for the approval of the shop says so, in the language of its reader', async () => {
  const { fixture } = opened;
  await fixture.set('affiliate_coupon_status', 'need-approve');
  const headers = await members.signIn((await fixture.newAffiliate()).id);
  expect((await after(headers, 'WAITING')).text).toContain('waits for the approval of the shop');
  const indonesian = { ...headers, 'accept-language': 'id' };
  const { text } = await members.open(path, indonesian);
  expect(text).toContain('potongan 15% · dipakai 0 kali · menunggu persetujuan toko');
});

test('A code that is taken or invalid, or one coupon too many, is explained beside the field', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newAffiliate();
  const headers = await members.signIn(id);
  expect((await after(headers, 'PARTNERS')).text).toContain('There is a coupon with this code');
  for (const code of ['', 'ab', '12345', '<b>code</b>'])
    expect((await after(headers, code)).text, code).toContain('at least one letter');
  expect(await couponsOf(id)).toEqual([]);
  await make(headers, 'FIRST');
  await make(headers, 'SECOND');
  expect((await after(headers, 'THIRD')).text).toContain('as many coupons');
  expect(await couponsOf(id)).toHaveLength(2);
});

test('Only an affiliate who may make coupons gets the form, and only for what is a template now', async () => {
  const { fixture } = opened;
  const rule = { use_by_affiliate: false };
  const plain = await newTemplate({ code: 'NOTFORALL', rule });
  const ended = await newTemplate({ code: 'ENDED', limit_date: '2026-03-10T09:00:01Z' });
  fixture.store.clock.advance(2);
  const { id } = await fixture.newAffiliate();
  const headers = await members.signIn(id);
  expect((await members.open(path, headers)).text).not.toContain('ENDED');
  for (const of of [plain.id, ended.id, 0])
    expect((await after(headers, 'MINE', of)).text).toContain('no longer offered');
  const group = await fixture.api.post('/user-groups', { name: 'No', can_affiliate_coupon: false });
  const without = await fixture.newAffiliate({ group_id: group.body.data.id });
  for (const user of [without, await fixture.newUser()]) {
    const session = await members.signIn(user.id);
    expect((await members.open(path, session)).text).not.toContain(`${path}/coupons`);
    expect((await make(session, 'MINE')).status).toBe(403);
  }
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
  expect((await make(foreign, 'MINE')).status).toBe(403);
  expect((await make({}, 'MINE')).status).toBe(403);
  expect(await couponsOf(id)).toEqual([]);
});
