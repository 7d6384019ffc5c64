import { beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import type { Reply } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

function expectInvalid(reply: Reply, param: string) {
  expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  expect(Object.keys(reply.body.data.params)).toEqual([param]);
}

describe('A lookup', () => {
  let user: User;
  beforeAll(async () => {
    user = await opened.fixture.newUser({
      email: 'look@mail.example',
      phone: '0999',
      external_ids: {
        crm: 'look-1',
        app: 'look-2',
      },
    });
  });
  const lookUp = (query: string) => opened.fixture.api.get(`/users/lookup?${query}`);

  test('finds a user by id, e-mail address, phone or external id', async () => {
    const queries = [
      `id=${user.id}`,
      'email=LOOK@mail.example',
      'phone=0999&email=',
      'external_id=look-1&provider=crm',
    ];
    for (const query of queries) {
      const reply = await lookUp(query);
      expect(reply, query).toMatchObject({ status: 200, trips: 1 });
      expect(reply.body.data).toEqual(user);
    }
  });

  test('finds nobody without a match', async () => {
    const { fixture } = opened;
    const gone = await fixture.newUser({ phone: '0998' });
    await fixture.api.delete(`/users/${gone.id}`);
    const queries = [
      'id=999999',
      `id=${gone.id}`,
      'email=nobody@mail.example',
      'phone=0998',
      'phone=%20-',
      'external_id=look-1&provider=app',
      'external_id=none&provider=crm',
    ];
    for (const query of queries) {
      expect(await lookUp(query), query).toMatchObject({
        status: 404,
        body: { code: 'rest_not_found' },
      });
    }
  });

  test('refuses a phone that several users share', async () => {
    const { fixture } = opened;
    await fixture.newUser({ phone: '0997' });
    expect((await lookUp('phone=0997')).status).toBe(200);
    await fixture.newUser({ phone: '0997' });
    const reply = await lookUp('phone=0997');
    expect(reply).toMatchObject({ status: 409, body: { code: 'rest_ambiguous' } });
  });

  test('finds a phone in every spelling of the country, and no other', async () => {
    const { fixture } = opened;
    await fixture.set('country', 'ID');
    const owner = await fixture.newAffiliate({ phone: '0813 1111-2222 ext 3' });
    // These end with the same digits, in another country and another network.
    await fixture.newUser({ phone: '+65 813 1111 2222' });
    await fixture.newUser({ phone: '0857 1111 2222' });
    try {
      for (const phone of ['081311112222', '+62 813-1111-2222', '6281311112222', '81311112222']) {
        const query = `phone=${encodeURIComponent(phone)}`;
        const reply = await lookUp(query);
        expect(reply, phone).toMatchObject({ status: 200, trips: 1, body: { data: owner } });
        const affiliate = await fixture.api.get(`/affiliates/lookup?${query}`);
        expect(affiliate, phone).toMatchObject({
          ...{ status: 200, trips: 1, body: { data: { affiliate_id: owner.id } } },
        });
      }
      expect((await lookUp('phone=0814 1111 2222')).status).toBe(404);
      await fixture.newUser({ phone: '+62 (0)813 1111 2222' });
      expect((await lookUp('phone=081311112222')).body.code).toBe('rest_ambiguous');
    } finally {
      await fixture.set('country', '');
    }
    expect((await lookUp('phone=%2B62813111 12222')).body.data.phone).toBe('+62 (0)813 1111 2222');
  });

  test('takes exactly one of these parameters', async () => {
    expectInvalid(await lookUp('id=1&email=a@b.example'), 'email');
    expectInvalid(await lookUp('email=a@b.example&phone=1'), 'phone');
    expectInvalid(await lookUp('email=%00'), 'email');
    const any = { id: 'give exactly one of id, email, phone, external_id' };
    for (const [query, params] of [
      ['', any],
      ['email=', any],
      ['external_id=x', { provider: 'is required with external_id' }],
    ] as const) {
      expect(await lookUp(query), query).toMatchObject({
        status: 400,
        body: { code: 'rest_missing_callback_param', data: { params } },
      });
    }
  });
});
