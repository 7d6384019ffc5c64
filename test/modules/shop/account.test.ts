import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { formOf } from '../../harness/client.ts';
import { useShop } from '../../harness/shop.ts';
import { visit } from './visitor.ts';

const opened = useShop();

/** Sends a form as the shop's own pages do. */
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit(opened.shop.store, path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });

const mint = async (user_id: number) =>
  (await opened.shop.api.post(`/users/${user_id}/account-link`)).body.data.url as string;

const linkIn = (url: string) => new URL(url).searchParams.get('link') ?? '';

/** Signs a member in by a link that a backend made. */
async function signIn(user_id: number): Promise<Record<string, string>> {
  const answer = await send('/account/session', { link: linkIn(await mint(user_id)) });
  expect([answer.status, answer.trips]).toEqual([302, 2]);
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

const account = (headers: Record<string, string>) =>
  visit(opened.shop.store, '/account', { headers });

test('A minted link signs its member in once, by a cookie of this host alone', async () => {
  const { shop } = opened;
  const user = await shop.newUser({ display_name: '<b>Wati</b>' });
  const reply = await shop.api.post(`/users/${user.id}/account-link`);
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  const { url } = reply.body.data;
  expect(url).toMatch(/^https:\/\/shop\.example\/account\?link=svcenter_/);
  const page = await visit(shop.store, new URL(url).pathname + new URL(url).search);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain('&lt;b&gt;Wati');
  // Looking at the link does not use it up.
  const entered = await send('/account/session', { link: linkIn(url) });
  expect(entered.headers.get('location')).toBe('https://shop.example/account');
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^__Host-account=svcacc_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
  );
  const again = await send('/account/session', { link: linkIn(url) });
  expect(again.headers.get('set-cookie')).toBeNull();
  const shown = await account({ cookie: cookie.split(';')[0] ?? '' });
  expect([shown.status, shown.trips]).toEqual([200, 1]);
  expect(shown.text).toContain(user.email);
  const { rows } = await shop.store.database.query('select hash from account_sessions');
  expect(cookie).not.toContain(rows[0].hash);
});

test('A link is refused to people with a role in the console, and is good for an hour', async () => {
  const { shop } = opened;
  for (const { id } of [await shop.newStaff(), await shop.newAdministrator()]) {
    expect((await shop.api.post(`/users/${id}/account-link`)).status).toBe(403);
  }
  expect((await shop.api.post('/users/999999/account-link')).status).toBe(404);
  const { id } = await shop.newUser();
  const link = linkIn(await mint(id));
  shop.store.clock.advance(3601);
  expect((await send('/account/session', { link })).headers.get('set-cookie')).toBeNull();
});

test('A link that is used twice at once signs in only one person', async () => {
  const { id } = await opened.shop.newUser();
  const link = linkIn(await mint(id));
  const answers = await Promise.all([1, 2, 3].map(() => send('/account/session', { link })));
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
});

test('An account shows what its member bought, with files to download, and nothing of others', async () => {
  const { shop } = opened;
  const product = await shop.newProduct({
    title: 'Rye course',
    license: { active: true, count: 1 },
  });
  const form = formOf({ product_id: product.id });
  form.append('file', new File(['rye'], 'rye.pdf'));
  await shop.api.post('/files', form);
  const order = await shop.newOrder({ product_id: product.id });
  await shop.api.patch(`/orders/${order.id}`, { status: 'completed' });
  const { text, headers } = await account(await signIn(order.user_id));
  for (const shown of ['Rye course', order.number, 'rye.pdf', 'Completed']) {
    expect(text).toContain(shown);
  }
  const [license] = (await shop.api.get(`/licenses?user_id=${order.user_id}&reveal=true`)).body
    .data;
  expect(text).toContain(license.code);
  expect(headers.get('cache-control')).toBe('no-store');
  const [, url = ''] = /href="(https:\/\/shop\.example\/download\/[^"]+)"/.exec(text) ?? [];
  expect(await (await shop.store.fetch(new Request(url))).text()).toBe('rye');
  const other = await account(await signIn((await shop.newUser()).id));
  for (const hidden of ['Rye course', 'rye.pdf', license.code])
    expect(other.text).not.toContain(hidden);
});

