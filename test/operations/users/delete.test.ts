import { describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  opened.fixture.api.patch(`/users/${id}`, body, { headers });

describe('Deleting a user', () => {
  test('erases personal data, and keeps the orders readable', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({
      type: 'physical',
      shipping: { active: true, options: [{ id: 'reg', courier: 'JNE', cost: 100 }] },
    });
    const personal = {
      email: 'erase@mail.example',
      phone: '08-ERASE',
      first_name: 'Erasmus',
      last_name: 'Erasable',
      display_name: 'Erased Erasmus',
      address: 'Erased Street 1',
      postal_code: 'ERASE1',
      bank_info: 'Bank of Erasure',
      meta: { erase: 'me' },
      external_ids: { crm: 'erase-1' },
    };
    const user = await fixture.newUser({ ...personal, country: 'ID' });
    const shipping = { option_id: 'reg', receiver: 'Erasmus', phone: '08-ERASE', country: 'ID' };
    const order = await fixture.newOrder({
      product_id,
      user_id: user.id,
      shipping: { ...shipping, address: 'Erased Street 1', postal_code: 'ERASE1' },
    });
    const said = { sender: 'Erasmus', account_number: 'ERASE', proof: '/erase.png', note: 'Erase' };
    const confirmation = await fixture.api.post(`/orders/${order.id}/confirmations`, {
      ...said,
      total: order.grand_total,
      bank_recipient: 'BCA',
    });
    const word = { order_id: order.id, title: 'A word', content: 'Thank you.' };
    const reminder = await fixture.api.post('/reminders', word);
    const downline = await fixture.newUser({ affiliate_id: user.id });
    const reply = await fixture.api.delete(`/users/${user.id}`);
    expect(reply).toMatchObject({ status: 200, body: { data: { id: user.id, deleted: true } } });

    expect(await fixture.order(order.id)).toMatchObject({
      grand_total: order.grand_total,
      user: { id: user.id, display_name: 'Deleted user', email: '' },
      shipping: { courier: 'JNE', cost: 100, country: 'ID', receiver: '', address: '', phone: '' },
      version: 3,
    });
    expect(await fixture.user(downline.id)).toMatchObject({ affiliate_id: user.id });
    const { detail } = (await fixture.api.get(`/confirmations/${confirmation.body.data.id}`)).body
      .data;
    expect(detail).toMatchObject({ total: order.grand_total, bank_recipient: 'BCA', sender: '' });
    const unsent = await fixture.api.get(`/reminders/${reminder.body.data.id}`);
    expect(unsent.body.data).toMatchObject({ status: 'cancelled', recipient: '' });
    const { rows } = await fixture.store.database.query<{ text: string }>(
      `select to_jsonb(t)::text as text from users t union all
       select to_jsonb(t)::text from user_external_ids t union all
       select to_jsonb(t)::text from orders t union all select to_jsonb(t)::text from order_history t
       union all select to_jsonb(t)::text from confirmations t
       union all select to_jsonb(t)::text from reminders t`,
    );
    expect(rows.filter(({ text }) => /eras/i.test(text))).toEqual([]);
  });

  test('ends their sessions, and searches find nothing of them', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser();
    const session = await fixture.store.session(user.id);
    expect((await session.get('/me')).status).toBe(200);
    await fixture.api.delete(`/users/${user.id}`);
    const refused = await session.get('/me');
    expect(refused).toMatchObject({ status: 401, body: { code: 'svc_session_user_gone' } });
    const issued = await fixture.api.post('/sessions', { user_id: user.id });
    expect(issued).toMatchObject({ status: 404, body: { code: 'rest_user_not_found' } });
    for (const reply of [
      await fixture.api.get(`/users/${user.id}`),
      await patch(user.id, { phone: '1' }),
      await fixture.api.delete(`/users/${user.id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    }
    const list = await fixture.api.get(`/users?ids=${user.id}`);
    expect(list.body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
  });

  test('checks the version on request', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newUser();
    const late = await fixture.api.delete(`/users/${id}`, { headers: { 'if-match': '7' } });
    expect(late).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await fixture.user(id)).version).toBe(1);
  });
});
