import type { DemoClient } from './client.ts';

const commission = (...fees: number[]) => ({
  enabled: true,
  hold_days: 7,
  tiers: fees.map((fee, i) => ({ tier: i + 1, fee, type: 'percentage' })),
});

export async function createProducts(shop: DemoClient) {
  const product = (key: string, body: object) => shop.create('/products', `product-${key}`, body);
  const course = await product('course', {
    title: 'Selling Online, the Course',
    price: 350_000,
    regular_price: 500_000,
    description: 'Twelve lessons from the first product to the hundredth order.',
    affiliate: commission(20, 5, 2),
  });
  const software = await product('software', {
    title: 'Invoice Desk',
    price: 600_000,
    license: { active: true, count: 3, expires_days: 365 },
    affiliate: commission(25, 5),
  });
  const subscription = await product('subscription', {
    title: 'Seller Club',
    price: 99_000,
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 99_000 } },
    affiliate: commission(15),
  });
  const coffee = await product('coffee', {
    title: 'Gayo Coffee Beans',
    type: 'physical',
    price: 120_000,
    stock: 200,
    variants: [
      {
        id: 'grind',
        label: 'Grind',
        options: [
          { id: 'whole', label: 'Whole beans' },
          { id: 'ground', label: 'Ground', extra_price: 5000 },
        ],
      },
    ],
    shipping: {
      active: true,
      weight_g: 500,
      options: [
        {
          id: 'jne-reg',
          courier: 'JNE',
          service: 'REG',
          cost: 9000,
          per_kg: 9000,
          countries: ['ID'],
        },
        {
          id: 'jne-cod',
          courier: 'JNE',
          service: 'COD',
          cost: 15_000,
          countries: ['ID'],
          cod: true,
        },
      ],
    },
    cod: { active: true, fee: 5000 },
    tax: { enabled: true, rate: 11, inclusive: true },
    affiliate: commission(10),
  });
  const sample = await product('sample', { title: 'First Lesson, free', price: 0 });
  return { course, software, subscription, coffee, sample };
}

export type Products = Awaited<ReturnType<typeof createProducts>>;

/** Two lessons of the course: one opens at once, the other a week after the purchase. */
export async function createContent(
  shop: DemoClient,
  { course }: { course: number },
): Promise<void> {
  const lesson = (n: number, title: string, drip_day: number) =>
    shop.create('/access/content', `lesson-${n}`, {
      title: `Lesson ${n}: ${title}`,
      url: `/lessons/${n}`,
      product_ids: [course],
      drip_day,
    });
  await lesson(1, 'the first product', 0);
  const second = await lesson(2, 'the first customer', 7);
  const title = 'Opens in {{days-left}} days';
  const message = '<p>{{product-name}} has a lesson a week. Until then: try the first one.</p>';
  const body = { messages: { 'drip-content': { title, message } } };
  await shop.send('POST', `/access/content/${second}/block-message`, body, 'lesson-2-message');
}
