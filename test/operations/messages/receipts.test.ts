import { beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import type { Receipt } from '../../../src/providers/messages/sender.ts';
import { baseUrl } from '../../harness/store.ts';
import { senders } from '../../providers/messages/index.ts';
import { usePost } from './post.ts';

const api = `${baseUrl}/api/svc/v1`;

describe.each(['resend', 'whatsapp'])('A receipt from %s', (name) => {
  const opened = usePost([name]);
  const address = `${api}/messages/${name}/callback`;

  beforeAll(async () => {
    await opened.post.listen();
    await opened.post.silence('new-order');
  });

  const receipts = () => {
    const found = opened.post.sender().receipts;
    if (!found) throw new Error(`${name} tells of nothing.`);
    return found;
  };

  async function sent(): Promise<Message> {
    const [message] = await opened.post.told(() => opened.post.newBuyer());
    if (message?.status !== 'sent') throw new Error('The user is welcomed.');
    return message;
  }

  const tell = ({ provider_id }: Message, ...states: Receipt['state'][]) => {
    for (const state of states) receipts().tell(provider_id ?? '', state);
    return receipts().take(address);
  };

  async function bring(callbacks: readonly Request[]): Promise<void> {
    for (const callback of callbacks) {
      expect((await opened.post.store.fetch(callback.clone())).status).toBe(200);
    }
  }

  const now = (message: Message) => opened.post.message(message.id);

  test('says that a message was delivered, then read, each with its time', async () => {
    const { clock } = opened.post.store;
    const message = await sent();
    clock.advance(5);
    const delivered_at = clock.now().toISOString();
    await bring(tell(message, 'delivered'));
    expect(await now(message)).toMatchObject({ status: 'delivered', delivered_at, read_at: null });
    clock.advance(5);
    await bring(tell(message, 'read'));
    expect(await now(message)).toMatchObject({
      status: 'read',
      delivered_at,
      read_at: clock.now().toISOString(),
    });
    expect(await opened.post.events(message.id)).toEqual([]);
  });

  test('changes nothing when it comes twice, late or in another order', async () => {
    const message = await sent();
    const early = tell(message, 'delivered');
    await bring(tell(message, 'read'));
    const read = await now(message);
    expect(read).toMatchObject({ status: 'read', delivered_at: read.read_at });
    opened.post.store.clock.advance(60);
    await bring([...early, ...early, ...tell(message, 'delivered', 'read')]);
    expect(await now(message)).toEqual(read);
  });

  test('may report a late failure, of which webhooks get one event', async () => {
    const message = await sent();
    const callbacks = tell(message, 'failed');
    await bring([...callbacks, ...callbacks]);
    const failed = await now(message);
    expect(failed).toMatchObject({
      status: 'failed',
      last_error: expect.stringMatching(/^[\w.-]+$/),
    });
    expect(await opened.post.events(message.id)).toEqual(['message.failed']);
    await bring(tell(message, 'delivered', 'read'));
    expect(await now(message)).toEqual(failed);
  });

  test('is refused if it is forged', async () => {
    const message = await sent();
    const forgeries = await receipts().forgeries(address, message.provider_id ?? '');
    expect(forgeries.length).toBeGreaterThan(3);
    for (const forgery of forgeries) {
      expect((await opened.post.store.fetch(forgery)).status).toBe(401);
    }
    expect(await now(message)).toEqual(message);
    expect((await opened.post.fixture.api.get('/message-suppressions')).body.data).toEqual([]);
  });

  test('is accepted for an unknown message, and changes nothing', async () => {
    const message = await sent();
    const callbacks = tell(message, 'failed');
    await opened.post.store.database.query('delete from messages where id = $1', [message.id]);
    await bring(callbacks);
  });

  describe('that comes before the answer to the message', () => {
    /**
     * @param work sends one message
     * @returns the number of times that the sender got one
     */
    async function early(work: () => Promise<unknown>, state: Receipt['state']): Promise<number> {
      const { post } = opened;
      await post.store.settled();
      const before = post.sender().journal.length;
      const arrived = post.sender().sent().length;
      const answer = receipts().holdAnswers();
      const working = work();
      while (post.sender().sent().length === arrived) await new Promise(setImmediate);
      receipts().tell(post.sender().sent().at(-1)?.id ?? '', state);
      await bring(receipts().take(address));
      answer();
      await working;
      await post.later(86_400);
      return post.sender().journal.length - before;
    }

    test.each(senders[name]?.().receipts?.states ?? [])(
      'is not lost (%s), and the message is sent once',
      async (state) => {
        const { post } = opened;
        const sent_at = post.store.clock.now().toISOString();
        const [message, ...others] = await post.told(async () => {
          expect(await early(() => post.newBuyer(), state)).toBe(1);
        });
        expect(others).toEqual([]);
        const hasFailed = state === 'failed' || state === 'bounced';
        expect(message).toMatchObject({
          status: hasFailed ? 'failed' : state === 'complained' ? 'sent' : state,
          provider_id: post.sender().sent().at(-1)?.id,
          attempts: 1,
          sent_at,
        });
        const event = state === 'bounced' ? 'message.bounced' : 'message.failed';
        expect(await post.events(message?.id ?? 0)).toEqual(hasFailed ? [event] : []);
      },
    );

    test.each([
      ['delivered', 'sent'],
      ['failed', 'failed'],
    ] as const)('(%s) applies to the reminder too: it is %s', async (state, status) => {
      const { post } = opened;
      const { id: product_id } = await post.fixture.newProduct();
      const { id: user_id } = await post.newBuyer();
      const order = await post.fixture.newOrder({ product_id, user_id });
      const { body } = await post.fixture.api.post('/reminders', {
        order_id: order.id,
        title: 'A word',
        content: 'Please pay.',
        media_type: post.sender().medium,
      });
      expect(await early(() => post.later(0), state)).toBe(1);
      const { body: after } = await post.fixture.api.get(`/reminders/${body.data.id}`);
      expect(after.data).toMatchObject({ status, attempts: 1, sent_at: expect.any(String) });
      const { rows } = await post.store.database.query(
        `select event from outbox where event like 'reminder.%' and object_id = $1`,
        [body.data.id],
      );
      expect(rows).toEqual([{ event: `reminder.${status}` }]);
    });
  });

  test('proves that a message whose answer was lost was sent, so it is not sent again', async () => {
    const { post } = opened;
    await post.store.settled();
    post.sender().fail('lost');
    const [message] = await post.told(() => post.newBuyer());
    if (!message) throw new Error('The user is welcomed.');
    expect(message).toMatchObject({ last_error: 'no_answer', provider_id: null, sent_at: null });
    const events = await post.events(message.id);
    const provider_id = post.sender().sent().at(-1)?.id ?? null;
    const before = post.sender().journal.length;
    await bring(tell({ ...message, provider_id }, 'delivered'));
    const delivered = await now(message);
    expect(delivered).toMatchObject({ status: 'delivered', provider_id, last_error: null });
    await post.later(86_400);
    expect(await now(message)).toEqual(delivered);
    expect(post.sender().journal).toHaveLength(before);
    expect(await post.events(message.id)).toEqual(events);
  });

  // WhatsApp reports neither bounces nor complaints.
  if (name !== 'resend') return;

  test('of a hard bounce suppresses its address until somebody lifts the suppression', async () => {
    const { post } = opened;
    const { api: client } = post.fixture;
    const message = await sent();
    const bounces = tell(message, 'bounced');
    await bring(bounces);
    expect(await now(message)).toMatchObject({ status: 'failed', last_error: 'NoEmail' });
    expect(await post.events(message.id)).toEqual(['message.bounced']);
    const { recipient } = message;
    const listed = async () =>
      (await client.get(`/message-suppressions?address=${recipient}`)).body.data;
    await bring(bounces);
    const [suppression, ...others] = await listed();
    expect(others).toEqual([]);
    expect(suppression).toMatchObject({
      medium: 'email',
      address: recipient,
      reason: 'bounced',
      message_id: message.id,
    });

    const before = post.sender().journal.length;
    const order = async () => {
      const { id } = await post.fixture.newProduct();
      await post.fixture.newOrder({ product_id: id, user_id: message.user_id ?? 0 });
    };
    const [next] = await post.told(order);
    expect(next).toMatchObject({ kind: 'order-placed', status: 'suppressed', attempts: 0 });
    expect(post.sender().journal).toHaveLength(before);

    expect((await client.delete(`/message-suppressions/${suppression.id}`)).status).toBe(200);
    await bring(bounces);
    expect(await listed()).toEqual([]);
    const [last] = await post.told(order);
    expect(last).toMatchObject({ status: 'sent' });
    // A suppression has no end.
    await post.later(86_400);
    expect((await now(next as Message)).status).toBe('suppressed');
  });

  const suppressions = async ({ recipient }: Message) =>
    (await opened.post.fixture.api.get(`/message-suppressions?address=${recipient}`)).body.data;

  async function lift(message: Message): Promise<void> {
    for (const { id } of await suppressions(message)) {
      await opened.post.fixture.api.delete(`/message-suppressions/${id}`);
    }
  }

  test('of a complaint suppresses its address until somebody lifts the suppression', async () => {
    const message = await sent();
    const callbacks = tell(message, 'delivered', 'complained');
    await bring(callbacks);
    const complained_at = opened.post.store.clock.now().toISOString();
    expect(await now(message)).toMatchObject({ status: 'delivered', complained_at });
    expect(await suppressions(message)).toMatchObject([
      { reason: 'complained', message_id: message.id },
    ]);
    await lift(message);
    await bring(callbacks);
    expect(await suppressions(message)).toEqual([]);
  });

  test('stops reminders to the address too, and webhooks are notified', async () => {
    const { post } = opened;
    const message = await sent();
    await bring(tell(message, 'complained'));
    const { id: product_id } = await post.fixture.newProduct();
    const order = await post.fixture.newOrder({ product_id, user_id: message.user_id ?? 0 });
    const words = { order_id: order.id, title: 'A word', content: 'Please pay.' };
    const { body } = await post.fixture.api.post('/reminders', words);
    await post.store.settled();
    // If a worker dies before it recorded the failure, the next one does.
    post.store.neon.faults.next({ statement: 'update "messages" set', cut: 'before commit' });
    await expect(post.later(0)).rejects.toThrow('the database did not answer');
    await post.later(60);
    const { rows } = await post.store.database.query(
      `select event, data -> 'last_error' as error from outbox
        where event like 'reminder.%' and object_id = $1`,
      [body.data.id],
    );
    expect(rows).toEqual([{ event: 'reminder.failed', error: 'suppressed' }]);
    const { body: after } = await post.fixture.api.get(`/reminders/${body.data.id}`);
    expect(after.data).toMatchObject({ status: 'failed', last_error: 'suppressed', attempts: 0 });
    expect(await post.log(`order_id=${order.id}&kind=reminder`)).toMatchObject([
      {
        status: 'suppressed',
        recipient: message.recipient,
        text: expect.stringContaining('Please pay.'),
      },
    ]);
  });

  test('can report a hard bounce after a temporary failure', async () => {
    const message = await sent();
    await bring(tell(message, 'failed'));
    expect(await suppressions(message)).toEqual([]);
    const bounces = tell(message, 'bounced');
    await bring(bounces);
    const bounced_at = opened.post.store.clock.now().toISOString();
    expect(await now(message)).toMatchObject({
      status: 'failed',
      last_error: 'NoEmail',
      bounced_at,
    });
    expect(await suppressions(message)).toMatchObject([{ reason: 'bounced' }]);
    expect(await opened.post.events(message.id)).toEqual(['message.failed', 'message.bounced']);
    await lift(message);
    await bring([...bounces, ...tell(message, 'failed')]);
    expect(await suppressions(message)).toEqual([]);
    expect(await opened.post.events(message.id)).toHaveLength(2);
  });

  test('stores no address of a user who was erased meanwhile', async () => {
    const { post } = opened;
    const message = await sent();
    const callbacks = tell(message, 'bounced');
    expect((await post.fixture.api.delete(`/users/${message.user_id}`)).status).toBe(200);
    await bring(callbacks);
    const { body } = await post.fixture.api.get('/message-suppressions?per_page=100');
    expect(body.data.map(({ address }: { address: string }) => address)).not.toContain('');
  });
});

describe('Receipts', () => {
  const opened = usePost(['fonnte']);

  test('are a 404 for senders without receipts, and for senders that are not set up', async () => {
    const { post } = opened;
    for (const name of ['fonnte', 'relay', 'resend', 'nobody', '__proto__']) {
      const reply = await post.fixture.api.post(`/messages/${name}/callback`, {});
      expect(reply).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    }
  });
});

describe("WhatsApp's question whether the address of its receipts is the store's", () => {
  const opened = usePost(['whatsapp']);
  const ask = (token: string) =>
    opened.post.store
      .client()
      .get(
        `/messages/whatsapp/callback?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`,
      );

  test('is answered only with the right token', async () => {
    const { WHATSAPP_VERIFY_TOKEN } = opened.post.sender().variables;
    expect(await ask(String(WHATSAPP_VERIFY_TOKEN))).toMatchObject({
      status: 200,
      body: '1158201444',
    });
    expect((await ask('guessed')).status).toBe(404);
  });
});

describe('Unsubscribing', () => {
  const opened = usePost(['resend']);

  /** Returns an optional message to an affiliate, and the link at its end. */
  async function earned(user_id: number) {
    const { post } = opened;
    const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
    const { id } = await post.fixture.newProduct({ affiliate });
    const messages = await post.told(() =>
      post.fixture.newOrder({ product_id: id, affiliate_id: user_id, status: 'completed' }),
    );
    const message = messages.find(({ kind }) => kind === 'commission-earned');
    if (!message) throw new Error('The affiliate is told.');
    const [, path = ''] = /\/api\/svc\/v1(\/unsubscribe\/\S+)/.exec(message.text ?? '') ?? [];
    return { message, path };
  }

  const newAffiliate = async () => {
    const user = await opened.post.newBuyer({ roles: ['affiliate'] });
    await opened.post.store.settled();
    return user;
  };

  test('requires a click on the button: opening the link changes nothing', async () => {
    const { post } = opened;
    const affiliate = await newAffiliate();
    const { path } = await earned(affiliate.id);
    const anybody = post.store.client();
    const page = await anybody.get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).toContain('<form method="post">');
    expect((await post.fixture.api.get('/message-suppressions')).body.data).toEqual([]);
  });

  test("ends optional messages, but not those that belong to the reader's orders", async () => {
    const { post } = opened;
    const affiliate = await newAffiliate();
    const { path, message } = await earned(affiliate.id);
    const anybody = post.store.client();
    for (let times = 0; times < 2; times++) {
      const reply = await anybody.post(path, 'List-Unsubscribe=One-Click', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(reply.status).toBe(200);
    }
    const { body } = await post.fixture.api.get('/message-suppressions?reason=unsubscribed');
    expect(body.data).toMatchObject([{ address: affiliate.email, message_id: message.id }]);
    expect((await earned(affiliate.id)).message.status).toBe('suppressed');
    const { id } = await post.fixture.newProduct();
    const [placed] = await post.told(() =>
      post.fixture.newOrder({ product_id: id, user_id: affiliate.id }),
    );
    expect(placed).toMatchObject({ kind: 'order-placed', status: 'sent' });
    await post.fixture.api.delete(`/message-suppressions/${body.data[0].id}`);
    expect((await earned(affiliate.id)).message.status).toBe('sent');
  });

  test('is offered by mail programs, only for messages that it can end', async () => {
    const { post } = opened;
    const headersOf = (subject: string | null) => {
      const journal = post.sender().journal as readonly { body: string }[];
      const email = journal
        .flatMap(({ body }) => JSON.parse(body))
        .findLast((each) => each.subject === subject);
      return email?.headers;
    };
    const affiliate = await newAffiliate();
    const { message, path } = await earned(affiliate.id);
    expect(headersOf(message.subject)).toEqual({
      'List-Unsubscribe': `<${api}${path}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const { id } = await post.fixture.newProduct();
    const [placed] = await post.told(() =>
      post.fixture.newOrder({ product_id: id, user_id: affiliate.id }),
    );
    expect(headersOf(placed?.subject ?? null)).toBeUndefined();
    expect(placed?.text).not.toContain('/unsubscribe/');
  });

  test('requires the key of a message', async () => {
    const anybody = opened.post.store.client();
    const unknown = `/unsubscribe/${crypto.randomUUID()}`;
    for (const path of [unknown, '/unsubscribe/1']) {
      const status = path === unknown ? 404 : 400;
      expect((await anybody.get(path)).status).toBe(status);
      expect((await anybody.post(path)).status).toBe(status);
    }
  });
});
