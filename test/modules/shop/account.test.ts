import { beforeAll, expect, test } from 'vitest';
import { formOf, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { Members, linkIn, takeMessages } from './member.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let members: Members;

beforeAll(() => {
  members = new Members(opened.fixture);
});

const account = (headers: Record<string, string>) => members.open('/account', headers);

const isIn = async (headers: Record<string, string>) =>
  (await account(headers)).text.includes('Your details');

test('A minted link signs its member in once, by a cookie of this host alone', async () => {
  const { fixture } = opened;
  const user = await fixture.newUser({ display_name: '<b>Wati</b>' });
  const reply = await fixture.api.post(`/users/${user.id}/account-link`);
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  const { url } = reply.body.data;
  expect(url).toMatch(/^https:\/\/shop\.example\/account\?link=svcenter_/);
  const page = await visit(fixture.store, new URL(url).pathname + new URL(url).search);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain('&lt;b&gt;Wati');
  // Opening the link does not use it up.
  const entered = await members.send('/account/session', { link: linkIn(url) });
  expect(entered.headers.get('location')).toBe('https://shop.example/account');
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^__Host-account=svcacc_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
  );
  const again = await members.send('/account/session', { link: linkIn(url) });
  expect(again.headers.get('set-cookie')).toBeNull();
  const shown = await account({ cookie: cookie.split(';')[0] ?? '' });
  expect([shown.status, shown.trips]).toEqual([200, 1]);
  expect(shown.text).toContain('Your details');
  const { rows } = await fixture.store.database.query('select hash from account_sessions');
  expect(cookie).not.toContain(rows[0].hash);
});

test('A link is refused to people with a role in the console, and is good for an hour', async () => {
  const { fixture } = opened;
  for (const { id } of [await fixture.newStaff(), await fixture.newAdministrator()]) {
    expect((await fixture.api.post(`/users/${id}/account-link`)).status).toBe(403);
  }
  expect((await fixture.api.post('/users/999999/account-link')).status).toBe(404);
  const { id } = await fixture.newUser();
  const link = linkIn(await members.mint(id));
  fixture.store.clock.advance(3601);
  expect((await members.send('/account/session', { link })).headers.get('set-cookie')).toBeNull();
});

test('An administrator lists the browsers of a member, and ends one without the others', async () => {
  const { fixture } = opened;
  const { id, display_name } = await fixture.newUser();
  const enter = async () => {
    const link = linkIn(await members.mint(id));
    const entered = await members.send('/account/session', { link });
    return (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  };
  const first = await enter();
  fixture.store.clock.advance(60);
  const second = await enter();
  const staff = await fixture.newAdministrator();
  const administrator = fixture.store.client(
    fromConsole(await fixture.store.consoleSession(staff.id)),
  );
  const list = () => administrator.get(`//console/api/account-sessions?user_id=${id}`);
  const { body, trips } = await list();
  const [newest, oldest] = body.data;
  expect([body.data.length, trips]).toEqual([2, 1]);
  expect(second).toContain(newest.id);
  expect(newest).toMatchObject({ acting: null, used_at: newest.created_at });
  const ended = await administrator.delete(`//console/api/account-sessions/${oldest.id}`);
  expect(ended).toMatchObject({ status: 200, trips: 2, body: { data: { id: oldest.id } } });
  expect((await administrator.delete(`//console/api/account-sessions/${oldest.id}`)).status).toBe(
    404,
  );
  expect(await isIn({ cookie: first })).toBe(false);
  expect(await isIn({ cookie: second })).toBe(true);
  expect((await list()).body.data).toMatchObject([{ id: newest.id }]);
  const log = await fixture.api.get('/audit?operation=console.accountSessions.delete');
  expect(log.body.data[0]).toMatchObject({ subject_id: String(id), subject_name: display_name });
  const manager = await fixture.newStaff();
  const theirs = fixture.store.client(fromConsole(await fixture.store.consoleSession(manager.id)));
  expect((await theirs.get(`//console/api/account-sessions?user_id=${id}`)).status).toBe(403);
});

test('A link that is used twice at once signs in only one person', async () => {
  const { id } = await opened.fixture.newUser();
  const link = linkIn(await members.mint(id));
  const answers = await Promise.all(
    [1, 2, 3].map(() => members.send('/account/session', { link })),
  );
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
});

test("An account shows its member's purchases, with files to download, and no others", async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({
    title: 'Rye course',
    license: { active: true, count: 1 },
  });
  const form = formOf({ product_id: product.id });
  form.append('file', new File(['rye'], 'rye.pdf'));
  await fixture.api.post('/files', form);
  const order = await fixture.newOrder({ product_id: product.id });
  await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
  const { text, headers } = await account(await members.signIn(order.user_id));
  for (const shown of ['Rye course', order.number, 'rye.pdf', 'Completed']) {
    expect(text).toContain(shown);
  }
  const [license] = (await fixture.api.get(`/licenses?user_id=${order.user_id}&reveal=true`)).body
    .data;
  expect(text).toContain(license.code);
  expect(headers.get('cache-control')).toBe('no-store');
  const [, url = ''] = /href="(https:\/\/shop\.example\/download\/[^"]+)"/.exec(text) ?? [];
  expect(await (await fixture.store.fetch(new Request(url))).text()).toBe('rye');
  const other = await account(await members.signIn((await fixture.newUser()).id));
  for (const hidden of ['Rye course', 'rye.pdf', license.code])
    expect(other.text).not.toContain(hidden);
});

