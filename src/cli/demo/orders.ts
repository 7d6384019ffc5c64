import type { Client } from 'pg';
import { exampleCode } from '../../domain/license/schemas.ts';
import type { Products } from './catalogue.ts';
import type { People } from './people.ts';
import { receipt } from './receipt.ts';
import type { DemoClient } from './client.ts';

/** Creates a manual licence with the code of the documentation's examples, and uses it. */
export async function createLicense(
  shop: DemoClient,
  client: Client,
  { buyer: user_id }: People,
  { software: product_id }: Products,
): Promise<void> {
  const body = { product_id, user_id, note: 'For a review of the product.' };
  const id = await shop.create('/licenses', 'license', body);
  // Only the service gives out codes.
  await client.query('update licenses set code = $1 where id = $2', [exampleCode, id]);
  for (const string of ['https://www.toko-dewi.example/', 'localhost']) {
    await shop.send(
      'POST',
      '/licenses/register',
      { license: exampleCode, string },
      `license-${string}`,
    );
  }
}

/** Creates orders in every status, with payment confirmations. */
export async function createOrders(
  shop: DemoClient,
  { buyer, members }: People,
  products: Products,
): Promise<void> {
  const order = async (key: string, user_id: number, product_id: number, more: object = {}) =>
    shop.create('/orders', `order-${key}`, { user_id, product_id, ...more });
  const move = (id: number, status: string, more: object = {}) =>
    shop.send('PATCH', `/orders/${id}`, { status, ...more }, `order-${id}-${status}`);
  const member = (i: number) => members[i % members.length] ?? buyer;
  const parcel = (user_id: number, key: string, more: object = {}) =>
    order(key, user_id, products.coffee, {
      variants: ['whole'],
      shipping: { option_id: 'jne-reg', receiver: 'Home', address: 'Jl. Merdeka 1', country: 'ID' },
      ...more,
    });

  const confirm = (id: number, key: string, said: object) =>
    shop.create(`/orders/${id}/confirmations`, `confirmation-${key}`, said);
  const transfer = { bank_sender: 'BNI', bank_recipient: 'BCA' };

  const course = await order('course', buyer, products.course, { coupon_code: 'BUDI50' });
  const proof = await confirm(course, 'course', { ...transfer, sender: 'Dewi Kartika' });
  await shop.send('POST', `/confirmations/${proof}`, { status: 'approved' }, 'approved');
  await order('sample', buyer, products.sample);
  await move(await order('club', buyer, products.subscription), 'completed');
  const software = await order('software', buyer, products.software);
  await confirm(software, 'software', {
    ...transfer,
    sender: 'Dewi Kartika',
    total: 600_000,
    proof: await shop.uploadProof(buyer, software, receipt(8)),
  });
  await move(await parcel(buyer, 'parcel'), 'in-progress');
  await move(await parcel(member(0), 'sent'), 'shipping', { tracking_number: 'JNE0012345' });
  await parcel(member(1), 'cod', {
    payment_gateway: 'cod',
    shipping: {
      option_id: 'jne-cod',
      receiver: 'Office',
      address: 'Jl. Sudirman 9',
      country: 'ID',
    },
  });
  const refunded = await order('refunded', member(2), products.software);
  await move(refunded, 'completed');
  await move(refunded, 'refunded');
  const partly = await order('partly', member(4), products.software);
  await move(partly, 'completed');
  const refund = { amount: 100_000, reason: 'Seats that were not needed.' };
  await shop.send('POST', `/orders/${partly}/refunds`, refund, 'refund');
  await move(await order('cancelled', member(3), products.course), 'cancelled');
  const catalogue = [products.course, products.software, products.subscription];
  for (let i = 0; i < 16; i++) {
    const id = await order(`more-${i}`, member(i), catalogue[i % 3] ?? products.course);
    if (i % 4 !== 3) await move(id, 'completed');
    if (i !== 7) continue;
    // Differs from the order's total.
    const proof = await shop.uploadProof(member(i), id, receipt(5));
    await confirm(id, 'short', { ...transfer, sender: 'Nanda Putri', total: 300_000, proof });
  }
  await order('last', member(7), products.course, { note: 'The last demo order' });
}
