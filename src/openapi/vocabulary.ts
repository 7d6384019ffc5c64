/**
 * Examples of fields that mean the same in many schemas. A field of a single schema has its example there (`.meta({
 * examples })`). The examples use the first product and a buyer of the demo store, so that requests work there and
 * amounts agree. The `id` of a record named `user` is the `user_id` of others.
 */
export const vocabulary: Readonly<Record<string, unknown>> = {
  // Records
  id: 1,
  product_id: 1,
  user_id: 4,
  effective_user_id: 4,
  affiliate_id: 3,
  order_id: 12,
  coupon_id: 2,
  version: 3,
  next_cursor: 'aWQ6MTI',
  created_at: '2026-03-10T09:00:00.000Z',
  updated_at: '2026-03-10T09:41:07.312Z',

  // Users
  email: 'dewi.kartika@demo.example',
  phone: '+62 812 0001 111',
  first_name: 'Dewi',
  display_name: 'Dewi Kartika',
  bank_info: 'BCA 5501234700',
  affiliate: { id: 3, display_name: 'Citra Wijaya' },
  group: { id: 1, name: 'Gold' },
  sid: '0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11',
  expires_at: '2026-03-10T10:00:00.000Z',

  // Products
  title: 'Selling Online, the Course',
  product_name: 'Selling Online, the Course',
  image_url: 'https://demo.example/images/course.jpg',
  price: 350_000,

  // Orders
  currency: 'IDR',
  number: 'INV-000012',
  quantity: 2,
  payment_gateway: 'manual:BCA',
  unit_price: 350_000,
  subtotal: 700_000,
  discount_total: 70_000,
  unique_code: 147,
  grand_total: 630_147,
  net_total: 630_147,
  source: 'coupon',
  valid: true,

  // Licences and access
  remaining: 2,
  start: '2026-03-10T09:41:07.312Z',
  start_day: 0,

  // Affiliates
  affiliate_link: 'https://shop.example/aff/3/1/sales-page',
  commission: 126_000,
  orders: 27,
  rank: 2,
  raw_total: 27,

  // Messages
  content: 'Hello {{name}}, please pay {{amount}} for order {{order-number}}.',
  url: 'https://hooks.example.com/sales',
  events: ['order.*'],
  event_id: 'evt_0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11',
  object_id: 12,
};
