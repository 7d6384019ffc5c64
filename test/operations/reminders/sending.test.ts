import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import type { Outbound } from '../../../src/kernel/events/outbound.ts';
import { newSecret } from '../../../src/kernel/events/signing.ts';
import { claimMessages } from '../../../src/queries/message-claims.ts';
import { queueDue, sendNow } from '../../../src/processes/reminders/sending.ts';
import { long } from '../../harness/long.ts';
import { silence } from '../../harness/silence.ts';
import { useReceiver } from '../../kernel/events/receiver.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
const provider = useReceiver();
let api: ApiClient;
let course: number;
let template: number;

beforeAll(async () => {
  const environment = await opened.store.environment;
  environment['REMINDER_URL'] = provider.url('/messages');
  environment['REMINDER_SECRET'] = newSecret();
  // Switches other messages off, which would go to the same address.
  await silence(opened.store);
  api = await opened.store.key();
  course = await made('/products', { title: 'Course', price: 350_000 });
  template = await made('/reminder-templates', {
    type: 'order',
    offset: 1,
    media: ['email', 'whatsapp'],
    title: 'Hello {{name}}',
    content: 'Please pay {{amount}}.',
  });
});

beforeEach(async () => {
  provider.received.length = 0;
  // The clock stands still, so the rates of earlier messages would delay later ones.
  await opened.store.database.query('delete from message_senders');
});

const made = async (path: string, body: object): Promise<number> => {
  const reply = await api.post(path, body);
  expect(reply.status).toBe(201);
  return reply.body.data.id;
};

let buyers = 0;
const newBuyer = () =>
  made('/users', { email: `buyer-${++buyers}@mail.example`, phone: `+628110000${buyers}` });
const place = (user_id: number, fields: object = {}) =>
  made('/orders', { product_id: course, user_id, ...fields });
const byHand = (order_id: number, fields: object = {}) =>
  made('/reminders', { order_id, title: 'A word', content: 'Thank you.', ...fields });

const read = async (id: number) => (await api.get(`/reminders/${id}`)).body.data;
const ofOrder = async (id: number) => (await api.get(`/reminders?order_id=${id}`)).body.data;
const send = async () => {
  await opened.store.settled();
  await sendNow(await opened.store.services());
};
const resend = async (id: number) => {
  const reply = await api.post(`/reminders/${id}/resend`);
  await opened.store.settled();
  return reply;
};
const recipients = () => provider.received.map(({ json }) => json.recipient);

