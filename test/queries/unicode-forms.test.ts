import { expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

const composed = 'Ångström Ñandú'.normalize('NFC');
const decomposed = composed.normalize('NFD');

const ids = async (path: string, search: string) => {
  const reply = await opened.fixture.api.get(`${path}?search=${encodeURIComponent(search)}`);
  return reply.body.data.map(({ id }: { id: number }) => id) as number[];
};

test('A text is stored as it was sent, and an identifier in composed form', async () => {
  const { fixture } = opened;
  const sent = { first_name: 'Zoé'.normalize('NFD'), last_name: 'x' };
  expect(await fixture.newUser(sent)).toMatchObject(sent);
  const group = (form: string) =>
    fixture.api.post('/user-groups', { name: 'Équipe'.normalize(form) });
  expect((await group('NFD')).body.data.name).toBe('Équipe'.normalize('NFC'));
  expect((await group('NFC')).status).toBe(409);
  const meta = { ['clé'.normalize('NFD')]: 'é'.normalize('NFD') };
  const external_ids = { app: 'é'.normalize('NFD') };
  const exact = await fixture.newUser({ meta, external_ids });
  expect(exact).toMatchObject({ meta, external_ids });
  const id = encodeURIComponent(external_ids.app);
  const found = await fixture.api.get(`/users/lookup?provider=app&external_id=${id}`);
  expect(found.body.data).toMatchObject({ id: exact.id });
});

test('a search finds a text in either form, whichever was sent or stored before', async () => {
  const { fixture } = opened;
  const user = await fixture.newUser({ display_name: `Person ${decomposed}` });
  const product = await fixture.newProduct({ title: `Product ${decomposed}` });
  const order = await fixture.newOrder({ product_id: product.id, user_id: user.id });
  const { body: group } = await fixture.api.post('/user-groups', { name: `Group ${decomposed}` });
  const expectFound = async () => {
    for (const words of [composed, decomposed, composed.toUpperCase(), decomposed.toLowerCase()]) {
      expect(await ids('/users', words)).toEqual([user.id]);
      expect(await ids('/products', words)).toEqual([product.id]);
      expect(await ids('/orders', words)).toEqual([order.id]);
      expect(await ids('/user-groups', words)).toEqual([group.data.id]);
    }
  };
  await expectFound();
  const { database } = fixture.store;
  await database.query('update users set display_name = normalize(display_name, NFD)');
  await database.query('update products set title = normalize(title, NFD)');
  await database.query('update user_groups set name = normalize(name, NFD)');
  await expectFound();
});

test('a name and a title of both forms are found in either', async () => {
  const { fixture } = opened;
  const last_name = 'Ñuñez'.normalize('NFD');
  const mixed = `Zoë ${last_name}`;
  const one = await fixture.newUser({ first_name: 'Zoë', last_name });
  const two = await fixture.newUser({ display_name: mixed });
  const { id } = await fixture.newProduct({ title: mixed });
  for (const form of ['NFC', 'NFD']) {
    expect(await ids('/users', mixed.normalize(form))).toEqual([two.id, one.id]);
    expect(await ids('/products', mixed.normalize(form))).toEqual([id]);
  }
});

test('a licence is known for the place it was registered for, in either form', async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ license: { active: true, count: 1 } });
  const user = await fixture.newUser();
  const made = await fixture.api.post('/licenses', { product_id: product.id, user_id: user.id });
  const { id, code } = made.body.data;
  const register = (string: string) =>
    fixture.api.post('/licenses/register', { license: code, string });
  const place = `machine ${decomposed}`;
  expect((await register(place)).body.code).toBe('VALID');
  await fixture.store.database.query(
    'update license_activations set string = normalize(string, NFD) where license_id = $1',
    [id],
  );
  for (const string of [place, place.normalize('NFC')]) {
    expect((await register(string)).body.data).toMatchObject({ remaining: 0 });
    expect(await ids('/licenses', string)).toEqual([id]);
    const path = `/licenses/by-string/${encodeURIComponent(string)}`;
    expect((await fixture.api.get(path)).body.data).toMatchObject([{ id }]);
  }
});
