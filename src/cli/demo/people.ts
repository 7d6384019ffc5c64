import type { DemoClient } from './client.ts';

/** Creates an administrator, an affiliate tree of four levels, and members below it. */
export async function createPeople(shop: DemoClient) {
  const user = (key: string, first_name: string, last_name: string, more: object = {}) =>
    shop.create('/users', `user-${key}`, {
      email: `${first_name}.${last_name}@demo.example`.toLowerCase(),
      first_name,
      last_name,
      external_ids: { demo: key },
      ...more,
    });
  const affiliate = (key: string, first: string, last: string, sponsor?: number) =>
    user(key, first, last, {
      roles: ['affiliate', 'member'],
      phone: `+62811000${first.length}${last.length}${key.length}`,
      bank_info: `BCA 55${first.length}${last.length}${key.length}00`,
      ...(sponsor && { affiliate_id: sponsor }),
    });
  const admin = await user('admin', 'Ayu', 'Lestari');
  const first = await affiliate('affiliate', 'Budi', 'Santoso');
  const second = await affiliate('affiliate-2', 'Citra', 'Wijaya', first);
  const buyer = await user('buyer', 'Dewi', 'Kartika', {
    affiliate_id: second,
    phone: '+628120001111',
  });
  const third = await affiliate('affiliate-3', 'Eko', 'Prasetyo', second);
  const fourth = await affiliate('affiliate-4', 'Fitri', 'Handayani', third);
  const names = ['Gita', 'Hadi', 'Indah', 'Joko', 'Kirana', 'Lukman', 'Maya', 'Nanda'];
  const members: number[] = [];
  for (const [i, name] of names.entries()) {
    const affiliate_id = [first, second, third, fourth][i % 4];
    members.push(await user(`member-${i + 1}`, name, 'Putri', { affiliate_id }));
  }
  return { admin, affiliate: first, buyer, members };
}

export type People = Awaited<ReturnType<typeof createPeople>>;
