import { expect } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { isLong, long } from '../../harness/long.ts';
import { usePost } from '../../operations/messages/post.ts';
import { fieldsOf, orderPath, send } from './buyer.ts';
import { type Visit, visit } from './visitor.ts';

/** An attack of an hour: the numbers of forms and of networks. */
const { forms, networks } = isLong ? { forms: 5000, networks: 50 } : { forms: 150, networks: 3 };
/** The limits: forms of a network in an hour, and unpaid orders of an address. */
const [hourly, unpaid] = [10, 3];
const accepted = networks * hourly;
/** Forms that are sent at once; after each batch somebody honest buys. */
const batch = 25;
const buyers = forms / batch;

const opened = usePost(['resend'], { MODULES: 'shop' });

long(
  `${forms} orders from ${networks} networks within an hour keep nobody else from buying, and everything they held comes back`,
  async () => {
    const { post } = opened;
    const { fixture, store } = post;
    await post.silence('new-order');
    await fixture.set('unique_code_enabled', true);
    await fixture.set('shop_hourly_orders', hourly);
    await fixture.set('shop_unpaid_orders', unpaid);
    const account = { id: 'BCA', bank: 'BCA', owner: 'Toko', account_number: '123' };
    await fixture.set('manual_accounts', JSON.stringify([account]));
    const stock = accepted + buyers;
    const { slug, id } = await fixture.newProduct({ title: 'Ticket', price: 350_000, stock });
    const discount = { value: 10, type: 'percentage' };
    const made = await fixture.api.post('/coupons', { code: 'TEN', discount, limit_use: stock });
    const units = async () => (await fixture.product(id)).stock;
    const uses = async () => (await fixture.api.get('/coupons/TEN')).body.data.usage;
    expect(made.status).toBe(201);

    const open = async () => fieldsOf((await visit(store, `/checkout/${slug}?coupon=TEN`)).text);
    const page = await open();
    const victims = Array.from({ length: networks * 2 }, (_, i) => `victim-${i}@people.example`);
    const attack = (i: number): Promise<Visit> =>
      send(
        store,
        slug,
        {
          ...page,
          ...{ key: crypto.randomUUID(), name: 'Bot', phone: '', action: 'order' },
          // Every other form uses the address of a victim.
          email: i % 2 ? `bot-${i}@people.example` : (victims[(i / 2) % victims.length] ?? ''),
        },
        { 'cf-connecting-ip': `10.${i % networks}.0.${(i * 7) % 250}` },
      );
    const buyHonestly = async (i: number): Promise<Visit> => {
      const person = { name: 'Dewi', email: `honest-${i}@people.example`, action: 'order' };
      const from = { 'cf-connecting-ip': `192.0.${i}.1` };
      return send(store, slug, { ...(await open()), ...person }, from);
    };

    const answers = { 303: 0, 429: 0 } as Record<number, number>;
    const paths: string[] = [];
    for (let i = 0; i < buyers; i++) {
      const sent = await Promise.all(
        Array.from({ length: batch }, (_, k) => attack(i * batch + k)),
      );
      for (const { status } of sent) answers[status] = (answers[status] ?? 0) + 1;
      const bought = await buyHonestly(i);
      expect(bought.status, `buyer ${i}`).toBe(303);
      paths.push(orderPath(bought));
      await post.store.settled();
      store.clock.advance(3300 / buyers);
    }
    expect(answers).toEqual({ 303: accepted, 429: forms - accepted });
    expect([await units(), await uses()]).toEqual([0, stock]);
    // Each honest buyer has a different amount to transfer.
    const amounts = await Promise.all(
      paths.map(async (path) => /data-copy="([\d.]+)"/.exec((await visit(store, path)).text)?.[1]),
    );
    expect(new Set(amounts).size).toBe(buyers);
    const { rows } = await store.database.query<{ email: string; told: number }>(
      `select u.email, count(*)::int as told from messages m join users u on u.id = m.user_id
      group by u.email`,
    );
    const told = Math.max(...rows.map((row) => row.told));
    const toStrangers = rows.filter(({ email }) => !email.startsWith('honest'));
    expect(told).toBeLessThanOrEqual(unpaid);
    expect(toStrangers.reduce((total, row) => total + row.told, 0)).toBe(accepted);

    // The honest buyers pay. The stock of the attack is released after two hours by itself.
    for (const path of paths) {
      const order = /\/order\/(\d+)-/.exec(path)?.[1];
      expect((await fixture.api.patch(`/orders/${order}`, { status: 'completed' })).status).toBe(
        200,
      );
    }
    await post.store.settled();
    store.clock.advance(2 * 3600 + 1);
    await post.silence('order-cancelled');
    for (let before: number | null = null; before !== (await units());) {
      before = await units();
      await runJobs(await store.services(), () => undefined);
    }
    expect([await units(), await uses()]).toEqual([accepted, buyers]);
    expect((await buyHonestly(buyers)).status).toBe(303);
    await post.store.settled();
    await expectIntegrity(fixture);
    if (isLong) {
      const found = { forms, networks, placed: answers[303], refused: answers[429], buyers, told };
      process.stdout.write(`${JSON.stringify(found)}\n`);
    }
  },
  3_600_000,
);
