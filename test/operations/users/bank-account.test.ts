import { expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const stage = useStoreFixture();

const account = { bank_code: '014', bank_name: 'BCA', number: '5501', holder: 'Citra' };

test('A bank account is the last written value, by its parts or as text', async () => {
  const { fixture } = stage;
  const { id } = await fixture.newUser({ bank_info: 'BCA 1' });
  const change = async (fields: object) =>
    (await fixture.api.patch(`/users/${id}`, fields)).body.data;
  const first = await change({ bank_account: account });
  expect(first).toMatchObject({ bank_info: 'BCA 5501 a.n. Citra', bank_account: account });
  fixture.store.clock.advance(60);
  const kept = await change({ bank_info: first.bank_info, first_name: 'Rina' });
  expect(kept).toMatchObject({ bank_account: account, bank_changed_at: first.bank_changed_at });
  const text = await change({ bank_info: 'Mandiri 7' });
  expect(text).toMatchObject({ bank_info: 'Mandiri 7', bank_account: null });
  expect(text.bank_changed_at).toBe(text.updated_at);
  await change({ bank_account: account });
  expect(await change({ bank_account: null })).toMatchObject({ bank_info: '', bank_account: null });
});

test('A user is notified of a change of their bank account, and of no other change', async () => {
  const { fixture } = stage;
  Object.assign(await fixture.store.environment, {
    MAIL_FROM: 'hello@shop.example',
    RESEND_API_KEY: 're_1',
  });
  fixture.store.restart();
  const { id } = await fixture.newUser({});
  fixture.store.clock.advance(60);
  await fixture.api.patch(`/users/${id}`, { first_name: 'Rina' });
  const kinds = async () => {
    const { rows } = await fixture.store.database.query<{ kind: string }>(
      'select kind from messages where user_id = $1 order by id',
      [id],
    );
    return rows.map(({ kind }) => kind);
  };
  expect(await kinds()).not.toContain('bank-account-changed');
  fixture.store.clock.advance(60);
  await fixture.api.patch(`/users/${id}`, { bank_account: account });
  expect(await kinds()).toContain('bank-account-changed');
});
