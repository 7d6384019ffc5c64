import type * as z from 'zod';
import { type JsonSchema, componentOf } from './schema.ts';
import { vocabulary } from './vocabulary.ts';

export const placeholder = '…';

interface Source {
  resolved(schema: JsonSchema): JsonSchema;
}

/**
 * Returns a realistic value of a schema: the schema's own example, otherwise the vocabulary's, otherwise one that the
 * schema allows; null for nullable numbers and texts. Optional fields are included if one of the first two has a value.
 * @param place the field of the value, and the object that has the field
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
 * The name of an object's record: the field that has it, if the vocabulary knows this field, or the object's component.
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

/** From the schema or the vocabulary. */
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

/** True for a nullable number, text or enum. */
function mayBeNull({ type, anyOf = [] }: JsonSchema, source: Source): boolean {
  const [some = {}, none] = anyOf;
  if (none?.type === 'null') return source.resolved(some).enum !== undefined;
  return Array.isArray(type) && type.includes('null') && !type.includes('object');
}

/** Tells if a value of the vocabulary suits a field: several schemas may use the same name. */
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
