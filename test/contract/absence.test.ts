import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { isTool } from '../../src/modules/mcp/tools.ts';
import { toolsOf } from '../../src/openapi/tools.ts';
import { document } from './openapi.ts';
import { mainRoute } from './routes.ts';
import { useScene } from './scene.ts';
import { refusesOthers, requiredFields, shapeOf } from './schemas.ts';

const stage = useScene();

/**
 * Writes in which a missing field means everything, or no limit, of money, access or seats; with those fields. An
 * unknown field may be one of them, misspelt.
 */
const everything: Record<string, readonly string[]> = {
  'refunds.create': ['amount'],
  'payouts.create': ['date_end'],
  'payoutRuns.create': ['until', 'minimum', 'affiliates', 'exclude'],
  // If a caller misspells it, a paid order is refunded instead of the deletion being refused.
  'orders.delete': ['force'],
  'licenses.reset': ['string', 'host', 'product_id', 'user_id'],
  'licenses.resetByQuery': ['string', 'host', 'product_id', 'user_id'],
  'licenses.register': ['product_id', 'user_id'],
  'licenses.unregister': ['product_id', 'user_id'],
  'licenses.unregisterByQuery': ['product_id', 'user_id'],
  'licenses.create': ['activation_limit', 'expires_at'],
  'access.create': ['end_active', 'start'],
  'access.updateProducts': ['end_active'],
  'access.createContent': ['drip_day', 'release_at', 'match'],
  'files.create': ['option_id', 'content_id'],
  'subscriptions.pause': ['until'],
  'coupons.create': [
    'limit_use',
    'limit_use_per_user',
    'limit_date',
    'start_date',
    'rule',
    'user_id',
  ],
  'me.coupons.create': ['limit_use', 'limit_date', 'rule', 'user_id'],
  'groups.create': ['min_sales_for_upline'],
  'keys.create': ['expires_at', 'ip_allow'],
};

/** Writes that move all of a sum; with the fields that callers may expect for a part of it. */
const whole: Record<string, readonly string[]> = {
  'payments.resolveUnexpected': ['amount'],
  'refunds.resolve': ['amount'],
};

/** All other writes with optional fields, by the meaning of their absence. */
const harmless: Record<string, readonly string[]> = {
  'what is left out stays as it was': [
    'orders.update',
    'products.update',
    'coupons.update',
    'commissions.update',
    'payoutRuns.setResult',
    'access.updateContent',
    'files.update',
    'access.updateBlockMessage',
    'licenses.update',
    'subscriptions.update',
    'users.update',
    'groups.update',
    'reminders.update',
    'reminderTemplates.update',
    'messageTemplates.update',
    'me.profile.update',
    'me.users.update',
    'me.settings.update',
    'webhooks.update',
    'keys.update',
    'staffRoles.update',
  ],
  'only to say it goes further': ['products.delete', 'users.setGroup', 'risks.decide'],
  'one item, at its price, to be paid': ['orders.create'],
  'it moves no money, access or seats': [
    'orders.confirm',
    'subscriptions.cancel',
    'me.subscriptions.cancel',
    'confirmations.create',
    'confirmations.review',
    'payments.resolveMutation',
    'licenses.validate',
    'licenses.validateByQuery',
    'users.create',
    'sessions.create',
    'me.orders.updateStatus',
    'me.media.uploadImage',
    'me.switchUser',
    'reminders.create',
    'reminderTemplates.create',
    'messageTemplates.test',
    'webhooks.create',
  ],
  'the contract has other fields of products ignored': ['products.create'],
  'clients of another shop send what they please': [
    'eddSl.answer',
    'eddSl.answerByQuery',
    'slm.answer',
    'slm.answerByQuery',
  ],
};

const mayLeaveOut = ({ query, body }: Endpoint): boolean =>
  [query, body].some(
    (schema) => Object.keys(shapeOf(schema)).length > requiredFields(schema).length,
  );

const named = { ...everything, ...whole };

const strict = endpoints.filter(({ id }) => Object.hasOwn(named, id));

