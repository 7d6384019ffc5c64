import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { download, eddTables, item, order } from './edd/shop.ts';
import { useMoves } from './moved.ts';
import { writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const email = 'ada@people.example';

long('the plan of a WooCommerce shop notes orders with tax on shipping or fees', async () => {
  const shop = madeShop(
    {
      orders: [
        { id: 10, email, total: '17.14', shipping: '6.00', shippingTax: '1.14' },
        { id: 20, email, total: '12.38', fee: '2.00', feeTax: '0.38' },
        { id: 30, email, total: '18.00', shipping: '6.00', fee: '2.00' },
        // Not an order that somebody placed.
        { id: 40, email, total: '17.14', shipping: '6.00', shippingTax: '1.14', status: 'trash' },
      ],
    },
    true,
  );
  writeDump(dumpPath('woocommerce.sql'), shop);
  const { staging } = await moved(woocommerceImporter, dumpPath('woocommerce.sql'));
  expect(woocommerceImporter.plan(staging, {}).notes).toContainEqual(
    expect.stringMatching(/^2 orders have tax on their shipping or fees: /),
  );
});

long('the plan of an EDD shop notes orders with tax on fees', async () => {
  const fee = (id: number, object_id: number, object_type: string, tax: string) => ({
    ...{ id, object_id, object_type, type: 'fee', description: 'Setup', subtotal: '10.00', tax },
    total: String(10 + Number(tax)),
  });
  const shop = eddTables([download(21, 'Plugin', { edd_price: '50.00' })], {
    edd_orders: [
      order(1, { total: '61.90' }),
      order(2, { total: '60.00' }),
      order(3, { total: '61.90' }),
    ],
    edd_order_items: [item(11, 1), item(12, 2), item(13, 3)],
    edd_order_adjustments: [
      fee(1, 1, 'order', '1.90'),
      fee(2, 2, 'order', '0.00'),
      fee(3, 13, 'order_item', '1.90'),
    ],
  });
  writeDump(dumpPath('edd.sql'), shop);
  const { staging } = await moved(eddImporter, dumpPath('edd.sql'));
  expect(eddImporter.plan(staging, {}).notes).toContainEqual(
    expect.stringMatching(/^2 orders have tax on their fees: /),
  );
});
