import { beforeAll, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { Members, cookieOf, linkIn, takeMessages } from './member.ts';

const opened = useStoreFixture();
let members: Members;

beforeAll(() => {
  members = new Members(opened.fixture);
});

const details = {
  display_name: 'Wati Baru',
  phone: '0812 5550 111',
  address: 'Jl. Merdeka 1',
  postal_code: '40115',
  country: 'id',
  language: 'id',
};

const bank = { bank_code: '014', bank_name: 'BCA', number: '550111', holder: 'Wati' };

test('A member changes their name, phone and address, and sees the errors', async () => {
  const { fixture } = opened;
  const user = await fixture.newUser({ display_name: 'Wati' });
  const headers = await members.signIn(user.id);
  const saved = await members.send('/account/details', details, headers);
  expect([saved.status, saved.trips]).toEqual([302, 2]);
  expect(await fixture.user(user.id)).toMatchObject({ ...details, country: 'ID' });
  const page = await members.open('/account/details?said=saved', headers);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain('Your changes are saved.');
  const wrong = await members.send('/account/details', { ...details, country: 'Java' }, headers);
  expect(wrong.headers.get('location')).toContain('said=invalid');
  expect((await fixture.user(user.id)).phone).toBe(details.phone);
  expect((await members.send('/account/details', details)).status).toBe(403);
});

test('A bank account is changed within ten minutes of a link, and not later', async () => {
  const { fixture } = opened;
  const user = await fixture.newAffiliate();
  const headers = await members.signIn(user.id);
  expect((await members.open('/account/details', headers)).text).toContain('Bank code');
  await members.send('/account/bank', bank, headers);
  expect((await fixture.user(user.id)).bank_account).toEqual(bank);
  const part = await members.send('/account/bank', { ...bank, number: '' }, headers);
  expect(part.headers.get('location')).toContain('said=invalid');
  fixture.store.clock.advance(601);
  const late = await members.send('/account/bank', { ...bank, number: '999' }, headers);
  expect(late.headers.get('location')).toContain('said=fresh');
  expect((await fixture.user(user.id)).bank_account).toEqual(bank);
  const page = (await members.open('/account/details?said=fresh', headers)).text;
  expect(page).toContain('sign in by a new link');
  expect(page).not.toContain('Bank code');
});

test('A new e-mail address counts once its mail is confirmed, and the old address is informed', async () => {
  const { fixture } = opened;
  const relay = await takeMessages(fixture);
  const user = await fixture.newUser({ email: 'old@people.example' });
  const taken = await fixture.newUser();
  const headers = await members.signIn(user.id);
  const free = await members.send('/account/email', { email: 'New@people.example' }, headers);
  const used = await members.send('/account/email', { email: taken.email }, headers);
  expect([free.status, free.trips]).toEqual([302, 1]);
  expect(used.headers.get('location')).toBe(free.headers.get('location'));
  const links = (await relay.sent()).flatMap((mail) => /svcenter_\w+/.exec(mail)?.[0] ?? []);
  expect(links).toHaveLength(1);
  const [link = ''] = links;
  expect((await fixture.user(user.id)).email).toBe('old@people.example');
  // The link signs nobody in, and gives the address to no other account.
  expect((await members.send('/account/session', { link })).headers.has('set-cookie')).toBe(false);
  const other = await members.signIn((await fixture.newUser()).id);
  await members.send('/account/email/confirm', { link }, other);
  expect((await fixture.user(user.id)).email).toBe('old@people.example');
  const page = await members.open(`/account/email?link=${link}`, headers);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain('Use new@people.example');
  const done = await members.send('/account/email/confirm', { link }, headers);
  expect([done.status, done.trips]).toEqual([302, 2]);
  expect((await fixture.user(user.id)).email).toBe('new@people.example');
  const told = (await relay.sent()).filter((mail) => mail.includes('was changed'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('old@people.example');
  relay.close();
  const again = await members.send('/account/email/confirm', { link }, headers);
  expect(again.headers.get('location')).toContain('said=gone');
  expect(JSON.stringify(fixture.store.logs)).not.toContain('svcenter_');
});

test.each(['store', 'member'])(
  'Links that were sent before the %s changed the address neither sign in nor confirm another address',
  async (who) => {
    const { fixture } = opened;
    const relay = await takeMessages(fixture);
    const user = await fixture.newUser();
    const headers = await members.signIn(user.id);
    const lastLink = async () => /svcenter_\w+/.exec((await relay.sent()).at(-1) ?? '')?.[0] ?? '';
    const ask = async (email: string) => {
      await members.send('/account/email', { email }, headers);
      return lastLink();
    };
    const confirm = (link: string) => members.send('/account/email/confirm', { link }, headers);
    await members.send('/account/link', { email: user.email });
    const signIn = await lastLink();
    const earlier = await ask(`earlier-${who}@people.example`);
    const email = `current-${who}@people.example`;
    if (who === 'member') await confirm(await ask(email));
    else await fixture.api.patch(`/users/${user.id}`, { email });
    expect((await fixture.user(user.id)).email).toBe(email);
    const entered = await members.send('/account/session', { link: signIn });
    expect(entered.headers.get('location')).toContain('link=gone');
    expect(entered.headers.has('set-cookie')).toBe(false);
    expect((await confirm(earlier)).headers.get('location')).toContain('said=gone');
    expect((await fixture.user(user.id)).email).toBe(email);
    await members.send('/account/link', { email });
    const link = await lastLink();
    expect((await members.send('/account/session', { link })).headers.has('set-cookie')).toBe(true);
    relay.close();
  },
);

test('An old address is informed in the language that its member chose', async () => {
  const { fixture } = opened;
  const relay = await takeMessages(fixture);
  const user = await fixture.newUser({ email: 'lama@people.example' });
  const headers = await members.signIn(user.id);
  await members.send('/account/details', details, headers);
  await members.send('/account/email', { email: 'baru@people.example' }, headers);
  const [link = ''] = (await relay.sent()).flatMap((mail) => /svcenter_\w+/.exec(mail)?.[0] ?? []);
  await members.send('/account/email/confirm', { link }, headers);
  const told = (await relay.sent()).filter((mail) => mail.includes('diubah'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('lama@people.example');
  relay.close();
});

test('A confirmed number signs in by a code, and no other number does', async () => {
  const { fixture } = opened;
  await fixture.set('country', 'ID');
  const relay = await takeMessages(fixture);
  const codes = async () =>
    (await relay.sent()).flatMap((text) => /(\d{6}) is your code/.exec(text)?.[1] ?? []);
  const user = await fixture.newUser({ phone: '0812 5550 222' });
  const ask = (phone: string) => members.send('/account/code', { phone });
  const before = await ask('0812 5550 222');
  const headers = await members.signIn(user.id);
  await members.send('/account/phone', {}, headers);
  const [code = ''] = await codes();
  // Only this code was sent: the number was not confirmed before.
  expect(await codes()).toHaveLength(1);
  const wrong = code === '000000' ? '111111' : '000000';
  const confirm = (text: string) => members.send('/account/phone/confirm', { code: text }, headers);
  expect((await confirm(wrong)).headers.get('location')).toContain('said=wrong');
  const confirmed = await confirm(code);
  expect(confirmed.headers.get('location')).toContain('said=saved');
  expect(confirmed.trips).toBe(2);
  const after = await ask('+62 812-5550-222');
  expect([after.status, after.trips]).toEqual([200, 1]);
  expect(after.text.replaceAll('+62 812-5550-222', '0812 5550 222')).toBe(before.text);
  const [, signIn = ''] = await codes();
  const enter = (text: string) =>
    members.send('/account/code/session', { phone: '+628125550222', code: text });
  expect((await enter(signIn === wrong ? '222222' : wrong)).headers.has('set-cookie')).toBe(false);
  const entered = await enter(signIn);
  expect([entered.status, entered.trips]).toEqual([302, 2]);
  expect((await enter(signIn)).headers.has('set-cookie')).toBe(false);
  const own = await members.open('/account/details', cookieOf(entered));
  expect(own.text).toContain('0812 5550 222');
  // A code gives no access to the bank account or the address.
  const address = await members.send('/account/email', { email: 'x@y.example' }, cookieOf(entered));
  expect(address.headers.get('location')).toContain('said=fresh');
  await members.send('/account/details', { ...details, phone: '0812 5550 333' }, headers);
  await ask('0812 5550 222');
  expect(await codes()).toHaveLength(2);
  relay.close();
  expect(JSON.stringify(fixture.store.logs)).not.toContain(signIn);
});

test.each(['store', 'member'])(
  'A confirmed number no longer signs in once the %s changed the phone by the API',
  async (who) => {
    const { fixture } = opened;
    await fixture.set('country', 'ID');
    const phone = who === 'store' ? '+628125550998' : '+628125550999';
    const user = await fixture.newUser({ phone });
    await fixture.store.database.query('insert into account_phones values ($1, $2, now())', [
      user.id,
      phone,
    ]);
    const relay = await takeMessages(fixture);
    await members.send('/account/code', { phone });
    expect(await relay.sent()).toHaveLength(1);
    const update = { phone: '+628125551000' };
    const changed =
      who === 'store'
        ? await fixture.api.patch(`/users/${user.id}`, update)
        : await (await fixture.store.session(user.id)).patch('/me/profile', update);
    expect(changed.status).toBe(200);
    await members.send('/account/code', { phone });
    expect(await relay.sent()).toHaveLength(1);
    relay.close();
  },
);

test('A code confirms no number once the phone that it was sent to was changed', async () => {
  const { fixture } = opened;
  const relay = await takeMessages(fixture);
  const user = await fixture.newUser({ phone: '+62 812 5550 555' });
  const headers = await members.signIn(user.id);
  await members.send('/account/phone', {}, headers);
  const [code = ''] = (await relay.sent()).flatMap(
    (text) => /(\d{6}) is your code/.exec(text)?.[1] ?? [],
  );
  expect(code).not.toBe('');
  await fixture.api.patch(`/users/${user.id}`, { phone: '+62 812 5550 556' });
  const confirmed = await members.send('/account/phone/confirm', { code }, headers);
  expect(confirmed.headers.get('location')).toContain('said=wrong');
  const { rows } = await fixture.store.database.query(
    'select from account_phones where user_id = $1',
    [user.id],
  );
  expect(rows).toEqual([]);
  relay.close();
});

test('A code ends after five tries, and a person gets five an hour', async () => {
  const { fixture } = opened;
  const relay = await takeMessages(fixture);
  const user = await fixture.newUser({ phone: '+62 812 5550 444' });
  const headers = await members.signIn(user.id);
  const codes = async () =>
    (await relay.sent()).flatMap((text) => /(\d{6}) is your code/.exec(text)?.[1] ?? []);
  for (let i = 0; i < 7; i++) await members.send('/account/phone', {}, headers);
  const sent = await codes();
  expect(sent).toHaveLength(5);
  const guesses = ['000001', '000002', '000003', '000004', '000005'].filter(
    (one) => !sent.includes(one),
  );
  await Promise.all(
    [...guesses, ...guesses, ...guesses, ...guesses, ...guesses].map((code) =>
      members.send('/account/phone/confirm', { code }, headers),
    ),
  );
  const { rows } = await fixture.store.database.query(
    'select max(tries) as most from account_codes',
  );
  expect(rows[0].most).toBeLessThanOrEqual(5);
  relay.close();
});

test('An administrator acts as a member by a link of the console, with a reason, and everything is recorded', async () => {
  const { fixture } = opened;
  const admin = await fixture.newAdministrator();
  const staff = await fixture.newStaff();
  const user = await fixture.newAffiliate();
  const ask = (body: object) => admin.session.post('/me/account-link', body);
  expect((await ask({ user_id: user.id })).status).toBe(400);
  expect((await ask({ user_id: staff.id, reason: 'Help' })).status).toBe(403);
  const member = await fixture.store.session(user.id);
  expect((await member.post('/me/account-link', { user_id: user.id, reason: 'x' })).status).toBe(
    403,
  );
  const reply = await ask({ user_id: user.id, reason: 'Asked for help' });
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  const headers = await members.enter(reply.body.data.url);
  expect((await members.open('/account', headers)).text).toContain('You are acting as');
  await members.send('/account/details', { ...details, phone: '' }, headers);
  const late = await members.send('/account/bank', bank, headers);
  expect(late.headers.get('location')).toContain('said=fresh');
  const { rows } = await fixture.store.database.query(
    `select operation, actor_id::int, user_id::int, reason from audit_log
      where user_id = $1 order by id`,
    [user.id],
  );
  expect(rows).toEqual([
    {
      operation: 'shop.accountActAs',
      actor_id: admin.id,
      user_id: user.id,
      reason: 'Asked for help',
    },
    { operation: 'shop.accountEnter', actor_id: admin.id, user_id: user.id, reason: null },
    { operation: 'shop.accountDetailsSave', actor_id: admin.id, user_id: user.id, reason: null },
  ]);
  await fixture.store.database.query(`update users set roles = '{member}' where id = $1`, [
    admin.id,
  ]);
  expect((await members.open('/account', headers)).text).not.toContain('You are acting as');
  expect(linkIn(reply.body.data.url)).toMatch(/^svcenter_/);
});
