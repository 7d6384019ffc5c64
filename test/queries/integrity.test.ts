import { beforeAll, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../harness/integrity.ts';
import { useShop } from '../harness/shop.ts';

const opened = useShop();

beforeAll(async () => {
  const { shop } = opened;
  await shop.set('unique_code_enabled', true);
  await shop.newOrder({ product_id: (await shop.newProduct()).id });
  await expectIntegrity(shop);
});

test.each([
  ['figures that orders wait for by transfer', 'delete from payable_claims'],
  ['figures that orders wait for by transfer', 'update payable_claims set amount = amount + 1'],
  ['triggers that are turned off', 'alter table orders disable trigger user'],
  ['triggers that are turned off', 'alter table commissions disable trigger user'],
])('the check of %s notices: %s', (name, damage) => expectNoticed(opened.shop, name, damage));