test('A member cancels and resumes their own subscription, and nobody else can', async () => {
  const { shop } = opened;
  const regular = { duration: 1, period: 'monthly', price: 0 };
  const club = await shop.newProduct({
    title: 'Club',
    payment_type: 'recurring',
    subscription: { active: true, regular },
  });
  const order = await shop.newOrder({ product_id: club.id, status: 'completed' });
  const [{ id }] = (await shop.api.get(`/subscriptions?user_id=${order.user_id}`)).body.data;
  const headers = await signIn(order.user_id);
  const cancel = `/account/subscriptions/${id}/cancel`;
  const stranger = await signIn((await shop.newUser()).id);
  expect((await send(cancel, {}, stranger)).status).toBe(404);
  expect((await send(cancel, {})).status).toBe(403);
  expect((await send(cancel, {}, { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const done = await send(cancel, {}, headers);
  expect([done.status, done.trips]).toEqual([302, 2]);
  expect((await account(headers)).text).toContain('Keep Club');
  expect((await send(`/account/subscriptions/${id}/resume`, {}, headers)).status).toBe(302);
  expect((await account(headers)).text).toContain('Cancel Club');
});

test('Signing out ends this session, and everywhere ends them all', async () => {
  const { shop } = opened;
  const { id } = await shop.newUser();
  const [one, two] = [await signIn(id), await signIn(id)];
  const isIn = async (headers: Record<string, string>) =>
    (await account(headers)).text.includes('Sign out everywhere');
  await send('/account/sign-out', {}, one);
  expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
  const three = await signIn(id);
  expect(
    (
      await send(
        '/account/sign-out',
        { everywhere: '1' },
        { ...three, 'sec-fetch-site': 'cross-site' },
      )
    ).status,
  ).toBe(403);
  shop.store.clock.advance(1);
  await send('/account/sign-out', { everywhere: '1' }, three);
  expect([await isIn(two), await isIn(three)]).toEqual([false, false]);
});

test('A session ends after 30 days without use, and goes on with use', async () => {
  const { shop } = opened;
  const headers = await signIn((await shop.newUser()).id);
  const isIn = async () => (await account(headers)).text.includes('Sign out everywhere');
  for (const days of [20, 20]) {
    shop.store.clock.advance(days * 86_400);
    expect(await isIn()).toBe(true);
    await Promise.all(shop.store.background);
  }
  shop.store.clock.advance(31 * 86_400);
  expect(await isIn()).toBe(false);
});

test('Asking for a link answers the same for every address, and mails a member three an hour', async () => {
  const { shop } = opened;
  const { store } = shop;
  const mails: string[] = [];
  const take = async (request: IncomingMessage, answer: ServerResponse) => {
    mails.push(Buffer.concat(await request.toArray()).toString());
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const relay = createServer((request, answer) => void take(request, answer));
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  Object.assign(await store.environment, {
    REMINDER_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    REMINDER_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  store.restart();
  const { email } = await shop.newUser();
  const known = await send('/account/link', { email: email ?? '' });
  const unknown = await send('/account/link', { email: 'nobody@people.example' });
  expect([known.status, known.trips]).toEqual([200, 1]);
  expect(known.text).toBe(unknown.text);
  for (let i = 0; i < 4; i++) await send('/account/link', { email: ` ${email?.toUpperCase()}` });
  await Promise.all(store.background);
  relay.close();
  const links = mails.flatMap((mail) => /svcenter_\w+/.exec(mail)?.[0] ?? []);
  expect([links.length, new Set(links).size]).toEqual([3, 3]);
  const [link = ''] = links;
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await send('/account/link', { email: email ?? '' }, foreign)).status).toBe(403);
  expect((await send('/account/session', { link }, foreign)).status).toBe(403);
  expect((await send('/account/session', { link })).headers.has('set-cookie')).toBe(true);
  expect(JSON.stringify(store.logs)).not.toContain('svcenter_');
  const { rows } = await store.database.query<{ said: string }>(
    'select messages::text as said from messages',
  );
  expect(JSON.stringify(rows)).not.toContain('svcenter_');
});
