import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { description, plainText, unescaped } from '../../packages/import/src/html-text.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { eddTables } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { sejoliTables, user } from './sejoli/shop.ts';
import { cellsOf, writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

describe('An HTML-escaped text', () => {
  test.each([
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['Tom & Jerry', 'Tom & Jerry'],
    ['&amp;amp; &amp;lt;b&amp;gt;', '&amp; &lt;b&gt;'],
    ['O&#039;Brien &lt;Ltd&gt;', "O'Brien <Ltd>"],
    ['O&#8217;Brien &#x2019; &rsquo;', 'O’Brien ’ ’'],
    ['Caf&eacute; &Eacute;T&Eacute; 5&nbsp;&euro;', 'Café ÉTÉ 5\u00A0€'],
    ['&#150; &#128512;', '– 😀'],
    ['&#0; &#55357; &#9999999; &nonsense; &amp &;', '&#0; &#55357; &#9999999; &nonsense; &amp &;'],
    ['AT&T; R&D', 'AT&T; R&D'],
  ])('is decoded once (%s)', (text, plain) => {
    expect(unescaped(text)).toBe(plain);
  });

  test('loses its tags if it is a title, but not escaped ones', () => {
    expect(plainText(' <b>Tea</b> &amp; &lt;b&gt;&nbsp;')).toBe('Tea & <b>');
  });

  test('is not decoded if it is HTML, or would become HTML', () => {
    expect(description('<p>Tom &amp; Jerry</p>')).toBe('<p>Tom &amp; Jerry</p>');
    expect(description('&lt;script&gt;')).toBe('&lt;script&gt;');
    expect(description('Tom &amp; Jerry, 2 &lt; 3')).toBe('Tom & Jerry, 2 < 3');
  });
});

const names = { first_name: 'PT Maju &amp; Jaya', last_name: 'O&#039;Brien &amp;amp; Co' };
const expected = {
  display_name: 'Tom & Jerry',
  first_name: 'PT Maju & Jaya',
  last_name: "O'Brien &amp; Co",
};

const meta = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([meta_key, meta_value]) =>
    cellsOf({ user_id: 1, meta_key, meta_value }),
  );

async function personIn(shop: Moved) {
  const [person] = await shop.query(
    'select display_name, first_name, last_name from users where id = 1',
  );
  return person;
}

/** The tables with this name in place of the user's. */
const displayed = (tables: ReturnType<typeof madeShop>) =>
  tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) =>
      row.map((cell, i) => (table.columns[i] === 'display_name' ? 'Tom &amp; Jerry' : cell)),
    ),
  }));

const name = { option_name: 'blogname', option_value: 'Tea &amp; Co' };

describe('Escaped names of WordPress are imported as people wrote them', () => {
  long('from Sejoli', async () => {
    const path = dumpPath('sejoli.sql');
    const options = [name, { option_name: 'timezone_string', option_value: 'Asia/Jakarta' }];
    writeDump(path, displayed(sejoliTables([user(1, { ...names })], { options })));
    const shop = await moved(sejoliImporter, path);
    expect(await personIn(shop)).toEqual(expected);
    expect(await shop.query('select store_name from settings')).toEqual([
      { store_name: 'Tea & Co' },
    ]);
  });

  long('from Easy Digital Downloads', async () => {
    const path = dumpPath('edd.sql');
    const users = [{ ID: 1, user_email: 'tom@people.example', display_name: '' }];
    writeDump(path, displayed(eddTables([], { users, usermeta: meta(names) })));
    expect(await personIn(await moved(eddImporter, path))).toEqual(expected);
  });

  long(
    'from WooCommerce, with addresses, forms, and the names of shipping and payment methods',
    async () => {
      const path = dumpPath('woocommerce.sql');
      const tables = madeShop(
        {
          users: [{ id: 1, email: 'tom@people.example' }],
          options: { blogname: 'Tea &amp; Co' },
          posts: [
            {
              ...{ id: 502, type: 'product', title: 'Salt &amp; Pepper' },
              meta: { _price: '10', _virtual: 'yes' },
            },
          ],
          orders: [{ id: 10, total: '12.00', lines: [{ product: 502 }], shipping: '2' }],
          more: {
            usermeta: meta({ ...names, billing_company: 'Acme &amp; O&#8217;Brien' }),
          },
        },
        true,
      ).map((table) => ({
        ...table,
        rows: table.rows.map((row) =>
          row.map((cell) =>
            cell === 'Street 10' ? 'A&amp;B Street' : cell === 'Flat rate' ? 'JNE &amp; Co' : cell,
          ),
        ),
      }));
      writeDump(path, displayed(tables));
      const shop = await moved(woocommerceImporter, path);
      expect(await personIn(shop)).toEqual(expected);
      expect(await shop.query('select address from users where id = 1')).toEqual([
        { address: 'Acme & O’Brien' },
      ]);
      expect(
        await shop.query(
          `select title, orders.shipping ->> 'service' as service, orders.shipping ->> 'address' as address
           from orders join products on products.id = product_id`,
        ),
      ).toEqual([{ title: 'Salt & Pepper', service: 'JNE & Co', address: 'A&B Street, Berlin' }]);
      expect(await shop.query('select store_name from settings')).toEqual([
        { store_name: 'Tea & Co' },
      ]);
    },
  );
});