describe('A reminder goes to the address that its user has when it is sent', () => {
  test('and shows that address while it waits; a sent reminder shows the address it went to', async () => {
    const user = await newBuyer();
    const order = await place(user);
    const before = await ofOrder(order);
    await api.patch(`/users/${user}`, { email: 'new@mail.example', phone: '+6282200001' });
    const [whatsapp, email] = await ofOrder(order);
    expect(whatsapp).toEqual({ ...before[0], recipient: '+6282200001' });
    expect(email).toEqual({ ...before[1], recipient: 'new@mail.example' });
    expect(await read(email.id)).toEqual(email);

    opened.store.clock.advance(2 * 86_400);
    await send();
    expect(new Set(recipients())).toEqual(new Set(['+6282200001', 'new@mail.example']));
    await api.patch(`/users/${user}`, { email: 'newest@mail.example' });
    expect(await read(email.id)).toMatchObject({ status: 'sent', recipient: 'new@mail.example' });
    expect((await resend(email.id)).body.data.recipient).toBe('newest@mail.example');
    expect(recipients()).toContain('newest@mail.example');
    expect(await read(email.id)).toMatchObject({
      status: 'sent',
      recipient: 'newest@mail.example',
    });
  });

  test('and a recipient named for an e-mail is exactly one address', async () => {
    const scheduled_at = '2026-03-20T00:00:00.000Z';
    const order = await place(await newBuyer());
    const [, reminder] = await ofOrder(order);
    for (const recipient of ['a@x.example, b@x.example', 'a@x.example\r\nBcc: b@x.example']) {
      for (const reply of [
        await api.post('/reminders', {
          order_id: order,
          title: 'A word',
          content: 'Thank you.',
          recipient,
          scheduled_at,
        }),
        await api.post(`/reminders/${reminder.id}`, { recipient }),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
        expect(Object.keys(reply.body.data.params)).toEqual(['recipient']);
      }
    }
  });

  test('unless another recipient was named, then or later', async () => {
    const user = await newBuyer();
    const order = await place(user);
    const scheduled_at = '2030-01-01T00:00:00.000Z';
    const named = await byHand(order, { recipient: 'boss@mail.example', scheduled_at });
    const own = await byHand(order, { scheduled_at });
    const later = await byHand(order, { scheduled_at });
    await api.post(`/reminders/${later}`, { recipient: 'other@mail.example' });
    // An unchanged recipient in an update doesn't count as named.
    await api.post(`/reminders/${own}`, { ...(await read(own)), title: 'Another word' });
    await api.patch(`/users/${user}`, { email: 'moved@mail.example' });
    expect(await Promise.all([named, own, later].map(read))).toMatchObject([
      { recipient: 'boss@mail.example' },
      { recipient: 'moved@mail.example', title: 'Another word' },
      { recipient: 'other@mail.example' },
    ]);
  });

  test('and fails with the reason if the user has no address any more', async () => {
    const user = await newBuyer();
    const id = await byHand(await place(user), { media_type: 'sms' });
    await api.patch(`/users/${user}`, { phone: '' });
    await send();
    expect(provider.received).toEqual([]);
    expect(await read(id)).toMatchObject({
      recipient: '',
      status: 'failed',
      attempts: 0,
      last_error: 'no_recipient',
    });
  });
});

describe('A reminder without a recipient', () => {
  const refused = { status: 409, body: { code: 'reminder_no_recipient' } };

  test('is not sent again if its user was erased or has no address any more', async () => {
    const erased = await newBuyer();
    const own = await byHand(await place(erased));
    const named = await byHand(await place(erased), { recipient: 'boss@mail.example' });
    const user = await newBuyer();
    const sms = await byHand(await place(user), { media_type: 'sms' });
    await send();
    expect((await api.delete(`/users/${erased}`)).status).toBe(200);
    await api.patch(`/users/${user}`, { phone: '' });
    provider.received.length = 0;
    for (const id of [own, named, sms]) {
      const before = await read(id);
      expect(await resend(id)).toMatchObject(refused);
      expect(await read(id)).toEqual(before);
    }
    expect(provider.received).toEqual([]);
  });

  test('does not wait again either, unless it is given a recipient', async () => {
    const user = await newBuyer();
    const order = await place(user, { status: 'completed' });
    const id = await byHand(order, { scheduled_at: '2030-01-01T00:00:00Z' });
    await api.delete(`/users/${user}`);
    const path = `/reminders/${id}`;
    expect(await api.post(path, { status: 'pending' })).toMatchObject(refused);
    const wording = { title: 'A word', content: 'Thank you.' };
    const next = { ...wording, recipient: 'heir@mail.example', status: 'pending' };
    expect(await api.post(path, next)).toMatchObject({ status: 200 });
  });
});

describe('A reminder of a payment', () => {
  const refused = { status: 409, body: { code: 'order_not_payable' } };
  /** An order with an e-mail reminder that was sent. */
  const reminded = async () => {
    const order = await place(await newBuyer());
    opened.store.clock.advance(2 * 86_400);
    await send();
    const [, email] = await ofOrder(order);
    expect(email).toMatchObject({ status: 'sent' });
    provider.received.length = 0;
    return { order, id: email.id as number };
  };

  test.each(['completed', 'cancelled', 'payment-confirm'])(
    'is not sent again once its order is %s',
    async (status) => {
      const { order, id } = await reminded();
      expect((await api.patch(`/orders/${order}`, { status })).status).toBe(200);
      expect(await resend(id)).toMatchObject(refused);
      expect(provider.received).toEqual([]);
      expect(await read(id)).toMatchObject({ status: 'sent', version: 3 });
    },
  );

  test('is sent again while the order waits, also after it was reopened', async () => {
    const { order, id } = await reminded();
    await api.patch(`/orders/${order}`, { status: 'cancelled' });
    await api.patch(`/orders/${order}`, { status: 'on-hold' });
    expect(await resend(id)).toMatchObject({ status: 200 });
    expect(provider.received).toHaveLength(1);
  });

  test('that was cancelled because its order no longer waits is restored only if it waits again', async () => {
    const order = await place(await newBuyer());
    const id = await byHand(order, { scheduled_at: '2030-01-01T00:00:00Z' });
    await api.patch(`/orders/${order}`, { status: 'completed' });
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    const path = `/reminders/${id}`;
    expect(await api.post(path, { status: 'pending' })).toMatchObject(refused);
    expect(await api.post(path, { title: 'Other' })).toMatchObject({ status: 200 });
  });

  test('can be sent again if its order never waited for a payment', async () => {
    const order = await place(await newBuyer(), { status: 'completed' });
    const id = await byHand(order);
    await send();
    expect(await resend(id)).toMatchObject({ status: 200 });
    expect(provider.received).toHaveLength(2);
  });
});

test('an update without changes leaves a reminder and a template in their version', async () => {
  const id = await byHand(await place(await newBuyer()), { scheduled_at: '2030-01-01T00:00:00Z' });
  const reminder = await read(id);
  const templates = (await api.get('/reminder-templates')).body.data;
  opened.store.clock.advance(60);
  const { title, scheduled_at, recipient, status } = reminder;
  for (const same of [{}, { title, recipient, status }, { scheduled_at }]) {
    expect((await api.post(`/reminders/${id}`, same)).body.data).toEqual(reminder);
  }
  const path = `/reminder-templates/${template}`;
  for (const same of [{}, { offset: 1, active: true, media: ['email', 'whatsapp'] }]) {
    expect((await api.patch(path, same)).body.data).toEqual(templates[0]);
  }
  expect(await read(id)).toEqual(reminder);
  expect((await api.get('/reminder-templates')).body.data).toEqual(templates);
});

describe('Beside a provider that takes nearly its 8 seconds for each message', () => {
  const answerTime = 7900;
  let begun: number;
  let runs: Promise<unknown>[];
  let minutes: number;

  beforeEach(async () => {
    await opened.store.database.query('delete from reminders');
    begun = opened.store.clock.now().getTime();
    [runs, minutes] = [[], 0];
    await opened.store.database.query(
      `insert into reminders (user_id, recipient, title, content, media_type, reminder_type, send_day,
                              send_hours, scheduled_at, status, created_at, updated_at)
       select $2, '', 'Due', 'Due', 'email', 'order', 0, 0, $1, 'pending', $1, $1
         from generate_series(1, 25)`,
      [opened.store.clock.now(), await newBuyer()],
    );
  });

  /** Services that take some seconds of the test's clock for each request. */
  const slow = async () => {
    const services = await opened.store.services();
    const { clock } = opened.store;
    const outbound: Outbound = async (url, init) => {
      const answered = clock.now().getTime() + answerTime;
      const response = await services.outbound(url, init);
      if (clock.now().getTime() < answered) clock.set(new Date(answered).toISOString());
      await startJobs();
      return response;
    };
    return { ...services, outbound };
  };

  async function startJobs() {
    while (opened.store.clock.now().getTime() >= begun + minutes * 60_000) {
      minutes++;
      runs.push(sendNow(await slow()));
    }
  }

  async function allDone() {
    for (let next = runs.shift(); next; next = runs.shift()) await next;
  }

  const reminded = () => provider.received.map(({ json }) => json.reminder_id as number);

  long(
    'each message is sent once, although the job starts every minute, and in the first minute twice',
    async () => {
      await startJobs();
      runs.push(sendNow(await slow()));
      while (new Set(reminded()).size < 25) {
        await allDone();
        opened.store.clock.set(new Date(begun + minutes * 60_000).toISOString());
        await startJobs();
      }
      opened.store.clock.advance(600);
      await startJobs();
      await allDone();
      expect(reminded()).toHaveLength(25);
      const { rows } = await opened.store.database.query(
        'select distinct status, attempts from reminders',
      );
      expect(rows).toEqual([{ status: 'sent', attempts: 1 }]);
    },
  );

  test('control: if all are claimed together and sent one by one, the last are sent twice', async () => {
    const services = await slow();
    await queueDue(services);
    const unit = new UnitOfWork(services.connection, undefined);
    const together = { most: 25, rate: 1000 };
    const claim = claimMessages('email', crypto.randomUUID(), together, opened.store.clock.now());
    const claimed = await unit.write([], claim);
    const { rows } = await opened.store.database.query<{ reminder_id: string }>(
      'select reminder_id from messages where id = any($1)',
      [claimed.map(({ id }) => id)],
    );
    for (const { reminder_id } of rows) {
      await services.outbound(provider.url('/messages'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reminder_id: Number(reminder_id) }),
      });
    }
    await allDone();
    const twice = reminded().filter((id, i, all) => all.indexOf(id) !== i);
    expect(twice.length).toBeGreaterThan(0);
  });
});
