import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

const ids = async (path: string, search: string) => {
  const reply = await opened.fixture.api.get(
    `${path}?per_page=100&sort=id&search=${encodeURIComponent(search)}`,
  );
  return reply.body.data.map(({ id }: { id: number }) => id) as number[];
};

const expectFound = async (search: string, users: readonly { id: number; order: number }[]) => {
  expect(await ids('/users', search), search).toEqual(users.map(({ id }) => id));
  expect(await ids('/orders', search), search).toEqual(users.map(({ order }) => order));
};

async function buyer(phone: string) {
  const { fixture } = opened;
  const { id } = await fixture.newUser({ phone });
  return { id, order: (await fixture.newOrder({ product_id: await product(), user_id: id })).id };
}

let made: Promise<number> | undefined;
const product = () => (made ??= opened.fixture.newProduct().then(({ id }) => id));

type Buyer = Awaited<ReturnType<typeof buyer>>;

describe('In a store in Indonesia, a phone is found', () => {
  let kept: Buyer[];

  beforeAll(async () => {
    await opened.fixture.set('country', 'ID');
    kept = [];
    for (const phone of ['+62 812-5501-4789', '0812 5501 4789', '62 (0)812.5501.4789']) {
      kept.push(await buyer(phone));
    }
    await buyer('+62 813-9999-0000');
    await buyer('021 812 5509');
  });

  test.each([
    '081255014789',
    '6281255014789',
    '+6281255014789',
    '+62 812-5501-4789',
    '+62 (0)812 5501 4789',
    '0062 812 5501 4789',
    '0812-5501-4789',
    '0812 5501',
    '+62 812 5501',
    '62812 5501',
    '812 5501 4789',
    '62 0812 5501 4789',
    'tel:+6281255014789',
    '5501 4789',
    '4789',
    ' ０８１２５５０１ ',
  ])('by %j', (search) => expectFound(search, kept));

  test('by its beginning, and not by digits in the middle of another', async () => {
    await expectFound('0812', kept);
    await expectFound('+62812', kept);
  });

  test('but not by the calling code of another country', () =>
    expectFound('+65 812 5501 4789', []));
});

test.each([
  ['US', '(555) 010-9147', ['+1 555 010 9147', '1-555-010-9147', '5550109147', '555 010']],
  ['ES', '+34 612 345 901', ['612 345 901', '0034612345901', '612345']],
  ['RU', '8 912 345-67-81', ['+7 912 345 67 81', '79123456781', '912 345']],
])('a store in %s finds %j by %j', async (country, phone, searches) => {
  await opened.fixture.set('country', country);
  const its = await buyer(phone);
  for (const search of searches) await expectFound(search, [its]);
});

test('a store without a country finds a phone by its digits', async () => {
  await opened.fixture.set('country', '');
  const its = await buyer('+49 171 220 3311');
  for (const search of ['491712203311', '+49 (0)171 220 3311', '2203311']) {
    await expectFound(search, [its]);
  }
});

test('members do not find an order by its buyer’s phone', async () => {
  const { fixture } = opened;
  const its = await buyer('0815 7070 6060');
  const member = await fixture.store.session(its.id);
  expect((await member.get('/me/orders?search=081570706060')).body.data).toEqual([]);
});

test.each([
  'tel:+62812555',
  '++62 812 555',
  '0812\n555',
  '0812\u0000',
  'WA 0812',
  '+62 812 +62 813',
])('a user is not created with the phone %j', async (phone) => {
  const reply = await opened.fixture.api.post('/users', { email: 'phone@x.example', phone });
  expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
});

describe('A suppressed address', () => {
  const addresses = async (asked: string) => {
    const path = `/message-suppressions?address=${encodeURIComponent(asked)}`;
    const reply = await opened.fixture.api.get(path);
    return reply.body.data.map(({ address }: { address: string }) => address) as string[];
  };

  beforeAll(async () => {
    const { fixture } = opened;
    await fixture.set('country', 'ID');
    await fixture.store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at) values
         ('whatsapp', '+6281780808080', 'bounced', $1), ('whatsapp', '+81780808080', 'bounced', $1),
         ('email', 'dewi0817@x.example', 'bounced', $1)`,
      [fixture.store.clock.now()],
    );
  });

  test('is found however a phone is written', async () => {
    for (const asked of [
      '+6281780808080',
      '0817 8080 8080',
      '6281780808080',
      '0062 817-80808080',
    ]) {
      expect(await addresses(asked), asked).toEqual(['+6281780808080']);
    }
    expect(await addresses(' Dewi0817@x.example')).toEqual(['dewi0817@x.example']);
  });

  test('is removed with the user whose phone it is, and with no other user', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newUser({ phone: '0817 8080 8080 ext 4' });
    expect((await fixture.api.delete(`/users/${id}`)).status).toBe(200);
    expect(await addresses('+6281780808080')).toEqual([]);
    expect(await addresses('+81780808080')).toEqual(['+81780808080']);
  });
});
