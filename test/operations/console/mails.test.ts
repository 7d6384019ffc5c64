import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { type ApiClient, fromConsole } from '../../harness/client.ts';
import { usePost } from '../messages/post.ts';

const opened = usePost(['resend']);
const root = '//console/api';
let owner: User;

beforeAll(() => opened.post.silence('welcome'));

beforeEach(async () => {
  const { post } = opened;
  await post.store.settled();
  await post.store.database.query('delete from message_senders');
  ({ ...owner } = await post.fixture.newAdministrator());
});

const anybody = () => opened.post.store.client(fromConsole());
const withCookie = (cookie: string) => opened.post.store.client(fromConsole(cookie));
const arrived = () => opened.post.sender().sent();

/** Returns the mails that some work causes, once they are sent. */
async function sentBy(work: () => Promise<unknown>) {
  const before = arrived().length;
  await work();
  await opened.post.store.settled();
  return arrived().slice(before);
}

const ask = (email: string) => anybody().post(`${root}/links/request`, { email });
const linkIn = ({ text }: { text: string }) => /#link=(svclink_\w+)/.exec(text)?.[1] ?? '';
const codeIn = ({ text }: { text: string }) => /^(\d{6})$/m.exec(text)?.[1] ?? '';
/** Changes the address of the owner, as another administrator. */
async function changeAddress(email: string) {
  const { id } = await opened.post.fixture.newAdministrator();
  const client = withCookie(await opened.post.store.consoleSession(id));
  expect((await client.patch(`${root}/v1/users/${owner.id}`, { email })).status).toBe(200);
}
const signIn = (link: string) => anybody().post(`${root}/session`, { link });

describe('A link by e-mail', () => {
  test('signs its recipient in, and informs them', async () => {
    expect((await anybody().get(`${root}/sign-in`)).body.data).toEqual({ by_mail: true });
    const [mail, ...others] = await sentBy(() => ask(owner.email.toUpperCase()));
    expect(mail).toMatchObject({ to: owner.email, subject: 'Your sign-in link for Toko Kue' });
    expect(others).toEqual([]);
    expect(mail?.html).toContain(`<a href="https://shop.example/console/#link=svclink_`);
    const link = linkIn(mail ?? { text: '' });
    const [notice] = await sentBy(async () => {
      expect(await signIn(link)).toMatchObject({ status: 201, trips: 2 });
    });
    expect(notice).toMatchObject({ to: owner.email, subject: 'You signed in to Toko Kue' });
    expect((await signIn(link)).status).toBe(401);
  });

  test('is found only in the mail: not in the log, an event or a table, and it is not sent again', async () => {
    const { post } = opened;
    await post.listen();
    const [mail] = await sentBy(() => ask(owner.email));
    const link = linkIn(mail ?? { text: '' });
    const [message] = await post.log(`user_id=${owner.id}&kind=sign-in-link`);
    expect(message?.text).toContain('[sign-in link]');
    expect(JSON.stringify(message)).not.toContain('svclink_');
    const { rows: tables } = await post.store.database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const { rows } = await post.store.database.query(
        `select from ${name} r where strpos(to_jsonb(r)::text, $1) > 0`,
        [link],
      );
      expect(rows, name).toEqual([]);
    }
    const refused = { status: 409, body: { code: 'message_of_sign_in' } };
    expect(await post.fixture.api.post(`/messages/${message?.id}/resend`)).toMatchObject(refused);
    expect(await post.fixture.api.post(`/messages/${message?.id}/cancel`)).toMatchObject(refused);
    expect((await signIn(link)).status).toBe(201);
  });

  test('is the same in a retry after an unknown outcome', async () => {
    const { post } = opened;
    post.sender().fail('lost');
    const [mail] = await sentBy(() => ask(owner.email));
    // Its sender refuses another text under the same key.
    await post.later(60);
    const [message] = await post.log(`user_id=${owner.id}&kind=sign-in-link`);
    expect(message).toMatchObject({ status: 'sent', attempts: 2 });
    expect((await signIn(linkIn(mail ?? { text: '' }))).status).toBe(201);
  });

  test('is not sent after it expired', async () => {
    const { post } = opened;
    post.sender().refuse('temporary', 700);
    await ask(owner.email);
    await post.later(701);
    const log = await post.log(`user_id=${owner.id}&kind=sign-in-link`);
    expect(log).toMatchObject([{ status: 'cancelled' }]);
  });

  test('is sent to a person at most three times within an hour; further requests leave those links valid', async () => {
    const mails = await sentBy(async () => {
      for (let n = 0; n < 10; n++) expect((await ask(owner.email)).status).toBe(202);
    });
    expect(mails).toHaveLength(3);
    for (const mail of mails) expect((await signIn(linkIn(mail))).status).toBe(201);
    await opened.post.store.settled();
    opened.post.store.clock.advance(3601);
    expect(await sentBy(() => ask(owner.email))).toHaveLength(1);
  });

  test.each(['sent', 'waiting for a retry'])(
    'that is %s when the address of its recipient changes signs nobody in',
    async (state) => {
      const { post } = opened;
      if (state !== 'sent') post.sender().refuse('temporary', 60);
      const [first] = await sentBy(() => ask(owner.email));
      expect(first !== undefined).toBe(state === 'sent');
      const email = `moved-${owner.email}`;
      await changeAddress(email);
      const [retried] = await sentBy(() => post.later(61));
      expect((await signIn(linkIn(first ?? retried ?? { text: '' }))).status).toBe(401);
      const [next] = await sentBy(() => ask(email));
      expect(next?.to).toBe(email);
      expect((await signIn(linkIn(next ?? { text: '' }))).status).toBe(201);
    },
  );

  test('is counted correctly for parallel requests', async () => {
    const mails = await sentBy(() =>
      Promise.all(Array.from({ length: 8 }, () => ask(owner.email))),
    );
    expect(mails).toHaveLength(3);
  });

  test('gets the same answer for every address, before anything is looked up', async () => {
    const { fixture } = opened.post;
    const member = await fixture.newUser();
    const blocked = await fixture.newStaff();
    await opened.post.store.database.query(`update users set status = 'blocked' where id = $1`, [
      blocked.id,
    ]);
    const answers: unknown[] = [];
    const { neon } = opened.post.store;
    for (const email of [owner.email, member.email, blocked.email, 'nobody@people.example']) {
      await opened.post.store.settled();
      const reply = await ask(email);
      expect(reply).toMatchObject({ status: 202, trips: 0 });
      answers.push(reply.body);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    // The work after the answer is equal for everybody who gets no mail.
    const tripsOf = async (email: string) => {
      await opened.post.store.settled();
      const before = neon.trips.total;
      await ask(email);
      await opened.post.store.settled();
      return neon.trips.total - before;
    };
    expect(await tripsOf(member.email)).toBe(await tripsOf('nobody@people.example'));
    const to = arrived().map((mail) => mail.to);
    for (const other of [member, blocked]) expect(to).not.toContain(other.email);
  });

  test('is sent only to a valid address', async () => {
    expect((await ask('nonsense')).status).toBe(400);
  });
});

