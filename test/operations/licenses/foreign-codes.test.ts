import { expect, test } from 'vitest';
import { useLicenses } from './stage.ts';

const { opened, newLicense, register, validate } = useLicenses();

async function issuedElsewhere(code: string): Promise<number> {
  const { id } = await newLicense();
  await opened.fixture.store.database.query('update licenses set code = $2 where id = $1', [
    id,
    code,
  ]);
  return id;
}

const sejoli = '0000001234-AB1CD-OIL0U-2X';

test.each([
  [sejoli, sejoli.toLowerCase()],
  ['d41d8cd98f00b204e9800998ecf8427e', 'D41D8CD98F00B204E9800998ECF8427E'],
  ['Wp_slm.5f2 7a', ' wp_SLM.5f2 7A '],
])('a licence issued elsewhere as %s works like one of ours', async (code, typed) => {
  const { api } = opened.fixture;
  const id = await issuedElsewhere(code);
  const named = { data: { license: { id, code } }, valid: true };
  expect(await register(typed, 'one.example')).toMatchObject({ trips: 2, body: named });
  expect(await register(code, 'two.example')).toMatchObject({ body: named });
  expect((await register(code, 'three.example')).body.code).toBe('license_limit_reached');
  expect(await validate(typed, { string: 'one.example' })).toMatchObject({ body: named });

  const byCode = await api.get(`/licenses/by-code/${encodeURIComponent(typed)}`);
  expect(byCode).toMatchObject({ status: 200, trips: 1, body: { data: { id, code } } });

  const left = await api.post('/licenses/unregister', { code: typed, string: 'one.example' });
  expect(left.body.data).toMatchObject({ released: 1, license: { activation_count: 1 } });
  const reset = await api.post('/licenses/reset', { license: typed });
  expect(reset.body.data).toMatchObject({ released: 1, license: { id, activation_count: 0 } });
});

test('a licence that was issued elsewhere is found by its code in lists, and masked there', async () => {
  const { api } = opened.fixture;
  const id = await issuedElsewhere('0000009876-ZYXWV-ILOU');
  const shown = async (query: string) =>
    (await api.get(`/licenses?${query}`)).body.data.map((one: { id: number; code: string }) => [
      one.id,
      one.code,
    ]);
  expect(await shown('search=0000009876-zyxwv-ilou')).toEqual([[id, 'XXXXX-…-ILOU']]);
  expect(await shown('search=zyxwv&reveal=true')).toEqual([[id, '0000009876-ZYXWV-ILOU']]);
});

test('an order is found by the code of a licence it paid for', async () => {
  const { fixture } = opened;
  const license = { active: true, count: 1, expires_days: 0, max_resets: 1 };
  const product_id = (await fixture.newProduct({ license })).id;
  const { id } = await fixture.newOrder({
    product_id,
    user_id: (await fixture.newUser()).id,
    status: 'completed',
  });
  await fixture.store.database.query('update licenses set code = $2 where order_id = $1', [
    id,
    'EDD-oiloil-1',
  ]);
  const { body } = await fixture.api.get('/orders?search=edd-OILoil-1');
  expect(body.data).toMatchObject([{ id }]);
});

test('no two codes differ by case alone', async () => {
  await issuedElsewhere('same-Code-of-one');
  await expect(issuedElsewhere('SAME-code-OF-one')).rejects.toThrow('licenses_code');
});
