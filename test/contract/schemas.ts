import * as z from 'zod';

/** The fields of an object schema; empty for any other schema. */
export const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> =>
  (schema as z.ZodObject | undefined)?.shape ?? {};

export const requiredFields = (schema: z.ZodType | undefined): string[] =>
  Object.entries(shapeOf(schema))
    .filter(([, field]) => !field.safeParse(undefined).success)
    .map(([name]) => name);

export const ignoresOthers = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && (schema as z.ZodObject).def.catchall === undefined;

/** The parts of a schema's definition that are used here. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

const definitionOf = (schema: z.ZodType) => schema.def as Definition;

/**
 * Values of a schema with `text` in a string, one value for each place of a string; other required parts are filled in.
 */
export function valuesWith(text: string, schema: z.ZodType): unknown[] {
  const { type, element, keyType, valueType, options, innerType, in: input } = definitionOf(schema);
  switch (type) {
    case 'string':
    case 'unknown':
    case 'any':
      return [text];
    case 'object':
      return Object.entries(shapeOf(schema)).flatMap(([name, field]) =>
        valuesWith(text, field).map((value) => ({ ...sampleObject(schema), [name]: value })),
      );
    case 'array':
      return element ? valuesWith(text, element).map((value) => [value]) : [];
    case 'record':
      return keyType && valueType
        ? [
            { [text]: sample(valueType) },
            ...valuesWith(text, valueType).map((value) => ({ [String(sample(keyType))]: value })),
          ]
        : [];
    case 'union':
      return (options ?? []).flatMap((option) => valuesWith(text, option));
    // z.json(): any value, to any depth.
    case 'lazy':
      return [text, [text], { a: { a: text } }, { [text]: 1 }];
    default: {
      const inner = innerType ?? input;
      return inner ? valuesWith(text, inner) : [];
    }
  }
}

const texts = ['a', '1', 'AA', 'a@example.com', '2026-01-31', '2026-01-31T17:00:00.000Z'];
const longTexts = ['4c7f0cb6-1f9e-4b53-9d36-0f7a1d4a2f11', 'https://example.com/'];
const candidates = [...texts, ...longTexts, 1, 0, true, null, [], {}];

function sample(schema: z.ZodType): unknown {
  const simple = candidates.find((value) => schema.safeParse(value).success);
  if (simple !== undefined) return simple;
  const { type, element, options, innerType, in: input } = definitionOf(schema);
  if (type === 'object') return sampleObject(schema);
  if (element) return [sample(element)];
  const inner = innerType ?? input ?? options?.[0];
  if (inner) return sample(inner);
  const [value] = (schema as { options?: unknown[] }).options ?? [];
  return value;
}

const sampleObject = (schema: z.ZodType) =>
  Object.fromEntries(
    requiredFields(schema).map((name) => {
      const field = shapeOf(schema)[name];
      return [name, field && sample(field)];
    }),
  );

export const refusesOthers = (schema: unknown): boolean =>
  (schema as z.ZodObject | undefined)?.def.catchall instanceof z.ZodNever;
