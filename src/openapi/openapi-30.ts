import type { openApiDocument } from './document.ts';
import { type Components, type JsonSchema, componentOf } from './schema.ts';

/**
 * The document as OpenAPI 3.0, for generators that read no 3.1. It says the same but for the names that keys of
 * a map may have, and leaves events to an extension: 3.0 has no place for either.
 */
export function inOpenApi30({ info, webhooks, components, ...document }: OpenApiDocument) {
  const { schemas, ...others } = components;
  const { name, identifier } = info.license;
  const rewrite = new Rewrite(schemas);
  return {
    ...rewrite.part(document),
    openapi: '3.0.4',
    info: { ...info, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } },
    components: { ...rewrite.part(others), schemas: rewrite.schemas(schemas) },
    'x-webhooks': rewrite.part(webhooks),
  };
}

type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** What 3.0 has in place of JSON Schema, for a document with these components. */
class Rewrite {
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  /** A part of the document with every `schema` in it. */
  part = <T>(part: T, key?: string): T => {
    if (typeof part !== 'object' || part === null || key === 'example') return part;
    if (Array.isArray(part)) return part.map((item) => this.part(item)) as T;
    const fields = part as Record<string, unknown>;
    return (key === 'schema' ? this.schema(fields) : mapped(fields, this.part)) as T;
  };

  schemas = (named: Readonly<Record<string, JsonSchema>>): Components => mapped(named, this.schema);

  /** A schema with those it is made of. */
  schema = (schema: JsonSchema): JsonSchema => {
    const { type: _, const: constant, examples, anyOf = [], ...others } = schema;
    const { propertyNames: _names, contentEncoding: _encoding, ...rest } = others;
    const types = this.#typesOf(schema);
    const [type, ...more] = types.filter((one) => one !== 'null');
    if (more.length > 0) throw new Error('In OpenAPI 3.0 a schema has one type.');
    const options = anyOf.filter(isNotNull).map(this.schema);
    return besideReference({
      ...this.#parts(rest),
      ...(type && { type }),
      ...(types.includes('null') && { nullable: true }),
      ...(constant !== undefined && { enum: [constant] }),
      ...(examples && { example: examples[0] }),
      ...(options.length > 0 && { [options.length === 1 ? 'allOf' : 'anyOf']: options }),
    });
  };

  /** The types a schema names, or that of what it refers to where it may be null: such a one has to name it. */
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

/** In 3.0 what stands beside a reference is not read. */
function besideReference({ $ref, ...own }: JsonSchema): JsonSchema {
  if ($ref === undefined) return own;
  return Object.keys(own).length > 0 ? { ...own, allOf: [{ $ref }] } : { $ref };
}

const mapped = <T, R>(named: Readonly<Record<string, T>>, change: (item: T, name: string) => R) =>
  Object.fromEntries(Object.entries(named).map(([name, item]) => [name, change(item, name)]));
