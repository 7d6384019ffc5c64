import { describe, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { isSeen } from '../../../src/lib/text.ts';
import { percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

const bank_account = { bank_code: '014', bank_name: 'BCA', number: '5501', holder: 'Citra Wijaya' };

/** A new affiliate with a completed sale of 20,000. */
async function earner(fields: object) {
  const { at } = stage;
  const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
  const person = await at.fixture.newAffiliate(fields);
  await at.sell(product, { affiliate_id: person.id, status: 'completed' });
  return person;
}

async function confirmedRun(affiliates: readonly number[]) {
  const { api } = stage.at.fixture;
  const { id } = (await api.post('/payout-runs', { affiliates })).body.data;
  return (await api.post(`/payout-runs/${id}/confirm`)).body.data;
}

describe('The method of a payout in a run', () => {
  const bank_info = 'BCA 7701234701 a.n. Qwertz';

  test('doesn’t contain an account that is text only, so that no table has the account after its owner is erased', async () => {
    const { api, store } = stage.at.fixture;
    const hook = { url: 'https://hooks.example.com/', status: 'paused', events: ['payout.*'] };
    await api.post('/webhooks', hook);
    const { id } = await earner({ bank_info });
    const run = await confirmedRun([id]);
    const [line] = run.lines;
    await api.post(`/payout-runs/${run.id}/lines/${line.id}`, { result: 'paid' });
    expect((await api.get(`/payouts/${line.id}`)).body.data.method).toBe('Transfer');
    const events = await store.database.query(`select from outbox where event = 'payout.paid'`);
    expect(events.rows).toHaveLength(1);
    expect((await api.delete(`/users/${id}`)).status).toBe(200);
    const { rows: tables } = await store.database.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const { rows } = await store.database.query(
        `select from ${name} t where to_jsonb(t)::text ~ '7701234701|Qwertz'`,
      );
      expect(rows, name).toEqual([]);
    }
  });

  test('becomes Transfer by the upgrade if a former version copied the account there; bank names and methods entered by hand stay', async () => {
    const { api, store } = stage.at.fixture;
    const text = await earner({ bank_info });
    const parts = await earner({ bank_account: { ...bank_account, number: '5502' } });
    const hand = await earner({ bank_info: 'BCA 5503' });
    const { lines } = await confirmedRun([text.id, parts.id]);
    const byHand = { affiliate_id: hand.id, method: bank_info, reference: 'T' };
    const ids = [lines[0].id, lines[1].id, (await api.post('/payouts', byHand)).body.data.id];
    const methods = async () => {
      const payouts = await Promise.all(ids.map((id) => api.get(`/payouts/${id}`)));
      return payouts.map(({ body }) => body.data.method);
    };
    // A former worker may write so between two runs of the upgrade.
    await runBackfills(store.database);
    await store.database.query('update payouts set method = $1 where id = $2', [bank_info, ids[0]]);
    await runBackfills(store.database);
    expect(await methods()).toEqual(['Transfer', 'BCA', bank_info]);
    await expectIntegrity(stage.at.fixture);
  });
});

describe('A bank account with line breaks', () => {
  const forged = 'Citra\r\n,9,BCA,,6660001112,Forger,99999.00,,x,,,1,1\u2028\u0085\tWijaya';

  test.each(['bank_code', 'bank_name', 'number', 'holder'])(
    'or other control characters in its %s is refused',
    async (part) => {
      const { fixture } = stage.at;
      const { id } = await fixture.newAffiliate();
      const member = await fixture.store.session(id);
      for (const text of ['1\r\n2', '1\t2', '1\u00852', '1\u20282', '12\n']) {
        const body = { bank_account: { ...bank_account, [part]: text } };
        const name = `bank_account.${part}`;
        for (const refused of [
          await member.patch('/me/profile', body),
          await fixture.api.patch(`/users/${id}`, body),
          await fixture.api.post('/users', { email: 'new@people.example', ...body }),
        ]) {
          expect(refused, JSON.stringify(text)).toMatchObject({
            status: 400,
            body: { data: { params: { [name]: expect.stringContaining('line breaks') } } },
          });
        }
      }
    },
  );

  test('that a former version stored is one row in each file of a run', async () => {
    const { fixture } = stage.at;
    await fixture.set('store_name', 'Roti\r\nBersama');
    const { id } = await earner({ bank_account: { ...bank_account, number: '5504' } });
    const run = (await fixture.api.post('/payout-runs', { affiliates: [id] })).body.data;
    await fixture.store.database.query(
      `update users set display_name = $2, bank_info = 'BCA 5504 a.n. ' || $2,
              bank_account = bank_account || jsonb_build_object('holder', $2::text, 'bank_name', $2::text)
        where id = $1`,
      [id, forged],
    );
    for (const form of ['general', 'bca', 'bi-fast', 'xendit']) {
      const { body } = await fixture.api.get(`/payout-runs/${run.id}.csv?form=${form}`);
      const rows = body.split(/[\p{Cc}\p{Zl}\p{Zp}]+/u);
      expect(rows, form).toEqual([expect.any(String), expect.stringContaining('5504'), '']);
    }
    await fixture.set('store_name', 'My store');
  });
});

describe('A bank account that shows nothing', () => {
  /** All characters that don't show, except NUL. */
  const unseen = Array.from({ length: 0x11_00_00 }, (_, i) => i)
    .filter((i) => i > 0 && (i < 0xd8_00 || i > 0xdf_ff) && !isSeen(String.fromCodePoint(i)))
    .map((i) => String.fromCodePoint(i))
    .join('');

  test.each([
    ['blanks', '  '],
    ['a no-break space', '\u00a0'],
    ['a zero-width space', '\u200b'],
  ])('is none if it is %s', async (_, bank_info) => {
    const { fixture } = stage.at;
    const { id } = await earner({ bank_info });
    const text = await earner({ bank_info: 'BCA 5505' });
    await (await fixture.store.session(text.id)).patch('/me/profile', { bank_info });
    for (const person of [id, text.id]) {
      expect((await fixture.user(person)).bank_info).toBe('');
    }
    const draft = await fixture.api.post('/payout-runs', { affiliates: [id, text.id] });
    expect(draft.body.data.lines).toMatchObject([
      { payable: false, issues: ['no-account'], account_text: null },
      { payable: false, issues: ['no-account', 'account-changed'], account_text: null },
    ]);
  });

  test('leaves a line out of a run, also if a former version stored it', async () => {
    const { fixture } = stage.at;
    const people = [await earner({}), await earner({}), await earner({})];
    const texts = [unseen, `${unseen}٣`, `—${unseen}`];
    for (const [i, { id }] of people.entries()) {
      const set = 'update users set bank_info = $2 where id = $1';
      await fixture.store.database.query(set, [id, texts[i]]);
    }
    const run = await confirmedRun(people.map(({ id }) => id));
    expect(run.lines).toMatchObject([
      { status: 'left-out', issues: ['no-account'], account_text: null },
      { status: 'confirmed', issues: ['account-as-text'], account_text: texts[1] },
      { status: 'confirmed', issues: ['account-as-text'], account_text: texts[2] },
    ]);
    await expectIntegrity(fixture);
  });
});
