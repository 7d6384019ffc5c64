import { beforeAll, describe, expect, test } from 'vitest';
import { expireSubscriptions, resumePaused } from '../../../src/jobs/expire-subscriptions.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useClubs } from './stage.ts';

const { fixture, at, user, newClub, buy, tryToBuy, move, subscriptions, access } = useClubs();

const licence = { active: true, count: 1, expires_days: 365, max_resets: 3 };

const current = async () => {
  const { body } = await fixture().api.get(`/subscriptions?user_id=${user()}`);
  return body.data[0];
};

const send = async (id: number, action: string, body: object = {}) =>
  fixture().api.post(`/subscriptions/${id}${action}`, body);

const events = async (id: number) => {
  const { rows } = await fixture().store.database.query<{ event: string }>(
    `select event from outbox where object_id = $1 and event like 'subscription.%' order by id`,
    [id],
  );
  return rows.map(({ event }) => event.slice('subscription.'.length));
};

beforeAll(async () => {
  const hook = { name: 'All', url: 'https://hooks.example/all', events: ['subscription.*'] };
  expect((await fixture().api.post('/webhooks', hook)).status).toBe(201);
});

describe('Subscriptions', () => {
  test('are listed by status, product, user and end, and shown with their chain', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    const { id } = await current();
    const list = async (query: string) => {
      const { body } = await fixture().api.get(`/subscriptions?product_id=${club}&${query}`);
      return body.data.length;
    };
    expect(await list('status=active')).toBe(1);
    expect(await list('status=expired')).toBe(0);
    expect(await list('ends_before=2026-02-28T10:00:00Z')).toBe(0);
    expect(await list('ends_after=2026-02-28T10:00:00Z')).toBe(1);
    at('2026-03-01T10:00:00Z');
    expect(await list('status=active')).toBe(0);
    expect(await list('status=expired')).toBe(1);
    const reply = await fixture().api.get(`/subscriptions/${id}`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    expect(reply.body.data).toMatchObject({
      user: { id: user() },
      status: 'expired',
      renewable: true,
      orders: [{ id: first.id }, { id: renewal.id, status: 'on-hold' }],
      terms: [{ order_id: first.id }, { order_id: renewal.id, activated_at: null }],
    });
  });

  test('raise the event of their end once, also if they are changed before the job comes', async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    at('2026-03-01T10:00:00Z');
    expect(await fixture().api.patch(`/subscriptions/${id}`, { note: 'Called.' })).toMatchObject({
      status: 200,
      body: { data: { status: 'expired' } },
    });
    await expireSubscriptions(await fixture().store.services());
    expect(await events(id)).toEqual(['active', 'expired', 'updated']);
  });

  test.each([
    ['patched', ['active', 'cancelled', 'expired', 'updated'], { note: 'Called.' }],
    ['left to the job', ['active', 'cancelled', 'expired'], undefined],
  ])('that end by a cancellation raise both events if they are %s', async (_, told, patch) => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/cancel', { at: 'end' });
    at('2026-03-01T10:00:00Z');
    if (patch) await fixture().api.patch(`/subscriptions/${id}`, patch);
    await expireSubscriptions(await fixture().store.services());
    expect(await events(id)).toEqual(told);
  });

  test('that are cancelled at once raise no event of an end', async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/cancel', { at: 'now' });
    expect(await events(id)).toEqual(['active', 'cancelled']);
  });

  test('that end while they are paused raise the event of their end with the pause', async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/pause', { until: '2026-02-10T10:00:00Z' });
    await send(id, '/cancel', { at: 'end' });
    at('2026-06-01T10:00:00Z');
    await resumePaused(await fixture().store.services());
    await expireSubscriptions(await fixture().store.services());
    expect(await events(id)).toEqual(['active', 'paused', 'cancelled', 'resumed', 'expired']);
  });

  test('open content after days with access: days after an end, and paused days, do not count', async () => {
    const club = await newClub();
    const lesson = { title: 'Lesson', product_ids: [club], drip_day: 40 };
    const { body: content } = await fixture().api.post('/access/content', lesson);
    const check = async () => {
      const path = `/access/content/${content.data.id}/check?user_id=${user()}`;
      const { reason, detail } = (await fixture().api.get(path)).body;
      return [reason, detail.start_day, detail.start];
    };
    const first = await buy(club, { status: 'completed' });
    // The first month has 28 days.
    at('2026-06-28T10:00:00Z');
    expect(await check()).toEqual(['expired', 28, '2026-01-31T10:00:00.000Z']);
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await check()).toEqual(['drip-content', 28, '2026-05-31T10:00:00.000Z']);
    at('2026-07-03T10:00:00Z');
    const { id } = await current();
    await send(id, '/pause');
    at('2027-07-03T10:00:00Z');
    expect(await check()).toEqual(['revoked', 33, '2026-05-31T10:00:00.000Z']);
    await send(id, '/resume');
    expect(await check()).toEqual(['drip-content', 33, '2027-05-31T10:00:00.000Z']);
    // A further term without a gap.
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await check()).toEqual(['drip-content', 33, '2027-05-31T10:00:00.000Z']);
    at('2027-07-10T10:00:00Z');
    expect(await check()).toEqual(['ok', 40, '2027-05-31T10:00:00.000Z']);
    await expectIntegrity(fixture());
  });

  test('that are paused give no access, and the remaining time once they are resumed', async () => {
    const club = await newClub({}, { license: licence });
    await buy(club, { status: 'completed' });
    const { id } = await current();
    const { body: licences } = await fixture().api.get(`/licenses?product_id=${club}&reveal=true`);
    const { code, expires_at } = licences.data[0];
    const verdict = async () =>
      (await fixture().api.post('/licenses/status', { license: code })).body.code;
    at('2026-02-10T10:00:00Z');
    expect(await send(id, '/pause')).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { status: 'paused', end_date: null, days_left: 18 } },
    });
    expect(await access(club)).toMatchObject({ reason: 'revoked' });
    expect(await verdict()).toBe('SUBSCRIPTION_INACTIVE');
    expect(await send(id, '/pause')).toMatchObject({ body: { code: 'subscription_paused' } });
    await expectIntegrity(fixture());
    at('2026-04-10T10:00:00.123Z');
    expect(await send(id, '', { end_date: '2026-07-01T00:00:00Z' })).toMatchObject({
      body: { code: 'subscription_paused' },
    });
    expect(await send(id, '/resume')).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { status: 'active', end_date: '2026-04-28T10:00:00.123Z', days_left: 18 } },
    });
    expect(await access(club)).toMatchObject({
      reason: 'ok',
      detail: { start: '2026-03-31T10:00:00.123Z', end_active: '2026-04-28T10:00:00.123Z' },
    });
    expect(await verdict()).toBe('VALID');
    const { body } = await fixture().api.get(`/licenses/by-code/${code}`);
    expect(Date.parse(body.data.expires_at) - Date.parse(expires_at)).toBe(59 * 86_400_000 + 123);
    expect(await send(id, '/resume')).toMatchObject({ body: { code: 'nothing_to_resume' } });
    expect(await events(id)).toEqual(['active', 'paused', 'resumed']);
    await expectIntegrity(fixture());
  });

  test.each(['refunded', 'hidden'])(
    'that are %s during a pause give no access, whatever is changed later',
    async (how) => {
      const club = await newClub();
      const order = await buy(club, { status: 'completed' });
      const { id } = await current();
      await send(id, '/pause');
      const path = `/orders/${order.id}`;
      if (how === 'hidden') await fixture().api.delete(path);
      else await fixture().api.post(`${path}/refunds`, {});
      await fixture().api.patch(`/subscriptions/${id}`, { next_price: 500 });
      expect((await access(club)).reason).toBe('revoked');
      await expectIntegrity(fixture());
    },
  );

  test('whose access is revoked by hand during a pause stay without it once they are resumed', async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/pause');
    const { body } = await fixture().api.get(`/access?user_id=${user()}`);
    expect((await fixture().api.delete(`/access/${body.data[0].id}`)).status).toBe(200);
    expect((await send(id, '/resume')).status).toBe(200);
    expect((await access(club)).reason).not.toBe('ok');
    await expectIntegrity(fixture());
  });

  test('whose access version 0.1.0 revoked by hand during a pause stay without it once they are resumed', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/pause');
    const text = 'update access_grants set deleted_at = revoked_at where order_id = $1';
    await fixture().store.database.query(text, [first.id]);
    expect((await send(id, '/resume')).status).toBe(200);
    expect((await access(club)).reason).toBe('revoked');
    await expectIntegrity(fixture());
  });

  test('can be resumed after their user was erased during the pause', async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/pause');
    expect((await fixture().api.delete(`/users/${user()}?force=true`)).status).toBe(200);
    expect((await send(id, '/resume')).status).toBe(200);
    await expectIntegrity(fixture());
  });

  test('whose user version 0.1.0 erased during the pause stay without access, and pass the integrity check', async () => {
    const club = await newClub();
    const { id: order_id } = await buy(club, { status: 'completed' });
    const { id } = await current();
    await send(id, '/pause');
    expect((await fixture().api.delete(`/users/${user()}?force=true`)).status).toBe(200);
    const text = 'update access_grants set revoke_reason = null where order_id = $1';
    await fixture().store.database.query(text, [order_id]);
    expect((await send(id, '/resume')).status).toBe(200);
    await expectIntegrity(fixture());
  });

  test('that are renewed during a pause have both times left, and months count from the moved end', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const { id } = await current();
    at('2026-02-10T10:00:00Z');
    await send(id, '/pause', { until: '2026-03-13T10:00:00Z' });
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await current()).toMatchObject({
      status: 'paused',
      resumes_at: '2026-03-13T10:00:00.000Z',
      end_date: '2026-05-01T10:00:00.000Z',
    });
    await expectIntegrity(fixture());
    at('2026-03-13T10:00:20Z');
    await resumePaused(await fixture().store.services());
    // 31 March, which the pause moved by 31 days.
    expect(await current()).toMatchObject({
      status: 'active',
      end_date: '2026-05-01T10:00:00.000Z',
    });
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await current()).toMatchObject({ end_date: '2026-06-01T10:00:00.000Z' });
    expect(await access(club)).toMatchObject({ reason: 'ok' });
    await expectIntegrity(fixture());
  });

  test('that are cancelled at their end continue until then, and none of their renewals is left', async () => {
    const club = await newClub({}, { stock: 5 });
    const first = await buy(club, { status: 'completed' });
    const renewals = [];
    for (let i = 0; i < 3; i++) renewals.push(await buy(club, { order_parent_id: first.id }));
    const { id } = await current();
    const reply = await send(id, '/cancel', { at: 'end', reason: 'Too expensive' });
    expect(reply.body.data).toMatchObject({
      status: 'active',
      renewable: false,
      cancel_reason: 'Too expensive',
      scheduled: [{ change: 'cancel', at: '2026-02-28T10:00:00.000Z', by: 'store' }],
    });
    for (const renewal of renewals) {
      const { body } = await fixture().api.get(`/orders/${renewal.id}`);
      expect(body.data.status).toBe('cancelled');
      expect(
        await fixture().api.patch(`/orders/${renewal.id}`, { status: 'on-hold' }),
      ).toMatchObject({
        status: 409,
        body: { code: 'subscription_not_renewable' },
      });
    }
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      body: { code: 'subscription_not_renewable' },
    });
    expect(await access(club)).toMatchObject({ reason: 'ok' });
    expect(await send(id, '/cancel', { at: 'end' })).toMatchObject({ status: 200 });
    at('2026-03-01T10:00:00Z');
    expect(await subscriptions()).toMatchObject([{ status: 'cancelled', scheduled: [] }]);
    expect(await send(id, '/resume')).toMatchObject({ body: { code: 'nothing_to_resume' } });
    expect(await access(club)).toMatchObject({ reason: 'expired' });
    expect(await events(id)).toEqual(['active', 'cancelled']);
    await expectIntegrity(fixture());
  });

  test('that are cancelled now give no more access, unless a payment for them is being checked', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    const { id } = await current();
    await fixture().api.patch(`/orders/${renewal.id}`, { status: 'payment-confirm' });
    at('2026-02-05T10:00:00Z');
    expect(await send(id, '/cancel', { at: 'now' })).toMatchObject({
      status: 409,
      body: { code: 'subscription_payment_pending', data: { order_id: renewal.id } },
    });
    await fixture().api.patch(`/orders/${renewal.id}`, { status: 'on-hold' });
    const reply = await send(id, '/cancel', { at: 'now' });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { status: 'cancelled', end_date: '2026-02-05T10:00:00.000Z' } },
    });
    expect(await access(club)).toMatchObject({ reason: 'expired' });
    expect(await send(id, '/cancel', { at: 'now' })).toMatchObject({
      body: { code: 'subscription_over' },
    });
    await expectIntegrity(fixture());
  });

  test('that were cancelled do not start again because their first order is reopened', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    await move(first, 'in-progress');
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(first, 'cancelled');
    const { id } = await current();
    expect(await send(id, '/cancel', { at: 'now' })).toMatchObject({ status: 200 });
    expect(await fixture().api.patch(`/orders/${first.id}`, { status: 'on-hold' })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable' },
    });
    expect(await current()).toMatchObject({ status: 'cancelled' });
  });

  test('have an end set by hand, a price of their own and a note, and further terms count from there', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const { id, version } = await current();
    const changes = { end_date: '2026-03-15T10:00:00Z', next_price: 40_000, note: 'Promised.' };
    const reply = await send(id, '', changes);
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: {
        data: {
          ...changes,
          end_date: '2026-03-15T10:00:00.000Z',
          renew_price: 40_000,
          version: version + 1,
          scheduled: [{ change: 'price', price: 40_000 }],
        },
      },
    });
    expect(await access(club)).toMatchObject({
      detail: { end_active: '2026-03-15T10:00:00.000Z' },
    });
    const renewal = await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(renewal.grand_total).toBe(40_000);
    expect(await current()).toMatchObject({ end_date: '2026-04-15T10:00:00.000Z' });
    await expectIntegrity(fixture());
    expect(await send(id, '', { end_date: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 400 });
    expect(await send(id, '/resume')).toMatchObject({ body: { data: { next_price: null } } });
  });

  test("can be cancelled and kept by their members if the store allows it, but members can't undo the store's own changes", async () => {
    const club = await newClub();
    await buy(club, { status: 'completed' });
    const { id } = await current();
    const me = await fixture().store.session(user());
    const own = (action: string, body: object = {}) =>
      me.post(`/me/subscriptions/${id}${action}`, body);
    expect(await own('/cancel', { at: 'end' })).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { scheduled: [{ change: 'cancel', by: 'member' }] } },
    });
    const kept = await own('/resume');
    expect(kept).toMatchObject({ status: 200, body: { data: { scheduled: [] } } });
    expect(kept.body.data).not.toHaveProperty('note');
    await send(id, '/cancel', { at: 'end' });
    expect(await own('/resume')).toMatchObject({ body: { code: 'nothing_to_resume' } });
    await send(id, '/resume');
    await send(id, '/pause');
    expect(await own('/resume')).toMatchObject({ body: { code: 'nothing_to_resume' } });
    await send(id, '/resume');
    const { database } = fixture().store;
    await database.query('update settings set members_cancel = false');
    expect(await own('/cancel', { at: 'end' })).toMatchObject({ status: 403 });
    await database.query('update settings set members_cancel = true');
    const stranger = await fixture().store.session((await fixture().newUser()).id);
    expect(await stranger.get(`/me/subscriptions/${id}`)).toMatchObject({ status: 404 });
    expect(await stranger.post(`/me/subscriptions/${id}/cancel`, { at: 'now' })).toMatchObject({
      status: 404,
    });
  });
});
