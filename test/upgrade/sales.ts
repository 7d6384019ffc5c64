import type { StoreFixture } from '../harness/store-fixture.ts';

/** A commission of 20 per cent that is payable at once. */
export const affiliate = {
  enabled: true,
  hold_days: 0,
  tiers: [{ tier: 1, fee: 20, type: 'percentage' }],
};

/** Completes an order of a product of 100,000 by a new buyer, for a seller. */
export async function newSale(fixture: StoreFixture, seller: { id: number }, buyer: object) {
  const { id: product_id } = await fixture.newProduct({ price: 100_000, affiliate });
  const { id: user_id } = await fixture.newUser(buyer);
  const { id } = await fixture.newOrder({ product_id, user_id, affiliate_id: seller.id });
  await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  return { id, user_id };
}

/** A payout of everything that a seller may get. */
export const payoutTo = ({ id }: { id: number }) => ({
  affiliate_id: id,
  method: 'BCA',
  reference: 'T-1',
});

let account = 990_000;

/** Completes an order of somebody with the bank account of its affiliate, which makes a risk. */
export async function newSuspect(fixture: StoreFixture, name: string) {
  const bank_info = `BCA ${++account}`;
  const seller = await fixture.newAffiliate({ email: `${name}@sellers.example`, bank_info });
  const { id, user_id } = await newSale(fixture, seller, { email: `${name}@x.example`, bank_info });
  const { body } = await fixture.api.get(`/risks?affiliate_id=${seller.id}`);
  const rows = async () => (await fixture.api.get(`/commissions?order_id=${id}`)).body.data;
  return { fixture, seller, user_id, order: id, risk: `/risks/${body.data[0].id}`, rows };
}
