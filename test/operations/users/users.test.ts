import { describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

const create = (body: object) => opened.fixture.api.post('/users', body);
const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  opened.fixture.api.patch(`/users/${id}`, body, { headers });

describe('A new user', () => {
  test('needs an e-mail address only, and is a member', async () => {
    const at = opened.fixture.store.clock.now().toISOString();
    const reply = await create({ email: 'only@mail.example' });
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    expect(reply.body.data).toMatchObject({
      id: expect.any(Number),
      email: 'only@mail.example',
      display_name: `User ${reply.body.data.id}`,
      phone: '',
      first_name: '',
      last_name: '',
      address: '',
      postal_code: '',
      country: '',
      affiliate_id: null,
      bank_info: '',
      roles: ['member'],
      capabilities: [],
      can_affiliate: false,
      can_affiliate_coupon: false,
      is_admin: false,
      status: 'active',
      meta: {},
      external_ids: {},
      created_at: at,
      updated_at: at,
      version: 1,
    });
    const missing = await create({});
    expect(missing).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    expect(Object.keys(missing.body.data.params)).toEqual(['email']);
  });

  test('is shown by its available names, until a display name is chosen', async () => {
    const { id, display_name } = await opened.fixture.newUser({ email: 'dewi.k@mail.example' });
    expect(display_name).toBe(`User ${id}`);
    const app = await opened.fixture.store.session(id);
    const named = await app.patch('/me/profile', { first_name: 'Dewi' });
    expect(named.body.data.display_name).toBe('Dewi');
    expect((await patch(id, { last_name: 'K.' })).body.data.display_name).toBe('Dewi K.');
    const chosen = await patch(id, { display_name: 'Kartika', first_name: 'Dewi Ayu' });
    expect(chosen.body.data.display_name).toBe('Kartika');
    const later = await app.patch('/me/profile', { first_name: 'Ayu' });
    expect(later.body.data.display_name).toBe('Kartika');
    for (const unseen of ['', ' \u200b']) {
      const back = await patch(id, { display_name: unseen });
      expect(back.body.data.display_name).toBe('Ayu K.');
    }
  });

  test('has all given values, and is read as it was returned', async () => {
    const { fixture } = opened;
    const sponsor = await fixture.newUser();
    const fields = {
      email: 'all@mail.example',
      phone: '0812',
      first_name: 'A',
      last_name: 'B',
      display_name: 'Ab',
      address: 'Street 1',
      postal_code: '10110',
      country: 'ID',
      affiliate_id: sponsor.id,
      bank_info: 'BCA 1',
      status: 'blocked',
      meta: { a: [1] },
      roles: ['affiliate', 'member'],
      external_ids: {
        crm: 'x-1',
        app: '7',
      },
    };
    const user = await fixture.newUser(fields);
    expect(user).toMatchObject({ ...fields, can_affiliate: false, capabilities: ['upload_files'] });
    expect(await fixture.user(user.id)).toEqual(user);
    expect(await patch(user.id, { status: 'active' })).toMatchObject({
      body: { data: { can_affiliate: true, can_affiliate_coupon: true } },
    });
  });

  test('is refused with invalid values', async () => {
    const email = 'fits@mail.example';
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, 'x']));
    const wrong = {
      email: ['', 'x', 'a@b@c.example', null, `${'x'.repeat(250)}@a.example`],
      phone: [null, 1, 'x'.repeat(33), 'a\0b', '\ud800'],
      country: ['id', 'IDN', null],
      affiliate_id: ['1', 0, 1.5],
      roles: ['member', ['owner'], null],
      status: ['anonymised', ''],
      external_ids: [{ '': 'x' }, { crm: '' }, { crm: 1 }, many],
      meta: [[], null, { a: 'x'.repeat(17_000) }],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const reply = await create({ email, [name]: value });
        expect(reply, `${name} ${JSON.stringify(value)}`.slice(0, 80)).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param' },
        });
        const [param = ''] = Object.keys(reply.body.data.params);
        expect(param.split('.')[0]).toBe(name);
      }
    }
    const unknown = await create({ email, affiliate_id: 999_999 });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    expect(Object.keys(unknown.body.data.params)).toEqual(['affiliate_id']);
  });
});

