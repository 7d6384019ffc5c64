import type * as z from 'zod';

/** Drops the fields of a value that a schema doesn't name. */
export type Projection = (value: unknown) => unknown;

/** Returns the definition of a schema. Zod's types have it for each class of schema, but not for the base class. */
export const definitionOf = (schema: z.core.$ZodType) =>
  (schema as unknown as { def: z.core.$ZodTypes['_zod']['def'] }).def;

const projections = new WeakMap<z.core.$ZodType, Projection>();

/**
 * Makes the function that keeps the fields of a reply schema, once for each schema. It keeps the same fields as
 * parsing, but much faster. It does not check values; the tests do. An object in place of a plain value is refused, so
 * nothing undeclared is sent.
 */
export function projectionOf(schema: z.core.$ZodType): Projection {
  const known = projections.get(schema);
  if (known) return known;
  const made = project(schema);
  projections.set(schema, made);
  return made;
}

function project(schema: z.core.$ZodType): Projection {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return def.catchall ? parsing(schema) : projectObject(def.shape);
    case 'array': {
      const item = projectionOf(def.element);
      return (value) => (value as unknown[]).map(item);
    }
    case 'record': {
      const item = projectionOf(def.valueType);
      return (value) =>
        Object.fromEntries(Object.entries(value as object).map(([name, of]) => [name, item(of)]));
    }
    case 'nullable':
    case 'optional': {
      const inner = projectionOf(def.innerType);
      return (value) => (value === null || value === undefined ? value : inner(value));
    }
    case 'union': {
      const options = def.options.map((option) => ({
        fits: likenessOf(option),
        show: projectionOf(option),
      }));
      return (value) => {
        const option = options.find(({ fits }) => fits(value));
        if (!option) throw new TypeError('A reply fits none of the options of its schema.');
        return option.show(value);
      };
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return plainValue;
    default:
      return parsing(schema);
  }
}

function projectObject(shape: Readonly<Record<string, z.core.$ZodType>>): Projection {
  const fields = Object.entries(shape).map(([name, field]) => [name, projectionOf(field)] as const);
  return (value) => {
    const source = value as Record<string, unknown>;
    const shown: Record<string, unknown> = {};
    for (const [name, field] of fields) {
      if (source[name] !== undefined) shown[name] = field(source[name]);
    }
    return shown;
  };
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    throw new TypeError('A reply has a value that its schema does not describe.');
  return value;
}

/** Tells if a value has the shape of a schema: its fields and, of a list, its first item. */
function likenessOf(schema: z.core.$ZodType): (value: unknown) => boolean {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(
        ([name, field]) => [name, likenessOf(field)] as const,
      );
      return (value) =>
        typeof value === 'object' &&
        value !== null &&
        fields.every(([name, fits]) => fits((value as Record<string, unknown>)[name]));
    }
    case 'array': {
      const fits = likenessOf(def.element);
      return (value) => Array.isArray(value) && (value.length === 0 || fits(value[0]));
    }
    default:
      return (value) => (schema as z.ZodType).safeParse(value).success;
  }
}

/** Schemas with refinements or transforms are parsed in full. */
const parsing =
  (schema: z.core.$ZodType): Projection =>
  (value) =>
    (schema as z.ZodType).parse(value);