describe('A link for somebody else', () => {
  let client: ApiClient;
  beforeEach(async () => {
    client = withCookie(await opened.post.store.consoleSession(owner.id));
  });

  test('goes to that person, and is shown to nobody', async () => {
    const helper = await opened.post.fixture.newStaff(1);
    const [mail] = await sentBy(async () => {
      const reply = await client.post(`${root}/links`, { user_id: helper.id });
      expect(reply).toMatchObject({ status: 202, body: { data: { sent: true } } });
      expect(JSON.stringify(reply.body)).not.toContain('svclink_');
    });
    expect(mail?.to).toBe(helper.email);
    const session = await signIn(linkIn(mail ?? { text: '' }));
    expect(session.body.data.user).toMatchObject({
      role: 'staff',
      staff_role: { id: 1, name: 'Orders' },
    });
  });

  test('requires a person with a role, a fresh sign-in, and fewer than three links within the hour', async () => {
    const { fixture } = opened.post;
    const link = (user_id: number) => client.post(`${root}/links`, { user_id });
    expect((await link((await fixture.newUser()).id)).status).toBe(403);
    expect((await link(999_999)).status).toBe(404);
    const helper = await fixture.newStaff(1);
    for (let n = 0; n < 3; n++) expect((await link(helper.id)).status).toBe(202);
    expect(await link(helper.id)).toMatchObject({ body: { code: 'svc_console_mail_limit' } });
    const theirs = withCookie(await opened.post.store.consoleSession(helper.id));
    expect((await theirs.post(`${root}/links`, { user_id: owner.id })).status).toBe(403);
    opened.post.store.clock.advance(601);
    expect(await link(helper.id)).toMatchObject({ body: { code: 'svc_console_sign_in_again' } });
  });
});

describe('A code', () => {
  let client: ApiClient;
  const send = (by = client) => by.post(`${root}/session/code`);
  const enter = (code: string, by = client) => by.post(`${root}/session/renew`, { code });
  const invalid = { status: 409, body: { code: 'svc_console_code_invalid' } };

  beforeEach(async () => {
    client = withCookie(await opened.post.store.consoleSession(owner.id));
    opened.post.store.clock.advance(601);
  });

  const newCode = async () => {
    const [mail] = await sentBy(async () => {
      expect(await send()).toMatchObject({ status: 202, trips: 2 });
    });
    return codeIn(mail ?? { text: '' });
  };
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test('makes the session fresh again, once', async () => {
    const key = { name: 'Mine', scopes: ['orders:read'] };
    const make = () => client.post(`${root}/v1/keys`, key);
    expect(await make()).toMatchObject({ body: { code: 'svc_console_sign_in_again' } });
    const code = await newCode();
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await enter(spaced)).toMatchObject({ status: 200, trips: 2 });
    expect((await make()).status).toBe(201);
    expect(await enter(code)).toMatchObject(invalid);
    const [message] = await opened.post.log(`user_id=${owner.id}&kind=sign-in-code`);
    expect(message?.text).toContain('[sign-in code]');
  });

  test('allows five tries, however many arrive at once', async () => {
    const code = await newCode();
    const tried = await Promise.all(Array.from({ length: 9 }, () => enter(wrong(code))));
    for (const reply of tried) expect(reply).toMatchObject(invalid);
    expect(await enter(code)).toMatchObject(invalid);
    expect((await enter(await newCode())).status).toBe(200);
  });

  test('is valid for its session only, for ten minutes, until the next code', async () => {
    const other = withCookie(await opened.post.store.consoleSession(owner.id));
    const first = await newCode();
    expect(await enter(first, other)).toMatchObject(invalid);
    const second = await newCode();
    if (first !== second) expect(await enter(first)).toMatchObject(invalid);
    opened.post.store.clock.advance(600);
    expect(await enter(second)).toMatchObject(invalid);
  });

  test('is void once the address that it was sent to was changed', async () => {
    const code = await newCode();
    await changeAddress(`left-${owner.email}`);
    expect(await enter(code)).toMatchObject(invalid);
    expect((await enter(await newCode())).status).toBe(200);
  });

  test('is sent at most five times within an hour', async () => {
    for (let n = 0; n < 5; n++) expect((await send()).status).toBe(202);
    expect(await send()).toMatchObject({ status: 409, body: { code: 'svc_console_mail_limit' } });
  });
});
