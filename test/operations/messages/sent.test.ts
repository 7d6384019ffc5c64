import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { kindsOfSenders } from '../../providers/kinds.ts';
import { usePost } from './post.ts';

const day = 86_400;

describe.each(kindsOfSenders)('A message through %s', (name) => {
  const opened = usePost([name]);
  let buyer: User;
  let product_id: number;

  beforeAll(async () => {
    const { post } = opened;
    await post.listen();
    // Leaves one message for each order, by the medium of the sender.
    const others = ['welcome', 'new-order', 'order-cancelled', 'order-completed'];
    await post.silence(...others);
    if (name === 'relay') {
      await post.fixture.api.patch('/message-templates/order-placed/whatsapp', { active: false });
    }
    buyer = await post.newBuyer();
    product_id = (await post.fixture.newProduct({ title: 'Kursus', price: 350_000 })).id;
  });

  beforeEach(async () => {
    // The clock stands still, so the rates of earlier tests would still hold.
    await opened.post.store.settled();
    await opened.post.store.database.query('delete from message_senders');
  });

  afterAll(() => expectIntegrity(opened.post));

  const sender = () => opened.post.sender();
  const arrived = () => sender().sent().length;
  const handed = () => sender().journal.length;

  /**
   * Places an order.
   * @returns its message after the first try
   */
  async function placed(): Promise<Message> {
    const [message, ...others] = await opened.post.told(() =>
      opened.post.fixture.newOrder({ product_id, user_id: buyer.id }),
    );
    if (!message || others.length > 0) throw new Error('The buyer is told once.');
    return message;
  }

  const now = (message: Message) => opened.post.message(message.id);
  const later = async (seconds: number, message: Message) => {
    await opened.post.later(seconds);
    return now(message);
  };

  test('is sent right after the answer, and no job finds it', async () => {
    const before = arrived();
    const message = await placed();
    expect(message).toMatchObject({
      kind: 'order-placed',
      status: 'sent',
      sender: name,
      attempts: 1,
      last_error: null,
      sent_at: opened.post.store.clock.now().toISOString(),
      recipient: sender().medium === 'email' ? buyer.email : `+62${buyer.phone.slice(1)}`,
    });
    expect(arrived()).toBe(before + 1);
    const last = sender().sent().at(-1);
    expect(last).toMatchObject({ to: message.recipient.replace('+', ''), text: message.text });
    if (sender().medium === 'email') expect(last?.subject).toBe(message.subject);
    expect(message.provider_id).toBe(name === 'relay' ? null : last?.id);
    await later(day, message);
    expect(arrived()).toBe(before + 1);
  });

  test('that is permanently refused has failed, and webhooks are notified', async () => {
    const before = arrived();
    sender().refuse('permanent');
    const message = await placed();
    expect(message).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_error: expect.stringMatching(/^[\w.-]+$/),
    });
    expect(await opened.post.events(message.id)).toEqual(['message.failed']);
    await later(day, message);
    expect(arrived()).toBe(before);
  });

  test('is retried with the same text a minute after a temporary refusal', async () => {
    const before = arrived();
    sender().refuse('temporary');
    const message = await placed();
    expect(message).toMatchObject({ status: 'queued', attempts: 1, sent_at: null });
    expect(await later(59, message)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await later(1, message)).toMatchObject({
      status: 'sent',
      attempts: 2,
      last_error: null,
      text: message.text,
    });
    expect(arrived()).toBe(before + 1);
    expect(await opened.post.events(message.id)).toEqual([]);
  });

  test('is tried again when its sender was overloaded', async () => {
    sender().fail('overloaded');
    const message = await placed();
    expect(message).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await later(60, message)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  test('is not repeated after an error of its sender that may have come after the message was sent', async () => {
    const isRepeated = sender().knowsKeys || name === 'whatsapp';
    sender().fail('refused');
    const message = await placed();
    expect(message).toMatchObject({ status: isRepeated ? 'queued' : 'failed', attempts: 1 });
    const status = isRepeated ? 'sent' : 'failed';
    expect(await later(60, message)).toMatchObject({ status, attempts: isRepeated ? 2 : 1 });
  });

  test('fails after six tries, the last of them nine hours after the first', async () => {
    for (let tries = 0; tries < 6; tries++) sender().refuse('temporary');
    const message = await placed();
    for (const pause of [60, 300, 1800, 7200]) await later(pause, message);
    expect(await now(message)).toMatchObject({ status: 'queued', attempts: 5 });
    expect(await later(21_600, message)).toMatchObject({ status: 'failed', attempts: 6 });
    expect(await opened.post.events(message.id)).toEqual(['message.failed']);
  });

  /**
   * Makes the account refuse messages until it is paused.
   * @returns the two affected messages
   */
  async function paused(): Promise<[Message, Message]> {
    sender().refuse('setup');
    const first = await placed();
    sender().refuse('setup');
    return [first, await placed()];
  }

  test('waits until its account works again, which uses up only one try', async () => {
    const { post } = opened;
    const [message, second] = await paused();
    const due = post.store.clock.now().getTime() + 60_000;
    expect(message).toMatchObject({
      status: 'queued',
      attempts: 1,
      due_at: new Date(due).toISOString(),
    });
    expect(second).toMatchObject({ status: 'queued', attempts: 0 });
    const before = handed();
    const third = await placed();
    expect(third).toMatchObject({ status: 'queued', attempts: 0, last_error: null });
    await post.later(240);
    expect(handed()).toBe(before);
    const state = async () => {
      const { body } = await post.fixture.api.get('/messages/senders');
      return body.data.find(({ medium }: Message) => medium === sender().medium);
    };
    expect(await state()).toMatchObject({
      sender: name,
      queued: 3,
      problem: message.last_error,
      problem_since: message.updated_at,
    });
    // All messages are tried then.
    for (let tries = 0; tries < 3; tries++) sender().refuse('setup');
    await post.later(60);
    expect(handed()).toBe(before + 3);
    expect(await state()).toMatchObject({ queued: 3, problem_since: message.updated_at });
    await post.later(300);
    expect(await now(message)).toMatchObject({ status: 'sent', attempts: 2, last_error: null });
    expect(await now(second)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(await now(third)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(await state()).toMatchObject({ queued: 0, problem: null, problem_since: null });
  });

  test('fails after six tries if the sender refuses it as if the account were blocked, but accepts other messages', async () => {
    sender().refuse('setup');
    const poison = await placed();
    for (const pause of [60, 300, 1800, 7200, 21_600]) {
      expect(await now(poison)).toMatchObject({ status: 'queued' });
      expect(await placed()).toMatchObject({ status: 'sent', attempts: 1 });
      sender().refuse('setup');
      await later(pause, poison);
    }
    expect(await now(poison)).toMatchObject({ status: 'failed', attempts: 6 });
    expect(await opened.post.events(poison.id)).toEqual(['message.failed']);
    expect(await placed()).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('does not pause an account that accepted another message meanwhile', async () => {
    const { post } = opened;
    sender().refuse('setup');
    const poison = await placed();
    sender().refuse('setup');
    const release = sender().hold();
    const before = handed();
    const sending = later(60, poison);
    while (handed() === before) await new Promise(setImmediate);
    await post.store.database.query(
      'update message_senders set problem = null, problem_since = null',
    );
    release();
    await sending;
    expect(await placed()).toMatchObject({ status: 'sent' });
    await later(300, poison);
  });

  test.each([
    ['lost', 1],
    ['dropped', 0],
  ] as const)(
    'whose answer is %s is repeated under its key, or never if the sender has no keys',
    async (fault, taken) => {
      const before = arrived();
      sender().fail(fault);
      const message = await placed();
      expect(arrived()).toBe(before + taken);
      if (sender().knowsKeys) {
        expect(message).toMatchObject({ status: 'queued', last_error: 'no_answer' });
        expect(await later(60, message)).toMatchObject({ status: 'sent', attempts: 2 });
        expect(arrived()).toBe(before + 1);
      } else {
        expect(message).toMatchObject({ status: 'failed', last_error: 'no_answer', attempts: 1 });
        expect(await opened.post.events(message.id)).toEqual(['message.failed']);
        await later(day, message);
        expect(arrived()).toBe(before + taken);
      }
    },
  );

  test('keeps its text and address in each try, whatever changed meanwhile', async () => {
    const { post } = opened;
    const { api } = post.fixture;
    const reader = await post.newBuyer();
    const path = `/message-templates/order-placed/${sender().medium}`;
    sender().refuse('temporary');
    const [message] = await post.told(() =>
      post.fixture.newOrder({ product_id, user_id: reader.id }),
    );
    if (!message) throw new Error('The buyer is told.');
    await api.patch(`/orders/${message.order_id}`, { grand_total: 999_000 });
    await api.patch(path, { texts: { en: { text: 'Other words: {{amount}}' } } });
    await api.patch(`/users/${reader.id}`, {
      email: `new-${reader.id}@people.example`,
      phone: '081299999999',
      language: 'id',
    });
    await post.fixture.set('mail_layout', '<main>{{content}}</main>');
    const after = await later(60, message);
    const { text, subject, recipient, language } = message;
    expect(after).toMatchObject({ status: 'sent', text, subject, recipient, language });
    const last = sender().sent().at(-1);
    expect(last).toMatchObject({ to: recipient.replace('+', ''), text });
    expect(last?.html ?? '').not.toContain('<main>');
    await api.patch(path, { texts: { en: null } });
    await post.fixture.set('mail_layout', '');
  });

  test('is sent to the address of its reader at the time of the first try', async () => {
    const { post } = opened;
    const reader = await post.newBuyer();
    await paused();
    const [message] = await post.told(() =>
      post.fixture.newOrder({ product_id, user_id: reader.id }),
    );
    if (!message) throw new Error('The buyer is told.');
    await post.store.database.query("update users set phone = '', email = null where id = $1", [
      reader.id,
    ]);
    expect(await later(300, message)).toMatchObject({
      status: 'failed',
      last_error: 'no_recipient',
      attempts: 0,
    });
    expect(await post.events(message.id)).toEqual(['message.failed']);
  });

  test('is cancelled if its order is paid before the first try', async () => {
    const { post } = opened;
    await paused();
    const message = await placed();
    await post.fixture.api.patch(`/orders/${message.order_id}`, { status: 'completed' });
    expect(await later(300, message)).toMatchObject({ status: 'cancelled' });
    expect(await post.events(message.id)).toEqual([]);
  });

  test('reveals nobody in the log', async () => {
    const { post } = opened;
    post.store.logs.length = 0;
    for (const kind of ['permanent', 'temporary', 'setup'] as const) {
      sender().refuse(kind);
      await placed();
    }
    const said = JSON.stringify(post.store.logs);
    for (const secret of [buyer.email ?? '', buyer.phone.slice(1), 'Dewi']) {
      expect(said).not.toContain(secret);
    }
    await post.later(360);
  });
});

describe.each(['resend', 'fonnte', 'whatsapp', 'relay'])(
  'A message that %s refuses temporarily',
  (name) => {
    const opened = usePost([name]);

    test.each([
      [7, 7],
      [90, 90],
      [1_000_000, day],
    ])('is tried again at the time that the sender asks for: after %i s', async (asked, waited) => {
      const { post } = opened;
      await post.silence('order-placed', 'new-order');
      post.sender().refuse('temporary', asked);
      const fields = name === 'relay' ? { phone: '' } : {};
      const [message] = await post.told(() => post.newBuyer(fields));
      if (!message) throw new Error('The user is welcomed.');
      const due = post.store.clock.now().getTime() + waited * 1000;
      expect(message).toMatchObject({ status: 'queued', due_at: new Date(due).toISOString() });
      await post.later(waited - 1);
      expect(await post.message(message.id)).toMatchObject({ status: 'queued', attempts: 1 });
      await post.later(1);
      expect(await post.message(message.id)).toMatchObject({ status: 'sent', attempts: 2 });
    });
  },
);

describe('A message that Resend may have sent, and then refuses', () => {
  const opened = usePost(['resend']);

  /** Returns a message whose first try was lost, and whose second try was refused. */
  async function lost(refusal: 'temporary' | 'setup', retryAfter?: number): Promise<Message> {
    const { post } = opened;
    await post.silence('new-order');
    await post.store.settled();
    post.sender().fail('lost');
    const [message] = await post.told(() => post.newBuyer());
    if (!message) throw new Error('The user is welcomed.');
    post.sender().refuse(refusal, retryAfter);
    await post.later(60);
    return message;
  }

  test.each([
    ['setup', undefined],
    ['temporary', day],
  ] as const)('(%s) is not repeated once its key is forgotten', async (refusal, retryAfter) => {
    const { post } = opened;
    const before = post.sender().sent().length;
    const { id } = await lost(refusal, retryAfter);
    expect(await post.message(id)).toMatchObject({ status: 'queued' });
    await post.later(day + 1);
    expect(await post.message(id)).toMatchObject({ status: 'failed', last_error: 'no_answer' });
    expect(post.sender().sent()).toHaveLength(before + 1);
  });

  test.each(['setup', 'temporary'] as const)('(%s) is repeated before that', async (refusal) => {
    const { post } = opened;
    const before = post.sender().sent().length;
    const { id } = await lost(refusal);
    await post.later(300);
    expect(await post.message(id)).toMatchObject({ status: 'sent' });
    expect(post.sender().sent()).toHaveLength(before + 1);
  });

  test('can be cancelled while it waits for its next try', async () => {
    const { post } = opened;
    const { id } = await lost('temporary');
    expect((await post.fixture.api.post(`/messages/${id}/cancel`)).status).toBe(200);
  });
});

describe('The key of a message', () => {
  const keysIn = (journal: readonly unknown[], header: string) =>
    (journal as readonly { headers: Record<string, string> }[]).map(
      ({ headers }) => headers[header],
    );

  describe.each([
    ['resend', 'idempotency-key'],
    ['relay', 'webhook-id'],
  ])('at %s', (name, header) => {
    const opened = usePost([name]);

    test('is the same in each try and no other’s', async () => {
      const { post } = opened;
      const keys = () => keysIn(post.sender().journal, header);
      await post.silence('new-order');
      post.sender().fail('lost');
      post.sender().refuse('temporary');
      await post.told(() => post.newBuyer({ phone: '' }));
      await post.later(60);
      await post.later(300);
      expect(keys()).toHaveLength(3);
      const [first] = keys();
      expect(new Set(keys())).toEqual(new Set([first]));
      expect(first).toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}/);
      await post.told(() => post.newBuyer({ phone: '' }));
      await post.told(() => post.newBuyer({ phone: '' }));
      expect(new Set(keys()).size).toBe(3);
    });
  });
});
