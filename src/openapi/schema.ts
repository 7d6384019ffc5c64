import * as z from 'zod';
import { closedList } from './closed-lists.ts';

/** JSON Schema 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export type Components = Record<string, JsonSchema>;

const componentPath = '#/components/schemas/';

export type JsonSchemas = ReadonlyMap<z.ZodType, JsonSchema>;

/**
 * Makes the JSON Schemas of requests (`input`) or replies (`output`). A schema with an `id` in its meta becomes a
 * component. All at once: zod then visits shared schemas only once.
 */
export function jsonSchemas(
  schemas: readonly z.ZodType[],
  io: 'input' | 'output',
  components: Components,
): JsonSchemas {
  const all = z.object(Object.fromEntries(schemas.entries()));
  const { properties = {}, $defs = {} } = withReferences(
    z.toJSONSchema(all, { io, override }),
    components,
  );
  for (const [id, definition] of Object.entries($defs)) {
    if (!isUnnamed(id)) addComponent(components, id, definition);
  }
  return new Map(schemas.map((schema, i) => [schema, properties[i] as JsonSchema]));
}

export const reference = (name: string) => ({ $ref: componentPath + name });

export const componentOf = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(componentPath) ? $ref.slice(componentPath.length) : undefined;

/** @throws Error if another schema has the name */
export function addComponent(components: Components, id: string, definition: JsonSchema): void {
  const known = components[id];
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`Two different schemas have the id ${id} (or one, as input and as output).`);
  }
  components[id] = definition;
}

/** Zod gives such an id to a schema that refers to itself, like `z.json()`. */
const isUnnamed = (id: string) => id.startsWith('__');

/** Redirects references into the document, and to closed lists. */
const withReferences = (schema: JsonSchema, components: Components): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: JsonSchema | null) => {
    if (Array.isArray(value?.enum)) return withList(value, components);
    if (value?.$ref === undefined) return value;
    const { $ref, ...rest } = value;
    const id = $ref.slice('#/$defs/'.length);
    return isUnnamed(id) ? rest : { ...rest, ...reference(id) };
  }) as JsonSchema;

/** Replaces a closed list by a reference. */
function withList(schema: JsonSchema, components: Components): JsonSchema {
  const { type: _, enum: values = [], ...rest } = schema;
  const list = closedList(values.filter((value) => value !== null));
  if (!list) return schema;
  addComponent(components, list.name, { type: 'string', enum: [...list.values] });
  return values.includes(null)
    ? { ...rest, anyOf: [reference(list.name), { type: 'null' }] }
    : { ...rest, ...reference(list.name) };
}

/** Corrects schemas that zod derives with too little information, or that would mislead a client. */
function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}): void {
  // A `type` in the meta is the type that a client sends. The derived one describes the text on the wire.
  const said = z.globalRegistry.get(zodSchema);
  if (said?.['type']) replaceContent(jsonSchema, said);
  // Zod treats examples as outputs and drops them before a transform; ours are inputs.
  if (Array.isArray(said?.examples) && !jsonSchema.$ref) jsonSchema.examples = said.examples;
  // Replies gain fields over time, so the schema must not exclude others.
  if (zodSchema instanceof z.ZodObject && !zodSchema.def.catchall) {
    delete jsonSchema.additionalProperties;
  }
  simplify(jsonSchema);
  // Generators choose the smaller type of integer unless told otherwise.
  const { type, maximum = Infinity } = jsonSchema;
  if (type === 'integer' && maximum > 2 ** 31 - 1) jsonSchema.format = 'int64';
}

function replaceContent(target: JsonSchema, content: object): void {
  for (const keyword of Object.keys(target)) delete target[keyword];
  Object.assign(target, content);
}

function simplify(schema: JsonSchema): void {
  if (schema.format) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  const [some, none] = schema.anyOf ?? [];
  if (some && none?.type === 'null' && schema.anyOf?.length === 2) mergeNull(schema, some);
}

/** Turns "X or null" into `type: [X, 'null']`, if X is a plain type. */
function mergeNull(schema: JsonSchema, some: JsonSchema): void {
  simplify(some);
  if (typeof some.type !== 'string') return;
  delete schema.anyOf;
  Object.assign(schema, { ...some, ...schema, type: [some.type, 'null'] });
  if (some.enum) schema.enum = [...some.enum, null];
}
