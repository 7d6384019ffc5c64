import { beforeAll, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();

beforeAll(async () => {
  const { fixture } = opened;
  await fixture.set('unique_code_enabled', true);
  await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
  await expectIntegrity(fixture);
});

test.each([
  ['amounts of transfers that orders wait for', 'delete from payable_claims'],
  ['amounts of transfers that orders wait for', 'update payable_claims set amount = amount + 1'],
  ['triggers that are turned off', 'alter table orders disable trigger user'],
  ['triggers that are turned off', 'alter table commissions disable trigger user'],
])('the check of %s notices: %s', (name, damage) => expectNoticed(opened.fixture, name, damage));