test('every write with optional fields documents what their absence means', () => {
  const writes = endpoints.filter((one) => one.effect === 'write' && mayLeaveOut(one));
  expect(writes.map(({ id }) => id).sort()).toEqual(
    [...Object.keys(everything), ...Object.values(harmless).flat()].sort(),
  );
});

test('unknown fields are refused only by writes in which a missing field means everything, or the whole sum', () => {
  const refusing = endpoints.filter(
    ({ query, body }) => refusesOthers(query) || refusesOthers(body),
  );
  expect(refusing.map(({ id }) => id).sort()).toEqual(Object.keys(named).sort());
});

/** An unknown name, and a field's name as callers misspell it. */
const misspelled = (name: string): string[] => [
  name,
  `${name[0]}${name}`,
  name.slice(1),
  name[0]?.toUpperCase() + name.slice(1),
  name.replace(/$|_(\w)/, (_, letter?: string) => letter?.toUpperCase() ?? 's'),
  `${name} `,
];

describe('an unknown field is refused where absence means everything, and nothing happens', () => {
  test.each(strict)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    const known = [...Object.keys(shapeOf(endpoint.body)), ...Object.keys(shapeOf(endpoint.query))];
    const names = ['data', '__proto__', ...(named[endpoint.id] ?? []).flatMap(misspelled)];
    for (const name of names.filter((name) => !known.includes(name))) {
      const inBody = {
        body: `{${[fieldsOf(example.body), `${JSON.stringify(name)}:1`].filter(Boolean).join()}}`,
      };
      const inQuery = { query: { [name]: '1' } };
      for (const change of endpoint.body ? [inBody, inQuery] : [inQuery]) {
        const reply = await scene.call(caller, mainRoute(endpoint), example, change);
        expect(reply, name).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
        expect(Object.keys(reply.body.data.params), name).toEqual([name]);
      }
    }
    expect(await scene.contents()).toEqual(before);
  });
});

const fieldsOf = (body: unknown) => JSON.stringify(body ?? {}).slice(1, -1);

test.each(['coupons.create', 'me.coupons.create'])(
  'an unknown rule creates no coupon by %s',
  async (id) => {
    const { scene } = stage;
    const endpoint = strict.find((one) => one.id === id) as Endpoint;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const body = { ...(example.body as object), rule: { apply_olny: [1], max_discount: 1 } };
    const reply = await scene.call(caller, mainRoute(endpoint), example, { body });
    expect(reply).toMatchObject({
      status: 400,
      body: { data: { params: { 'rule.apply_olny': expect.any(String) } } },
    });
  },
);

test('a parameter without a value is refused where absence means everything', async () => {
  const { scene } = stage;
  const endpoint = strict.find(({ id }) => id === 'licenses.resetByQuery') as Endpoint;
  const example = await scene.example(endpoint);
  const caller = await scene.caller(endpoint, example);
  const before = await scene.contents();
  for (const name of ['string', 'host', 'product_id']) {
    const { [name]: _, ...others } = example.query ?? {};
    const search = new URLSearchParams({ ...others, [name]: '' }).toString();
    const reply = await scene.call(caller, mainRoute(endpoint), example, { search });
    expect(reply).toMatchObject({
      status: 400,
      body: { data: { params: { [name]: expect.any(String) } } },
    });
  }
  expect(await scene.contents()).toEqual(before);
});

test('the document and the tools say which bodies accept no unknown fields', () => {
  expect(document.components['schemas']?.['RefundCreate']).toMatchObject({
    additionalProperties: false,
  });
  expect(document.components['schemas']?.['OrderCreate']).not.toHaveProperty(
    'additionalProperties',
  );
  const tools = toolsOf(endpoints, document as never).map(({ tool }) => tool);
  const closed = tools.filter(({ inputSchema }) => 'additionalProperties' in inputSchema);
  const asTools = strict.filter(isTool);
  expect(closed.map(({ name }) => name).sort()).toEqual(
    asTools.map(({ id }) => id.replace('.', '_')).sort(),
  );
});
