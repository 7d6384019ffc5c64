import { expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();

test("affiliates' links lead to a product's own sales page or to the shop's pages, whatever site_url says", async () => {
  const { fixture } = opened;
  await fixture.set('site_url', 'https://store.example');
  const { id } = await fixture.newAffiliate();
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
  const plain = await fixture.newProduct({ affiliate });
  const landing_page = 'https://landing.example/course';
  const own = await fixture.newProduct({ affiliate: { ...affiliate, landing_page } });
  const linksOf = async (product_id: number) => {
    const { body } = await fixture.api.get(`/affiliates/${id}/links?product_id=${product_id}`);
    return (body.data as { link: string; affiliate_link: string }[]).map(({ link }) => link);
  };
  const base = 'https://shop.example';
  expect(await linksOf(plain.id)).toEqual([
    `${base}/product/${plain.slug}`,
    `${base}/checkout/${plain.slug}`,
  ]);
  expect(await linksOf(own.id)).toEqual([landing_page, `${base}/checkout/${own.slug}`]);
  const address = `/aff/${id}/${plain.id}/checkout?utm_source=mail&email=a%40people.example`;
  const { headers } = await visit(fixture.store, address, {
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  const location = new URL(headers.get('location') ?? '');
  expect(location.pathname).toBe(`/checkout/${plain.slug}`);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    utm_source: 'mail',
    email: 'a@people.example',
    ref: expect.any(String),
  });
  const page = await visit(fixture.store, location.pathname + location.search);
  expect(page.text).toContain(`name="ref" value="${location.searchParams.get('ref')}"`);
  expect(page.text).toContain('value="a@people.example"');
});
