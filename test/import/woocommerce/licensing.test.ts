import { beforeAll, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

let shop: Moved;
let fixture: StoreFixture;

/** A product of Software License Manager, by default with keys of 3 domains for a year. */
const plugin = (id: number, meta: MadePost['meta']): MadePost => ({
  ...{ id, type: 'product', title: `Plugin ${id}` },
  meta: {
    ...{ _price: '20', _virtual: 'yes', _domain_licenses: '3', _devices_licenses: '0' },
    ...{ _license_type: 'subscription', _license_renewal_period_length: '1' },
    _license_renewal_period_term: 'years',
    ...meta,
  },
});

const terms = (term: string, length: Readonly<Record<string, string>>) => ({
  ...{ _license_renewal_period_length: '', _license_renewal_period_term: term },
  ...length,
});

const both = { _domain_licenses: '2', _devices_licenses: '5' };

const posts = [
  plugin(510, {}),
  plugin(511, { ...terms('onetime', {}), _license_type: 'lifetime' }),
  plugin(512, terms('months', { _license_renewal_period_lenght: '6' })),
  plugin(513, terms('days', { _license_renewal_period: '30' })),
  plugin(514, terms('years', {})),
  plugin(515, terms('decades', { _license_renewal_period_length: '1' })),
  plugin(516, { _domain_licenses: '0' }),
  plugin(520, both),
  plugin(521, both),
  plugin(522, both),
  plugin(523, both),
  { ...plugin(530, {}), title: 'Not a licence product' },
];

/** A key that was sold by hand. */
const key = (id: number, product: number, said: Readonly<Record<string, string>> = {}) => ({
  ...{ id: String(id), license_key: `KEY-${id}`, product_ref: String(product) },
  ...{ lic_status: 'active', email: 'ada@people.example', lic_type: 'subscription' },
  ...{ purchase_id_: '', max_allowed_domains: '2', max_allowed_devices: '5' },
  ...{ date_created: '2024-02-01', date_activated: '2024-02-02', date_expiry: '2099-06-30' },
  ...said,
});

const used = (id: number, lic_key_id: number, place: Readonly<Record<string, string>>) => ({
  ...{ id: String(id), lic_key_id: String(lic_key_id) },
  ...place,
});

beforeAll(async () => {
  const path = dumpPath('licensing.sql');
  const types = posts.filter(({ id }) => id !== 530).map(({ id }) => [id, 'slm_license']);
  writeDump(
    path,
    madeShop(
      {
        users: [{ id: 3, email: 'ada@people.example' }],
        posts,
        types: Object.fromEntries(types) as Readonly<Record<number, string>>,
        orders: [
          {
            ...{ id: 10, customer: 3, total: '20.00', paid: true, completed: true },
            lines: [{ product: 520, total: '20' }],
          },
        ],
        more: {
          lic_key_tbl: [
            key(1, 520, { purchase_id_: '10' }),
            key(2, 520, { lic_status: 'pending' }),
            key(3, 521),
            key(4, 522),
            key(5, 523),
            key(6, 510, { max_allowed_devices: '0' }),
            key(7, 510, { max_allowed_domains: '0', max_allowed_devices: '0' }),
            key(8, 510, { max_allowed_domains: '0', lic_status: 'suspended' }),
          ],
          lic_reg_domain_tbl: [
            used(1, 1, { registered_domain: 'one.example' }),
            used(2, 4, { registered_domain: 'two.example' }),
          ],
          lic_reg_devices_tbl: [
            used(1, 3, { registered_devices: 'machine-1' }),
            used(2, 4, { registered_devices: 'machine-2' }),
          ],
        },
      },
      true,
    ),
  );
  shop = await moved(woocommerceImporter, path);
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

const license = (count: number, expires_days: number) => ({
  ...{ active: true, count, expires_days, max_resets: 3 },
});

test.each([
  [510, 'publish', license(3, 365), null],
  [511, 'publish', license(3, 0), null],
  [512, 'publish', license(3, 183), null],
  [513, 'publish', license(3, 30), null],
  [514, 'draft', license(3, 0), 'value-impossible not-on-sale'],
  [515, 'draft', license(3, 0), 'value-impossible not-on-sale'],
  [516, 'publish', license(1, 365), 'no-seats'],
  [520, 'publish', license(2, 365), 'seats-of-one-kind'],
  [521, 'publish', license(5, 365), 'seats-of-one-kind'],
  [522, 'publish', license(7, 365), 'seats-joined'],
  [523, 'publish', license(7, 365), 'seats-joined'],
  [530, 'publish', { active: false, count: 0, expires_days: 0, max_resets: 3 }, null],
])('product %i of Software License Manager sells its licence', async (id, status, sold, reason) => {
  const product = await fixture.product(id);
  expect({ status: product.status, license: product.license }).toEqual({ status, license: sold });
  expect(shop.reported('products', id)?.reason).toBe(reason);
});

test.each([
  [1, 2, 'seats-of-one-kind'],
  [3, 5, 'seats-of-one-kind'],
  [4, 7, 'seats-joined'],
  [5, 7, 'seats-joined'],
  [6, 2, null],
  [7, 1, 'no-seats'],
])('key %i has %i seats', async (id, seats, reason) => {
  const [row] = await shop.query('select activation_limit as seats from licenses where id = $1', [
    id,
  ]);
  expect(row).toEqual({ seats });
  expect(shop.reported('licenses', id)?.reason).toBe(reason);
});

const register = async (code: string, string: string) => {
  const { body } = await fixture.api.post('/licenses/register', { license: code, string });
  return body.code;
};

test('a key is refused a domain that the shop would have refused it', async () => {
  expect(await register('KEY-1', 'second.example')).toBe('VALID');
  expect(await register('KEY-1', 'third.example')).toBe('license_limit_reached');
});

test('a key that was sold and never used is used for the first time', async () => {
  expect(await register('KEY-2', 'first.example')).toBe('VALID');
});

test('an imported product sells licences', async () => {
  const order = await fixture.api.post('/orders', {
    ...{ product_id: 510, user_id: 3, status: 'completed' },
  });
  const id = (order.body.data as { readonly id: number }).id;
  expect(
    await shop.query('select activation_limit from licenses where order_id = $1', [id]),
  ).toEqual([{ activation_limit: 3 }]);
  await expectIntegrity(fixture);
});
