import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { placeholder } from '../../src/openapi/example.ts';
import { vocabulary } from '../../src/openapi/vocabulary.ts';
import { document, objectsIn, isInExample } from './openapi.ts';

describe('Examples', () => {
  /** Returns a function that finds an example's faults by the schema at a JSON pointer. */
  const faultFinder = () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'openapi');
    return (pointer: string, example: unknown) => {
      const validate = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
      return validate(example) ? [] : (validate.errors ?? []).map((error) => ({ pointer, error }));
    };
  };

  test('are valid by their schemas', () => {
    const faults = faultFinder();
    const found = [...objectsIn()].flatMap(([pointer, object]) => {
      if (isInExample(pointer)) return [];
      const own = isSchema(pointer) && Array.isArray(object['examples']) ? object['examples'] : [];
      return [
        ...own.flatMap((example) => faults(pointer, example)),
        ...(object['example'] !== undefined && object['schema']
          ? faults(`${pointer}/schema`, object['example'])
          : []),
      ];
    });
    expect(found).toEqual([]);
  });

  test('of errors are valid by the schema of errors', () => {
    const faults = faultFinder();
    const examples = Object.values(document.components['examples'] ?? {}) as { value: unknown }[];
    expect(examples.flatMap(({ value }) => faults('/components/schemas/ApiError', value))).toEqual(
      [],
    );
  });

  test.each([
    ['users', vocabulary['user_id']],
    ['orders', vocabulary['order_id']],
  ])('of the id after /%s in a path are the same in all operations', (noun, id) => {
    const shown = Object.entries(document.paths)
      .filter(([path]) => path.includes(`/${noun}/{id}`))
      .flatMap(([, item]) => Object.values(item))
      .map(({ parameters }) => parameters.find(({ name }) => name === 'id')?.example);
    expect(new Set(shown)).toEqual(new Set([id]));
  });

  test('exist for everything that is sent as JSON', () => {
    const without = [...objectsIn()]
      .filter(([pointer, { example, examples }]) => {
        return pointer.endsWith('/content/application~1json') && !example && !examples;
      })
      .map(([pointer]) => pointer);
    expect(without).toEqual([]);
  });

  test('have no empty texts', () => {
    const empty = [...objectsIn()]
      .filter(([pointer]) => isInExample(pointer))
      .flatMap(([, object]) =>
        Object.entries(object)
          .filter(([, value]) => [value].flat().includes(placeholder))
          .map(([field]) => field),
      );
    const hint =
      'Give the fields an example: .meta({ examples: […] }), or a word in src/openapi/vocabulary.ts';
    expect([...new Set(empty)], hint).toEqual([]);
  });
});

const isSchema = (pointer: string) => /\/schemas?\//.test(`${pointer}/`);
