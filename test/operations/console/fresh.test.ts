import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isInConsole } from '../../../src/domain/user/capabilities.ts';
import { endpoints } from '../../../src/endpoints.ts';
import { type ApiClient, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

/** Writes of the console that take any session, with the reason. */
const notFresh: Readonly<Record<string, readonly string[]>> = {
  'sells, and is taken back as easily': [
    'orders.create',
    'products.create',
    'products.update',
    'products.delete',
    'coupons.create',
    'coupons.update',
    'coupons.delete',
    'media.upload',
    'groups.create',
    'groups.update',
    'groups.delete',
    'users.setGroup',
  ],
  'says that money came or went, and sends none': [
    'orders.confirm',
    'orders.paymentGateway',
    'confirmations.create',
    'confirmations.review',
    'confirmations.delete',
    'payments.resolveMutation',
    'refunds.resolve',
    'payoutRuns.setResult',
    'payoutRuns.setResults',
  ],
  'opens what was bought, or closes it': [
    'access.create',
    'access.delete',
    'access.updateProducts',
    'access.createContent',
    'access.updateContent',
    'access.updateBlockMessage',
    'access.deleteContent',
    'files.create',
    'files.update',
    'files.uploadPart',
    'files.complete',
    'files.delete',
    'risks.decide',
    'subscriptions.update',
    'subscriptions.pause',
    'subscriptions.resume',
    'subscriptions.cancel',
    'licenses.create',
    'licenses.update',
    'licenses.register',
    'licenses.reset',
    'licenses.resetByQuery',
    'licenses.unregister',
    'licenses.unregisterByQuery',
    'licenses.validate',
    'licenses.validateByQuery',
  ],
  'has commissions wait again; paying them out is on the list': [
    'commissions.delete',
    'payouts.cancel',
    'payoutRuns.create',
    'payoutRuns.discard',
  ],
  'sends what was written before to whom it was written for, or stops it': [
    'messages.resend',
    'messages.cancel',
    'messageSuppressions.delete',
    'reminders.resend',
    'reminders.delete',
    'reminderTemplates.delete',
    'webhooks.test',
    'webhooks.replay',
    'webhooks.resend',
  ],
  'is the way to a fresh sign-in': ['console.session.sendCode', 'console.session.renew'],
  'takes something away that is in danger': [
    'webhooks.delete',
    'keys.revoke',
    'console.session.delete',
    'console.sessions.delete',
    'console.accountSessions.delete',
    'me.users.revokeSessions',
  ],
};

const unfresh = Object.values(notFresh).flat();

const ofConsole = endpoints.filter(({ access, effect, id }) => {
  if (effect !== 'write' || id.startsWith('mcp.')) return false;
  if (access.kind === 'console') return true;
  if (access.kind === 'admin') return access.console === true;
  return access.kind === 'key' && access.scopes.some(isInConsole);
});

describe('Every write that a session of the console may use', () => {
  test.each(ofConsole)(
    '$id requires a fresh sign-in, or is a listed exception',
    ({ id, fresh }) => {
      expect([fresh !== undefined, unfresh.includes(id)]).toContain(true);
      expect(fresh !== undefined && unfresh.includes(id), 'it is on both lists').toBe(false);
    },
  );

  test('is on the list of exceptions only if it exists', () => {
    const ids = new Set(ofConsole.map(({ id }) => id));
    expect(unfresh.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(unfresh).size).toBe(unfresh.length);
  });
});

const opened = useStoreFixture();
const root = '//console/api/v1';
const again = { status: 403, body: { code: 'svc_console_sign_in_again' } };
let client: ApiClient;
let course: number;

beforeAll(async () => {
  await opened.fixture.set('currency', 'IDR');
  await opened.fixture.set('currency_exponent', 0);
  course = (await opened.fixture.newProduct()).id;
});

beforeEach(async () => {
  const { fixture } = opened;
  await fixture.set('refund_sign_in_above', 0);
  const { id } = await fixture.newAdministrator();
  client = fixture.store.client(fromConsole(await fixture.store.consoleSession(id)));
  fixture.store.clock.advance(10 * 60 + 1);
});

const paid = async () => {
  const { fixture } = opened;
  const { id } = await fixture.newOrder({ product_id: course });
  await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  return id;
};

describe('A session that was signed in eleven minutes ago', () => {
  test.each([{ email: 'thief@evil.example' }, { phone: '+6281100009' }])(
    'may not change the address of a person: %o',
    async (fields) => {
      const { id } = await opened.fixture.newUser();
      expect(await client.patch(`${root}/users/${id}`, fields)).toMatchObject(again);
      expect((await opened.fixture.api.patch(`/users/${id}`, fields)).status).toBe(200);
    },
  );

  test('changes a name', async () => {
    const { id } = await opened.fixture.newUser();
    const reply = await client.patch(`${root}/users/${id}`, { display_name: 'Renamed' });
    expect(reply.status).toBe(200);
  });

  test('erases no user, and changes or tests no template', async () => {
    const { id } = await opened.fixture.newUser();
    expect(await client.delete(`${root}/users/${id}`)).toMatchObject(again);
    const template = `${root}/message-templates/order-placed/email`;
    const texts = { en: { subject: 'Pay into our new account' } };
    expect(await client.patch(template, { texts })).toMatchObject(again);
    const recipient = 'anybody@other.example';
    expect(await client.post(`${template}/test`, { recipient })).toMatchObject(again);
    const reminder = { order_id: await paid(), title: 'Pay', content: 'To 1234', recipient };
    expect(await client.post(`${root}/reminders`, reminder)).toMatchObject(again);
  });

  test('deletes an unpaid order, but not a paid one', async () => {
    const { id } = await opened.fixture.newOrder({ product_id: course });
    expect((await client.delete(`${root}/orders/${id}`)).status).toBe(200);
    const sold = await paid();
    expect(await client.delete(`${root}/orders/${sold}`)).toMatchObject(again);
    expect((await opened.fixture.order(sold)).status).toBe('completed');
  });

  test('refunds no money in any way', async () => {
    const id = await paid();
    expect(await client.post(`${root}/orders/${id}/refunds`, { amount: 1 })).toMatchObject(again);
    const order = `${root}/orders/${id}`;
    expect(await client.patch(order, { status: 'refunded' })).toMatchObject(again);
    expect((await client.patch(order, { status: 'in-progress' })).status).toBe(200);
    expect(await client.patch(order, { status: 'cancelled' })).toMatchObject(again);
    expect((await opened.fixture.order(id)).refunded_total).toBe(0);
  });

  test('refunds up to the limit of the store, while an API key may refund any amount', async () => {
    await opened.fixture.set('refund_sign_in_above', 5000);
    const refunds = `/orders/${await paid()}/refunds`;
    expect(await client.post(root + refunds, { amount: 5001 })).toMatchObject(again);
    expect((await client.post(root + refunds, { amount: 5000 })).status).toBe(201);
    expect((await opened.fixture.api.post(refunds, { amount: 6000 })).status).toBe(201);
  });

  test('refunds no more of an order in parts than at once', async () => {
    await opened.fixture.set('refund_sign_in_above', 5000);
    const refunds = `${root}/orders/${await paid()}/refunds`;
    expect((await client.post(refunds, { amount: 3000 })).status).toBe(201);
    expect(await client.post(refunds, { amount: 2001 })).toMatchObject(again);
    expect((await client.post(refunds, { amount: 2000 })).status).toBe(201);
    expect(await client.post(refunds, { amount: 1 })).toMatchObject(again);
  });
});

test('A session that was signed in ten minutes ago makes a refund in two trips', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newAdministrator();
  const fresh = fixture.store.client(fromConsole(await fixture.store.consoleSession(id)));
  const order = await paid();
  fixture.store.clock.advance(10 * 60);
  const reply = await fresh.post(`${root}/orders/${order}/refunds`, {});
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  const sold = await paid();
  expect((await fresh.delete(`${root}/orders/${sold}`)).status).toBe(200);
});
