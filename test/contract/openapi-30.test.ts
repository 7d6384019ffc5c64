import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { document, document30, objectsIn } from './openapi.ts';

const { schemas = {} } = document30.components;

const field = (component: string, name: string) =>
  (schemas[component] as { properties: Record<string, object> }).properties[name];

describe('OpenAPI 3.0', () => {
  test('The document is valid', async () => {
    const validator = new Validator();
    const { errors } = await validator.validate({ ...structuredClone(document30) });
    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.0');
  });

  test('The document has the same operations, components and events as the 3.1 document', () => {
    const operations = ({ paths }: Pick<typeof document, 'paths'>) =>
      Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => [path, method, operationId]),
      );
    expect(operations(document30)).toEqual(operations(document));
    for (const [kind, named] of Object.entries(document.components)) {
      expect(Object.keys(document30.components[kind] ?? {})).toEqual(Object.keys(named));
    }
    expect(Object.keys(document30['x-webhooks'])).toEqual(Object.keys(document.webhooks));
  });

  test('The document names the 3.0 version that every generator reads', () => {
    expect(document30).toMatchObject({ openapi: '3.0.3' });
  });

  test('The document marks a nullable record beside its reference, and a nullable value in place', () => {
    expect(field('Order', 'coupon_code')).toMatchObject({ type: 'string', nullable: true });
    expect(field('Order', 'shipping')).toMatchObject({
      type: 'object',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/OrderShipping' }],
    });
    const { enum: statuses } = schemas['OrderStatus'] as { enum: string[] };
    expect(field('OrderHistoryEntry', 'from')).toMatchObject({
      type: 'string',
      nullable: true,
      enum: statuses,
    });
  });

  test('The document refers to named schemas by a plain reference, and gives constants as lists of one value', () => {
    expect(field('Order', 'status')).toEqual({ $ref: '#/components/schemas/OrderStatus' });
    expect(field('OrderReply', 'success')).toEqual({ type: 'boolean', enum: [true] });
  });

  test('A reference has other keywords beside it only if it leads to an object, and no list of values has an empty text', () => {
    const all = [...objectsIn(document30)];
    const combined = all.flatMap(([pointer, { allOf }]) =>
      Array.isArray(allOf) && allOf.length === 1 ? [[pointer, allOf[0]] as const] : [],
    );
    expect(combined.length).toBeGreaterThan(0);
    for (const [pointer, { $ref = '' }] of combined)
      expect(schemas[$ref.split('/').at(-1) ?? ''], pointer).toMatchObject({ type: 'object' });
    expect(all.flatMap(([, { enum: values }]) => values ?? [])).not.toContain('');
    expect(field('SettingsUpdate', 'site_url')).toEqual({
      type: 'string',
      description: expect.any(String),
      example: expect.any(String),
    });
  });

  test('The document keeps the examples of requests and replies as they are', () => {
    const shown = ({ paths }: Pick<typeof document, 'paths'>) =>
      paths['/api/svc/v1/orders']?.['post']?.responses['201']?.content;
    expect(shown(document30)).toEqual(shown(document));
  });
});
