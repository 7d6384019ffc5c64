import { beforeAll, describe, expect, test } from 'vitest';
import { languages, templateKinds, templateMedia } from '../../../src/schema/lists.ts';
import { usePost } from './post.ts';

const opened = usePost(['resend', 'fonnte']);

const path = '/message-templates/order-placed/email';
const api = () => opened.post.fixture.api;
const read = async (at = path) => (await api().get(at)).body.data;
const own = { subject: 'Pesanan {{order-number}}', text: 'Halo {{name}}.\n\n{{how-to-pay}}' };

describe('A template', () => {
  test('exists for each kind and medium, switched on, with the default text', async () => {
    const { body } = await api().get('/message-templates');
    const listed = body.data.map(
      (one: { kind: string; medium: string }) => `${one.kind} ${one.medium}`,
    );
    expect(listed).toEqual(
      templateKinds.flatMap((kind) => templateMedia.map((medium) => `${kind} ${medium}`)),
    );
    for (const template of body.data) {
      expect(template).toMatchObject({ active: true, version: 0, updated_at: null });
      for (const language of languages) expect(template.texts[language].own).toBe(false);
      expect(await read(`/message-templates/${template.kind}/${template.medium}`)).toEqual(
        template,
      );
    }
    expect((await api().get('/message-templates/order-placed/sms')).status).toBe(400);
    expect((await api().get('/message-templates/reminder/email')).status).toBe(400);
  });

  test.each(['put', 'patch', 'post'] as const)('is changed in part by %s', async (method) => {
    const before = await read();
    const changed = await api()[method](path, { texts: { id: own } });
    expect(changed).toMatchObject({ status: 200, trips: 2 });
    expect(changed.body.data).toMatchObject({
      active: true,
      version: before.version + 1,
      texts: { en: before.texts.en, id: { ...own, own: true } },
    });
    expect(await read()).toEqual(changed.body.data);
    const subject = await api()[method](path, { texts: { id: { subject: 'Baru' } } });
    expect(subject.body.data.texts.id).toMatchObject({ subject: 'Baru', text: own.text });
  });

  test('falls back to the text of the service for parts that are null', async () => {
    const { texts } = await read('/message-templates/welcome/email');
    await api().patch('/message-templates/welcome/email', { texts: { en: { text: 'Hi!' } } });
    const after = await api().patch('/message-templates/welcome/email', { texts: { en: null } });
    expect(after.body.data).toMatchObject({ texts, version: 2 });
  });

  test('keeps its version if an update changes nothing', async () => {
    const at = '/message-templates/order-cancelled/email';
    expect((await api().patch(at, { active: true })).body.data).toMatchObject({ version: 0 });
    const text = { texts: { en: { text: 'It was cancelled.' } } };
    const changed = (await api().patch(at, text)).body.data;
    opened.post.store.clock.advance(1);
    expect((await api().patch(at, text)).body.data).toEqual(changed);
  });

  test('is not written over a change that somebody else made meanwhile', async () => {
    const at = '/message-templates/order-shipped/email';
    const ifMatch = (version: number) => ({ headers: { 'if-match': String(version) } });
    const text = { texts: { en: { text: 'It is on its way.' } } };
    expect((await api().patch(at, text, ifMatch(0))).status).toBe(200);
    expect(await api().patch(at, text, ifMatch(0))).toMatchObject({
      status: 409,
      body: { code: 'rest_conflict' },
    });
    expect((await api().patch(at, text, ifMatch(1))).status).toBe(200);
  });

  test.each([
    [{ text: 'Hello {{password}}' }, 'texts.en.text', '{{password}}'],
    [{ subject: '{{how-to-win}}' }, 'texts.en.subject', '{{how-to-win}}'],
    [{ text: 'Your {{licenses}}' }, 'texts.en.text', '{{licenses}}'],
    [{ text: 'Hello {{name' }, 'texts.en.text', '{{name'],
    [{ subject: ' ' }, 'texts.en.subject', 'must not be empty'],
    [{ approved: { name: 'x', variables: [] } }, 'texts.en.approved', 'only WhatsApp'],
  ])('is refused with %j', async (text, field, problem) => {
    const before = await read();
    const reply = await api().patch(path, { texts: { en: text } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(reply.body.data.params[field]).toContain(problem);
    expect(await read()).toEqual(before);
  });

  test('by WhatsApp has no subject, and may have an approved one with placeholders of its kind', async () => {
    const at = '/message-templates/order-placed/whatsapp';
    const refused = async (text: object, field: string) => {
      const reply = await api().patch(at, { texts: { en: text } });
      expect(reply.status).toBe(400);
      expect(reply.body.data.params).toHaveProperty([`texts.en.${field}`]);
    };
    await refused({ subject: 'Hello' }, 'subject');
    await refused({ approved: { name: 'a', variables: ['tracking'] } }, 'approved.variables');
    const approved = { name: 'order_placed', variables: ['name', 'order-number'] };
    const reply = await api().patch(at, { texts: { en: { approved } } });
    expect(reply.body.data.texts.en.approved).toEqual(approved);
    await api().patch(at, { texts: { en: null } });
  });
});

describe('The texts of the store', () => {
  test("are sent in their language, and in the store's layout", async () => {
    const { post } = opened;
    await api().patch(path, { texts: { id: own, en: null } });
    await post.fixture.set('mail_layout', '<main>{{content}}</main><i>{{store-name}}</i>');
    const buyer = await post.newBuyer({ language: 'id' });
    const { id: product_id } = await post.fixture.newProduct();
    const [message] = await post.told(() =>
      post.fixture.newOrder({ product_id, user_id: buyer.id }),
    );
    expect(message).toMatchObject({ status: 'sent', language: 'id' });
    expect(message?.text).toMatch(/^Halo Dewi Kartika\.\n\nSilakan transfer/);
    expect(message?.subject).toMatch(/^Pesanan INV-/);
    const email = post
      .sender('email')
      .sent()
      .find(({ id }) => id === message?.provider_id);
    expect(email?.html).toMatch(
      /^<main><p[^>]*>Halo Dewi Kartika\.<\/p>.*<\/main><i>Toko Kue<\/i>$/s,
    );
    await post.fixture.set('mail_layout', '');
    await api().patch(path, { texts: { id: null } });
  });

  test('are sent to WhatsApp as its approved template', async () => {
    const at = '/message-templates/welcome/whatsapp';
    const approved = { name: 'welcome', variables: ['name', 'store-name'] };
    await api().patch(at, { texts: { en: { approved } } });
    const { post } = opened;
    const messages = await post.told(() => post.newBuyer());
    const { rows } = await post.store.database.query(
      `select content -> 'approved' as approved from messages where id = any($1) and medium = 'whatsapp'`,
      [messages.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ approved: { name: 'welcome', values: ['Dewi Kartika', 'Toko Kue'] } }]);
    await api().patch(at, { texts: { en: null } });
  });
});

describe('A preview', () => {
  const preview = (body: object, at = path) => api().post(`${at}/preview`, body);
  let order: { id: number; number: string };

  beforeAll(async () => {
    const { post } = opened;
    const buyer = await post.newBuyer({ display_name: 'Sari', language: 'id' });
    const { id } = await post.fixture.newProduct({ title: 'Kursus', price: 350_000 });
    order = await post.fixture.newOrder({
      product_id: id,
      user_id: buyer.id,
      payment_gateway: 'manual',
    });
    await post.store.settled();
  });

  test('uses a real order, in the language of its buyer or another one', async () => {
    const { body } = await preview({ order_id: order.id });
    expect(body.data).toMatchObject({
      language: 'id',
      subject: expect.stringContaining(order.number),
    });
    expect(body.data.text).toContain('Rp350.000');
    expect(body.data.html).toContain('Rp350.000');
    const english = await preview({ order_id: order.id, language: 'en' });
    expect(english.body.data.text).toContain('IDR 350,000');
  });

  test.each(
    templateKinds.flatMap((kind) => templateMedia.map((medium) => [kind, medium] as const)),
  )(
    'of %s by %s is filled in with an invented order, and with a real one',
    async (kind, medium) => {
      const at = `/message-templates/${kind}/${medium}`;
      for (const body of [{}, { language: 'id' }, { order_id: order.id }]) {
        const reply = await preview(body, at);
        expect(reply.status).toBe(200);
        const { text, subject, html } = reply.body.data;
        expect(`${subject}${text}${html ?? ''}`).not.toMatch(/\{\{|undefined|NaN|\[object/);
        expect(html === null).toBe(medium === 'whatsapp');
      }
    },
  );

  test.each([
    ['order-placed', 'amount', 'IDR 350,123'],
    ['order-placed', 'product-name', 'Baking for Beginners'],
    ['subscription-ended', 'amount', 'IDR 50,000'],
    ['confirmation-rejected', 'reason', 'The picture cannot be read.'],
    ['order-refunded', 'reason', 'One lesson was missing.'],
    ['webhook-paused', 'reason', 'its receiver has been failing for five days'],
    ['unexpected-payment', 'reason', 'the order had already been paid'],
  ])('for %s explains its {{%s}}', async (kind, name, value) => {
    const body = { text: `{{${name}}}`, language: 'en' };
    const { data } = (await preview(body, `/message-templates/${kind}/email`)).body;
    expect(data.text).toBe(value);
  });

  test('of a draft checks it like a stored template, and does not store it', async () => {
    const before = await read();
    const draft = { subject: 'S {{order-number}}', text: 'T {{amount}}' };
    const reply = await preview({ order_id: order.id, language: 'en', ...draft });
    expect(reply.body.data).toMatchObject({ subject: `S ${order.number}`, text: 'T IDR 350,000' });
    expect(await preview({ text: '{{nonsense}}' })).toMatchObject({ status: 400 });
    expect(await preview({ order_id: 999_999 })).toMatchObject({ status: 404 });
    expect(await read()).toEqual(before);
  });

  test('neither sends nor stores a message', async () => {
    expect(await opened.post.told(() => preview({ order_id: order.id }))).toEqual([]);
  });
});

describe('A template that is tried out', () => {
  test.each([
    ['email', 'me@shop.example', 'me@shop.example'],
    ['whatsapp', '0812-3456-7890', '+6281234567890'],
  ] as const)('is sent by %s to the address that is named', async (medium, recipient, to) => {
    const { post } = opened;
    const at = `/message-templates/order-placed/${medium}/test`;
    const [message, ...others] = await post.told(async () => {
      const reply = await api().post(at, { recipient, text: 'Draft for {{name}}' });
      expect(reply).toMatchObject({
        status: 201,
        body: { data: { kind: 'test', status: 'queued' } },
      });
    });
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: 'test',
      status: 'sent',
      recipient: to,
      text: 'Draft for Dewi Kartika',
      user_id: null,
    });
    expect(post.sender(medium).sent().at(-1)).toMatchObject({ to: to.replace('+', '') });
  });

  test.each([
    'a@shop.example, b@shop.example',
    'a@shop.example;b@shop.example',
    'a@shop.example\r\nBcc: b@shop.example',
    'Name <a@shop.example>',
    'nobody',
  ])('is refused by e-mail if the recipient is not exactly one address: %j', async (recipient) => {
    const told = await opened.post.told(async () => {
      const reply = await api().post('/message-templates/welcome/email/test', { recipient });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params).toEqual({ recipient: 'must be one e-mail address' });
    });
    expect(told).toEqual([]);
  });

  test.each([
    '081234567890, 081234567891',
    '081234567890;081234567891',
    '0812\r\n34567890',
    'tel:+62812345678',
    '++62812345678',
    '0812345678\n0813345678',
    '+62812 +62813',
  ])('is refused by WhatsApp if the recipient is not exactly one number: %j', async (recipient) => {
    const told = await opened.post.told(async () => {
      const reply = await api().post('/message-templates/welcome/whatsapp/test', { recipient });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params).toEqual({ recipient: 'must be one phone number' });
    });
    expect(told).toEqual([]);
  });

  test('fails with invalid_number if the sender does not know the number', async () => {
    const [message] = await opened.post.told(() =>
      api().post('/message-templates/welcome/whatsapp/test', { recipient: 'nobody' }),
    );
    expect(message).toMatchObject({ status: 'failed', last_error: 'invalid_number' });
  });

  test('fails with invalid_number for a national number if the store has no country', async () => {
    const { fixture, sender, told } = opened.post;
    await fixture.set('country', '');
    const sentTo = async (recipient: string) => {
      const before = sender('whatsapp').sent().length;
      const send = () => api().post('/message-templates/welcome/whatsapp/test', { recipient });
      const [message] = await told(send);
      return [message?.last_error ?? message?.status, sender('whatsapp').sent().length - before];
    };
    expect(await sentTo('0812 3456 7890')).toEqual(['invalid_number', 0]);
    expect(await sentTo('+62 812 3456 7890')).toEqual(['sent', 1]);
    await fixture.set('country', 'ID');
    expect(await sentTo('0812 3456 7890')).toEqual(['sent', 1]);
  });
});

describe('Without a sender', () => {
  const silent = usePost(['resend']);

  test('a test message is refused', async () => {
    const reply = await silent.post.fixture.api.post('/message-templates/welcome/whatsapp/test', {
      recipient: '081234567890',
    });
    expect(reply).toMatchObject({ status: 409, body: { code: 'message_no_sender' } });
    expect(await silent.post.log()).toEqual([]);
  });
});
