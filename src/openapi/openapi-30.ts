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
    const { type, const: only, examples, anyOf, ...others } = schema;
    const { propertyNames: _names, contentEncoding: _encoding, ...rest } = others;
    const options = (anyOf ?? []).filter((option) => option.type !== 'null');
    const types = [type ?? (anyOf && this.#typeOf(options[0])) ?? []].flat();
    const isNullable = types.includes('null') || options.length < (anyOf?.length ?? 0);
    return besideReference({
      ...this.#parts(rest),
      ...(types[0] && { type: types[0] }),
      ...(only !== undefined && { enum: [only] }),
      ...(examples && { example: examples[0] }),
      ...(options.length > 0 && {
        [options.length === 1 ? 'allOf' : 'anyOf']: options.map(this.schema),
      }),
      ...(isNullable && { nullable: true }),
    });
  };

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
      ...(additionalProperties && {
        additionalProperties: this.schema(additionalProperties as JsonSchema),
      }),
      ...(allOf && { allOf: allOf.map(this.schema) }),
      ...(oneOf && { oneOf: oneOf.map(this.schema) }),
    };
  }

  /** What may be null has to name its type. */
  #typeOf(schema: JsonSchema = {}): JsonSchema['type'] {
    return (this.#components[componentOf(schema) ?? ''] ?? schema).type;
  }
}

/** In 3.0 what stands beside a reference is not read. */
function besideReference({ $ref, ...own }: JsonSchema): JsonSchema {
  if ($ref === undefined) return own;
  return Object.keys(own).length > 0 ? { ...own, allOf: [{ $ref }] } : { $ref };
}

const mapped = <T, R>(named: Readonly<Record<string, T>>, change: (item: T, name: string) => R) =>
  Object.fromEntries(Object.entries(named).map(([name, item]) => [name, change(item, name)]));
