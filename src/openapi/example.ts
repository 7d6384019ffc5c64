import type * as z from 'zod';
import { type JsonSchema, componentOf } from './schema.ts';
import { vocabulary } from './vocabulary.ts';

/** Fills in for a text without an example. */
export const placeholder = '…';

interface Source {
  resolved(schema: JsonSchema): JsonSchema;
}

/**
 * A value of a schema as a reader would believe it: the schema's own example, else the vocabulary's,
 * else what the schema allows: nothing, where a figure or text may be null. Optional fields are in it
 * where one of the former two knows them.
 * @param place the field whose value it is, and the object that has the field
 */
export function exampleOf(
  schema: JsonSchema,
  source: Source,
  place: FieldPlace = nowhere,
): unknown {
  const target = source.resolved(schema);
  const known = knownExample(target, source, place);
  if (known !== undefined) return known;
  if (mayBeNull(target, source)) return null;
  const [choice = target.default] = target.enum ?? [target.const];
  if (choice !== undefined) return choice;
  const [option] = target.anyOf ?? target.oneOf ?? [];
  if (option) return exampleOf(option, source, place);
  const type = [target.type].flat()[0];
  if (type === 'object') {
    return objectExample(target, source, nameOf(schema, place));
  }
  if (type === 'array') {
    return isSchema(target.items) ? [exampleOf(target.items, source, place)] : [];
  }
  if (type === 'integer' || type === 'number') return target.minimum ?? 0;
  if (type === 'boolean') return false;
  return formats[target.format ?? ''] ?? placeholder;
}

/**
 * Names the record that an object's `id` belongs to: by the field that has the object, if the vocabulary knows that,
 * or by the object's component.
 */
function nameOf(schema: JsonSchema, { field }: FieldPlace): string {
  const isKnown = Object.hasOwn(vocabulary, `${field}_id`);
  return (isKnown ? undefined : componentOf(schema)?.toLowerCase()) ?? field;
}

interface FieldPlace {
  readonly object: string;
  readonly field: string;
}

const nowhere: FieldPlace = { object: '', field: '' };

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-03-10T09:00:00.000Z',
  date: '2026-03-10',
  email: 'ayu@example.com',
  uri: 'https://shop.example.com',
  uuid: '0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11',
};

/** The schema's own example, or the vocabulary's. */
function knownExample(schema: JsonSchema, source: Source, place: FieldPlace): unknown {
  if (schema.examples) return schema.examples[0];
  const { object, field } = place;
  const names = field === 'id' ? [`${object}_id`, field] : [field];
  const key = names.find((name) => Object.hasOwn(vocabulary, name));
  if (key !== undefined && fits(vocabulary[key], schema, source)) return vocabulary[key];
}

function objectExample(schema: JsonSchema, source: Source, object: string): unknown {
  const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  const isShown = ([field, part]: [string, JsonSchema]) =>
    schema.required?.includes(field) ||
    knownExample(source.resolved(part), source, { object, field }) !== undefined;
  return Object.fromEntries(
    fields
      .filter(isShown)
      .map(([field, part]) => [field, exampleOf(part, source, { object, field })]),
  );
}

/** True for a nullable number or text, and for a nullable value of a list. */
function mayBeNull({ type, anyOf = [] }: JsonSchema, source: Source): boolean {
  const [some = {}, none] = anyOf;
  if (none?.type === 'null') return source.resolved(some).enum !== undefined;
  return Array.isArray(type) && type.includes('null') && !type.includes('object');
}

/** True if a value of the vocabulary suits this field: names are used more than once. */
function fits(value: unknown, schema: JsonSchema, source: Source): boolean {
  const { type, enum: allowed, anyOf } = source.resolved(schema);
  if (anyOf) return anyOf.some((option) => fits(value, option, source));
  if (allowed) return allowed.includes(value as string);
  const types = [type].flat();
  return types.includes(typeOf(value)) || (typeOf(value) === 'integer' && types.includes('number'));
}

function typeOf(value: unknown): z.core.JSONSchema.SchemaType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value as 'string';
}

const isSchema = (part: JsonSchema['items']): part is JsonSchema =>
  typeof part === 'object' && !Array.isArray(part);
