import { fromConsole } from '../harness/client.ts';
import { describe, expect, test } from 'vitest';
import { generateToken } from '../../src/kernel/auth/secret-token.ts';
import { isConditional, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { askedOf } from './kinds.ts';
import { mainRoute, pathParameters } from './routes.ts';
import { refusesOthers } from './schemas.ts';
import { type Changes, authorization, useScene } from './scene.ts';

const stage = useScene();

const plainWrites = endpoints.filter((endpoint) => keepsAnswers(endpoint));
const asked = askedOf(plainWrites);

let keys = 0;
const newKey = () => ({ 'idempotency-key': `test-key-number-${++keys}` });
const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotency-replayed');

describe('one key stands for one request, one effect and one answer', () => {
  test.each(asked)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const headers = newKey();
    const ask = (changes: Changes = {}) =>
      scene.call(caller, mainRoute(endpoint), example, { headers, ...changes });
    const first = await ask();
    expect(first).toMatchObject({ status: endpoint.reply[0] });
    expect(replayed(first)).toBeNull();
    const before = await scene.contents();

    const quoted = { 'idempotency-key': `"${headers['idempotency-key']}"` };
    for (const changes of [{}, { headers: quoted }]) {
      const again = await ask(changes);
      expect(again).toMatchObject({ status: first.status, body: first.body, trips: 1 });
      expect(replayed(again)).toBe('true');
    }
    const mismatch = { status: 422, body: { code: 'rest_idempotency_mismatch' } };
    const isStrict = refusesOthers(endpoint.body) || refusesOthers(endpoint.query);
    const unknown = isStrict ? { status: 400, body: { code: 'rest_invalid_param' } } : mismatch;
    expect(await ask({ headers: { ...headers, 'if-match': '1' } })).toMatchObject(mismatch);
    expect(await ask({ query: { another: '1' } })).toMatchObject(unknown);
    if (endpoint.body)
      expect(await ask({ body: { ...example.body, another: 1 } })).toMatchObject(unknown);
    expect(await scene.contents()).toEqual(before);
  });
});

describe('two equal requests at the same time have one effect and one answer', () => {
  test.each(asked)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const headers = newKey();
    const ask = () => scene.call(caller, mainRoute(endpoint), example, { headers });
    const [first, ...others] = await Promise.all([ask(), ask()]);
    expect(first).toMatchObject({ status: endpoint.reply[0] });
    for (const { status, body } of others) expect({ status, body }).toEqual(answerOf(first));
    const marks = [first, ...others].map(replayed);
    expect(marks.filter((mark) => mark === 'true')).toHaveLength(1);
    for (const { trips } of others) expect(trips).toBeLessThanOrEqual(3);
  });
});

describe('a refusal that may succeed on a retry does not use up the key', () => {
  test.each(asked)('$id', async (endpoint) => {
    const { scene } = stage;
    const route = mainRoute(endpoint);
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const headers = newKey();
    const stranger = scene.client({
      ...authorization(generateToken('svcapi').token),
      ...fromConsole(),
    });
    expect((await scene.call(stranger, route, example, { headers })).status).toBe(401);
    if (isConditional(endpoint)) {
      const malformed = { headers: { ...headers, 'if-match': 'x' } };
      expect((await scene.call(caller, route, example, malformed)).status).toBe(400);
    }
    const reply = await scene.call(caller, route, example, { headers });
    expect(reply).toMatchObject({ status: endpoint.reply[0] });
    expect(replayed(reply)).toBeNull();
  });
});

describe("a caller's key means nothing for another caller", () => {
  test.each(asked)('$id', async (endpoint) => {
    const { scene } = stage;
    const route = mainRoute(endpoint);
    const example = await scene.example(endpoint);
    const headers = newKey();
    await scene.call(await scene.caller(endpoint, example), route, example, { headers });
    const other = await scene.anotherCaller(endpoint);
    if (!other) return;
    const changes = { headers, query: { another: '1' } };
    const reply = await scene.call(other, route, example, changes);
    expect(reply.body.code).not.toBe('rest_idempotency_mismatch');
    expect(replayed(reply)).toBeNull();
  });
});

describe('a refusal of the domain is stored like a success', () => {
  const withRecord = asked.filter(
    (endpoint) => pathParameters(mainRoute(endpoint), 'id').length > 0,
  );
  test.each(withRecord)('$id', async (endpoint) => {
    const { scene } = stage;
    const route = mainRoute(endpoint);
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const unknown = Object.fromEntries(
      pathParameters(route, 'id').map((name) => [name, 999_999_999]),
    );
    const changes = { headers: newKey(), params: { ...example.params, ...unknown } };
    const first = await scene.call(caller, route, example, changes);
    const again = await scene.call(caller, route, example, changes);
    expect(first.status).toBe(404);
    expect(answerOf(again)).toEqual(answerOf(first));
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
  });
});

test('the same JSON in other bytes counts as another request', async () => {
  const { api } = stage.scene;
  const headers = newKey();
  const answers = [];
  for (const body of ['{"name":"Early"}', '{"name": "Early"}', '{"name":"Early"}']) {
    answers.push(await api.request('POST', '/user-groups', { body, headers }));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 201]);
});

test('a refusal by the database is stored as well', async () => {
  const { api } = stage.scene;
  const headers = newKey();
  const group = (name: string) => api.post('/user-groups', { name }, { headers });
  await api.post('/user-groups', { name: 'Taken' });
  const first = await group('Taken');
  const again = await group('Taken');
  expect(first).toMatchObject({ status: 409, body: { code: 'group_name_exists' } });
  expect(answerOf(again)).toEqual(answerOf(first));
  expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
});

const answerOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
