import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { mainRoute } from '../contract/routes.ts';
import { ignoresOthers, shapeOf } from '../contract/schemas.ts';
import { useScene } from '../contract/scene.ts';
import { provedElsewhere } from './elsewhere.ts';
import document from '../contract/openapi.snapshot.json' with { type: 'json' };

const stage = useScene();

/** Values that reveal a column that accepted one of them. */
const marked = { number: 777_000_777, text: 'smuggled', moment: '1999-09-09T09:09:09.000Z' };
const mark = /777000777|smuggled|1999-09-09/;

/** Every column by name, with a value that it could hold. */
let smuggled: Record<string, unknown>;
/** Selects every row of every table as JSON. */
let everything: string;

beforeAll(async () => {
  const { rows } = await stage.scene.store.database.query<{
    table: string;
    name: string;
    type: string;
  }>(
    `select table_name as table, column_name as name, data_type as type
       from information_schema.columns join information_schema.tables using (table_name)
      where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE'`,
  );
  smuggled = Object.fromEntries(rows.map(({ name, type }) => [name, valueFor(type)]));
  everything = [...new Set(rows.map(({ table }) => table))]
    .map((table) => `select '${table}' as name, to_jsonb(t)::text as row from "${table}" t`)
    .join(' union all ');
});

function valueFor(type: string): unknown {
  if (/int|numeric|double/.test(type)) return marked.number;
  if (/timestamp|date/.test(type)) return marked.moment;
  if (type === 'boolean') return true;
  if (type === 'ARRAY') return [marked.text];
  return type === 'jsonb' ? { [marked.text]: marked.text } : marked.text;
}

describe('API3:2023 Broken object property level authorization', () => {
  provedElsewhere({
    'contract/input.test.ts': ['unknown fields are ignored and named'],
    'kernel/endpoint/projection.test.ts': ["describe('A projection'"],
    'operations/users/administrators.test.ts': ['is neither given nor taken with an API key'],
    'kernel/events/webhooks.test.ts': [
      'is updated in part, only in the version that was read, and never shows its secret',
    ],
    'harness/client.ts': [
      'const parsed = endpoint.reply[1].parse(body);',
      'if (!isDeepStrictEqual(parsed, body)) expect(parsed).toEqual(body);',
    ],
  });

  describe('mass assignment: a column that is no field of the body is reported, and not written', () => {
    const writes = endpoints.filter(
      ({ body, effect }) => effect === 'write' && ignoresOthers(body),
    );
    test.each(writes)('$id', async (endpoint) => {
      const { scene } = stage;
      const { database } = scene.store;
      const fields = Object.keys(shapeOf(endpoint.body));
      const others = Object.keys(smuggled).filter((name) => !fields.includes(name));
      const example = await scene.example(endpoint);
      const body = {
        ...Object.fromEntries(others.map((name) => [name, smuggled[name]])),
        ...example.body,
      };
      const caller = await scene.caller(endpoint, example);
      const reply = await scene.call(caller, mainRoute(endpoint), example, { body });
      expect(reply).toMatchObject({ status: endpoint.reply[0] });
      // Replies in other formats can't name them.
      const named = 'meta' in shapeOf(endpoint.reply[1]) ? others : [];
      expect(new Set(reply.body.meta?.ignored_fields)).toEqual(new Set(named));
      const { meta: _, ...rest } = reply.body;
      expect(JSON.stringify(rest)).not.toMatch(mark);
      const { rows } = await database.query<{ name: string; row: string }>(everything);
      expect(rows.filter(({ name, row }) => name !== 'idempotency_keys' && mark.test(row))).toEqual(
        [],
      );
    });
  });

  test('no reply has a property with the name of a secret, unless the secret was requested', () => {
    const found = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string; responses?: object }>).flatMap(
        ({ operationId = '', responses }) =>
          [...namesIn(responses)]
            .filter((name) => secret.test(name))
            .map((name) => `${operationId} ${name}`),
      ),
    );
    expect([...new Set(found)].sort()).toEqual(asked);
  });

  test('no reply to a read contains a stored secret', async () => {
    const { scene } = stage;
    for (const endpoint of endpoints.filter(({ effect }) => effect === 'read')) {
      const example = await scene.example(endpoint);
      const caller = await scene.caller(endpoint, example);
      const { body } = await scene.call(caller, mainRoute(endpoint), example);
      const { rows } = await scene.store.database.query<{ secret: string }>(
        'select hash as secret from api_key_secrets union select secret from webhooks',
      );
      const text = JSON.stringify(body ?? '');
      expect(
        rows.filter(({ secret }) => text.includes(secret)),
        endpoint.id,
      ).toEqual([]);
    }
  });
});

const secret =
  /hash|secret(?!_expires_at)|pepper|passw|token(?!_type)|private|signature|credential|access_code/i;

/** Endpoints whose purpose is to show a secret. */
const asked = [
  'checkoutQuote quote_token',
  'meSwitchBack token',
  'meSwitchUser token',
  'sessionsCreate token',
  'webhooksCreate secret',
  'webhooksRotate secret',
];

/** The names of the properties in a part of the document, with resolved references. */
function* namesIn(part: unknown, seen = new Set<unknown>()): Generator<string> {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  for (const [key, value] of Object.entries(part)) {
    if (key === 'properties') yield* Object.keys(value as object);
    if (key === 'example' || key === 'examples') continue;
    if (key === '$ref') yield* namesIn(resolved(String(value)), seen);
    else yield* namesIn(value, seen);
  }
}

const resolved = (reference: string) =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