test('A member cancels and resumes their own subscription, and nobody else can', async () => {
  const { fixture } = opened;
  const regular = { duration: 1, period: 'monthly', price: 0 };
  const club = await fixture.newProduct({
    title: 'Club',
    payment_type: 'recurring',
    subscription: { active: true, regular },
  });
  const order = await fixture.newOrder({ product_id: club.id, status: 'completed' });
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${order.user_id}`)).body.data;
  const headers = await members.signIn(order.user_id);
  const cancel = `/account/subscriptions/${id}/cancel`;
  const stranger = await members.signIn((await fixture.newUser()).id);
  expect((await members.send(cancel, {}, stranger)).status).toBe(404);
  expect((await members.send(cancel, {})).status).toBe(403);
  expect(
    (await members.send(cancel, {}, { ...headers, 'sec-fetch-site': 'cross-site' })).status,
  ).toBe(403);
  const done = await members.send(cancel, {}, headers);
  expect([done.status, done.trips]).toEqual([302, 2]);
  const page = await members.open(`/account/subscriptions/${id}`, headers);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain('Keep Club');
  expect((await members.send(`/account/subscriptions/${id}/resume`, {}, headers)).status).toBe(302);
  expect((await members.open(`/account/subscriptions/${id}`, headers)).text).toContain(
    'Cancel Club',
  );
  expect((await members.open(`/account/subscriptions/${id}`, stranger)).status).toBe(404);
});

test('A plan is cancelled in the account until it is paid in full', async () => {
  const { fixture } = opened;
  const plan = await fixture.newProduct({
    ...{ title: 'Course', price: 9000, payment_type: 'recurring' },
    subscription: { active: true, payments: 2, after: 'keep' },
  });
  const first = await fixture.newOrder({ product_id: plan.id, status: 'completed' });
  const { user_id } = first;
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${user_id}`)).body.data;
  const headers = await members.signIn(user_id);
  const open = () => members.open(`/account/subscriptions/${id}`, headers);
  expect((await open()).text).toContain('Cancel Course');
  await fixture.newOrder({
    ...{ product_id: plan.id, user_id, order_parent_id: first.id, status: 'completed' },
    type: 'subscription-regular',
  });
  const paid = await open();
  expect(paid.text).toContain('2 of 2');
  expect(paid.text).not.toContain('Cancel Course');
});

test('Signing out ends this session, and signing out everywhere ends all of them', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newUser();
  const [one, two] = [await members.signIn(id), await members.signIn(id)];
  await members.send('/account/sign-out', {}, one);
  expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
  const three = await members.signIn(id);
  expect(
    (
      await members.send(
        '/account/sign-out',
        { everywhere: '1' },
        { ...three, 'sec-fetch-site': 'cross-site' },
      )
    ).status,
  ).toBe(403);
  fixture.store.clock.advance(1);
  await members.send('/account/sign-out', { everywhere: '1' }, three);
  expect([await isIn(two), await isIn(three)]).toEqual([false, false]);
});

test('A session ends after 30 days without use, and is extended by use', async () => {
  const { fixture } = opened;
  const headers = await members.signIn((await fixture.newUser()).id);
  for (const days of [20, 20]) {
    fixture.store.clock.advance(days * 86_400);
    expect(await isIn(headers)).toBe(true);
    await fixture.store.settled();
  }
  fixture.store.clock.advance(31 * 86_400);
  expect(await isIn(headers)).toBe(false);
});

test('A link is mailed in the language of the store to a member who chose none', async () => {
  const { fixture } = opened;
  const relay = await takeMessages(fixture);
  await fixture.set('language', 'id');
  const { email } = await fixture.newUser();
  await members.send('/account/link', { email: email ?? '' });
  const mails = await relay.sent();
  relay.close();
  await fixture.set('language', 'en');
  expect(mails.join()).toContain('Tautan masuk Anda');
});

test('Requesting a link gets the same answer for every address, and mails a member three links an hour', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const relay = await takeMessages(fixture);
  const { email } = await fixture.newUser();
  const known = await members.send('/account/link', { email: email ?? '' });
  const unknown = await members.send('/account/link', { email: 'nobody@people.example' });
  expect([known.status, known.trips]).toEqual([200, 1]);
  expect(known.text).toBe(unknown.text);
  for (let i = 0; i < 4; i++)
    await members.send('/account/link', { email: ` ${email?.toUpperCase()}` });
  const mails = await relay.sent();
  relay.close();
  const links = mails.flatMap((mail) => /svcenter_\w+/.exec(mail)?.[0] ?? []);
  expect([links.length, new Set(links).size]).toEqual([3, 3]);
  const [link = ''] = links;
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await members.send('/account/link', { email: email ?? '' }, foreign)).status).toBe(403);
  expect((await members.send('/account/session', { link }, foreign)).status).toBe(403);
  expect((await members.send('/account/session', { link })).headers.has('set-cookie')).toBe(true);
  expect(JSON.stringify(store.logs)).not.toContain('svcenter_');
  const { rows } = await store.database.query<{ said: string }>(
    'select messages::text as said from messages',
  );
  expect(JSON.stringify(rows)).not.toContain('svcenter_');
});
