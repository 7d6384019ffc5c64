import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { document, document30 } from './openapi.ts';

const { schemas = {} } = document30.components;

/** A field of a component. */
const field = (component: string, name: string) =>
  (schemas[component] as { properties: Record<string, object> }).properties[name];

describe('The document as OpenAPI 3.0', () => {
  test('is valid', async () => {
    const validator = new Validator();
    const { errors } = await validator.validate({ ...structuredClone(document30) });
    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.0');
  });

  test('has the operations, the components and the events of the other', () => {
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

  test('says that a value may be null, of texts, records and lists of values', () => {
    expect(field('Order', 'coupon_code')).toMatchObject({ type: 'string', nullable: true });
    expect(field('Order', 'shipping')).toMatchObject({
      type: 'object',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/OrderShipping' }],
    });
    expect(field('OrderHistoryEntry', 'from')).toMatchObject({
      type: 'string',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/OrderStatus' }],
    });
  });

  test('keeps what stands beside a reference, a constant and an example', () => {
    expect(field('Order', 'status')).toEqual({
      allOf: [{ $ref: '#/components/schemas/OrderStatus' }],
      example: 'in-progress',
    });
    expect(field('OrderReply', 'success')).toEqual({ type: 'boolean', enum: [true] });
  });

  test('keeps the examples of requests and replies as they are', () => {
    const shown = ({ paths }: Pick<typeof document, 'paths'>) =>
      paths['/api/svc/v1/orders']?.['post']?.responses['201']?.content;
    expect(shown(document30)).toEqual(shown(document));
  });
});
