import type { openApiDocument } from './document.ts';
import { type Components, type JsonSchema, componentOf } from './schema.ts';

/**
 * OpenAPI 3.0.3, for generators that read no later version. Leaves out the allowed names of a map's keys, empty texts
 * in lists, and descriptions and examples beside references. Events become an extension.
 */
export function inOpenApi30({ info, webhooks, components, ...document }: OpenApiDocument) {
  const { schemas, ...others } = components;
  const { name, identifier } = info.license;
  const rewrite = new Rewrite(schemas);
  return {
    ...rewrite.part(document),
    openapi: '3.0.3',
    info: { ...info, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } },
    components: { ...rewrite.part(others), schemas: rewrite.schemas(schemas) },
    'x-webhooks': rewrite.part(webhooks),
  };
}

type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** Rewrites JSON Schema for OpenAPI 3.0. */
class Rewrite {
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  /** Rewrites every `schema` in a part. */
  part = <T>(part: T, key?: string): T => {
    if (typeof part !== 'object' || part === null || key === 'example') return part;
    if (Array.isArray(part)) return part.map((item) => this.part(item)) as T;
    const fields = part as Record<string, unknown>;
    return (key === 'schema' ? this.schema(fields) : mapped(fields, this.part)) as T;
  };

  schemas = (named: Readonly<Record<string, JsonSchema>>): Components => mapped(named, this.schema);

  schema = (schema: JsonSchema): JsonSchema => {
    const { type: _, const: constant, enum: values, examples, anyOf = [], ...others } = schema;
    const { propertyNames: _names, contentEncoding: _encoding, ...rest } = others;
    const types = this.#typesOf(schema);
    const [type, ...more] = types.filter((one) => one !== 'null');
    if (more.length > 0) throw new Error('In OpenAPI 3.0 a schema has one type.');
    return this.#besideReference({
      ...this.#parts(rest),
      ...(type && { type }),
      ...(types.includes('null') && { nullable: true }),
      ...(constant !== undefined && { enum: [constant] }),
      ...(values && { enum: values.filter((value) => value !== '') }),
      ...(examples && { example: examples[0] }),
      ...this.#options(anyOf.filter(isNotNull)),
    });
  };

  /** Generators for 3.0 do not support an empty text in a list of values, so it becomes any text. */
  #options(options: readonly JsonSchema[]): JsonSchema {
    const filled = options.filter((option) => option.const !== '').map(this.schema);
    if (filled.length < options.length) {
      const [{ format: _, minLength: _least, ...text } = {}, ...more] = filled;
      if (more.length > 0) throw new Error('In OpenAPI 3.0 only a text may be empty.');
      return text;
    }
    return filled.length > 0 ? { [filled.length === 1 ? 'allOf' : 'anyOf']: filled } : {};
  }

  /** Generators read a reference beside other keywords only if it refers to an object. */
  #besideReference({ $ref, ...own }: JsonSchema): JsonSchema {
    const { allOf = [], ...rest } = own;
    const [only, ...more] = $ref === undefined ? allOf : [{ $ref }];
    const target = only && more.length === 0 && this.#components[componentOf(only) ?? ''];
    if (!only || !target) return own;
    const { type: _, description: _description, example: _example, ...constraints } = rest;
    if (Object.keys(constraints).length === 0) return only;
    return target.type === 'object'
      ? { ...rest, allOf: [only] }
      : { ...this.schema(target), ...rest };
  }

  /**
   * The types of a schema, or of the one it refers to if it may be null: OpenAPI 3.0 accepts `nullable` only beside a
   * type.
   */
  #typesOf({ type, anyOf = [] }: JsonSchema): NonNullable<JsonSchema['type']>[] {
    if (type) return [type].flat();
    const [only, ...more] = anyOf.filter(isNotNull);
    const target = only && (this.#components[componentOf(only) ?? ''] ?? only);
    return [
      ...(target && more.length === 0 ? this.#typesOf(target) : []),
      ...(anyOf.every(isNotNull) ? [] : ['null' as const]),
    ];
  }

  #parts({
    properties,
    items,
    additionalProperties,
    allOf,
    oneOf,
    ...rest
  }: JsonSchema): JsonSchema {
    return {
      ...rest,
      ...(properties && { properties: this.schemas(properties as Components) }),
      ...(items && { items: this.schema(items as JsonSchema) }),
      ...(additionalProperties !== undefined && {
        additionalProperties:
          typeof additionalProperties === 'object'
            ? this.schema(additionalProperties)
            : additionalProperties,
      }),
      ...(allOf && { allOf: allOf.map(this.schema) }),
      ...(oneOf && { oneOf: oneOf.map(this.schema) }),
    };
  }
}

const isNotNull = ({ type }: JsonSchema) => type !== 'null';

const mapped = <T, R>(named: Readonly<Record<string, T>>, change: (item: T, name: string) => R) =>
  Object.fromEntries(Object.entries(named).map(([name, item]) => [name, change(item, name)]));