describe('An e-mail address', () => {
  test('belongs to one user only, whatever its case', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser({ email: 'Case@Mail.Example' });
    expect(user.email).toBe('case@mail.example');
    const other = await fixture.newUser();
    for (const reply of [
      await create({ email: 'CASE@mail.example' }),
      await patch(other.id, { email: 'cAse@mail.example' }),
    ]) {
      expect(reply).toMatchObject({ status: 409, trips: 1, body: { code: 'user_email_exists' } });
    }
    expect((await patch(user.id, { email: 'CASE@MAIL.EXAMPLE' })).status).toBe(200);
    await fixture.api.delete(`/users/${user.id}`);
    expect((await create({ email: 'case@mail.example' })).status).toBe(201);
  });

  test('is taken with every character that RFC 5321 allows, and read back as it is stored', async () => {
    const { fixture } = opened;
    const local = "a!b#c$d%e&f'g*h+i-j/k=l?m^n_o`p{q|r}s~t.u";
    const email = `${local}@xn--e1afmkfd.xn--p1ai`;
    const { id } = await fixture.newUser({ email });
    const found = await fixture.api.get(`/users/lookup?email=${encodeURIComponent(email)}`);
    expect(found.body.data).toMatchObject({ id, email });
    const searched = await fixture.api.get(`/users?search=${encodeURIComponent(email)}`);
    expect(searched.body.data).toMatchObject([{ id, email }]);
    const moved = await patch(id, { email: 'q=r@shop.example' });
    expect(moved.body.data.email).toBe('q=r@shop.example');
  });

  test.each([
    'a@mail.example, b@mail.example',
    'a@mail.example;b@mail.example',
    'a@mail.example\r\nBcc: b@mail.example',
    'Name <a@mail.example>',
    '"a b"@mail.example',
    'a@[192.0.2.1]',
    'a@localhost',
  ])('is refused if it is invalid: %j', async (email) => {
    const other = await opened.fixture.newUser();
    for (const reply of [await create({ email }), await patch(other.id, { email })]) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params)).toEqual(['email']);
    }
  });

  test('that is already used stays refused under an Idempotency-Key', async () => {
    const { fixture } = opened;
    const { id, email } = await fixture.newUser();
    const headers = { 'idempotency-key': 'taken' };
    expect((await fixture.api.post('/users', { email }, { headers })).status).toBe(409);
    await fixture.api.delete(`/users/${id}`);
    const replayed = await fixture.api.post('/users', { email }, { headers });
    expect(replayed).toMatchObject({ status: 409, body: { code: 'user_email_exists' } });
  });
});

describe('External ids', () => {
  test('belong to one user only within a provider, and are replaced together', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser({ external_ids: { crm: 'c-1', app: 'a-1' } });
    const other = await fixture.newUser({ external_ids: { crm: 'c-2', web: 'c-1' } });
    for (const reply of [
      await create({ email: 'ext@mail.example', external_ids: { crm: 'c-1' } }),
      await patch(other.id, { external_ids: { web: 'c-1', app: 'a-1' } }),
    ]) {
      const body = { code: 'user_external_id_exists' };
      expect(reply).toMatchObject({ status: 409, trips: 1, body });
    }
    const same = await patch(user.id, { external_ids: { crm: 'c-1' } });
    expect(same.body.data.external_ids).toEqual({ crm: 'c-1' });
    expect((await patch(other.id, { external_ids: { app: 'a-1' } })).status).toBe(200);
    expect((await patch(user.id, { phone: '1' })).body.data.external_ids).toEqual({ crm: 'c-1' });
  });
});

describe('An update', () => {
  test('changes the fields it names, by each of three methods, and checks the version on request', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser({ first_name: 'A', meta: { a: 1 } });
    fixture.store.clock.advance(60);
    const updated_at = fixture.store.clock.now().toISOString();
    const put = await fixture.api.put(`/users/${user.id}`, { first_name: 'B', id: 1, group: 2 });
    expect(put).toMatchObject({ status: 200, trips: 2 });
    expect(put.body).toEqual({
      success: true,
      data: { ...user, first_name: 'B', display_name: 'B', updated_at, version: 2 },
      meta: { ignored_fields: ['id', 'group'] },
    });
    await fixture.api.post(`/users/${user.id}`, { meta: {} });
    expect(await fixture.user(user.id)).toMatchObject({ first_name: 'B', meta: {}, version: 3 });
    const late = await patch(user.id, { first_name: 'C' }, { 'if-match': '2' });
    expect(late).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await patch(user.id, { first_name: 'C' }, { 'if-match': '3' })).status).toBe(200);
    expect((await patch(999_999, {})).body.code).toBe('rest_not_found');
  });
});
