import { type JsonSchema, componentOf } from '../../../src/exports/declarations.ts';

/** Converts a JSON Schema to a TypeScript type. */
export function typeOf(schema: JsonSchema): string {
  const component = componentOf(schema);
  if (component !== undefined) return component;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const { anyOf, oneOf, allOf, type } = schema;
  if (anyOf || oneOf) return union((anyOf ?? oneOf ?? []).map(typeOf));
  if (allOf && !type) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })));
  return plain(schema);
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

const union = (types: readonly string[]) => [...new Set(types)].join(' | ') || 'never';

function plain(schema: JsonSchema): string {
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return listOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function listOf({ items, prefixItems }: JsonSchema): string {
  if (prefixItems)
    return `readonly [${prefixItems.map((each) => typeOf(each as JsonSchema)).join(', ')}]`;
  const item = typeOf((items ?? {}) as JsonSchema);
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function objectOf(schema: JsonSchema): string {
  const { properties, additionalProperties: others } = schema;
  const record = others ? `Readonly<Record<string, ${typeOf(others === true ? {} : others)}>>` : '';
  if (!properties) return record || 'Readonly<Record<string, unknown>>';
  return [membersOf(schema), record].filter(Boolean).join(' & ');
}

/** The members of an object's type, in braces, each with its description. */
export function membersOf({ properties = {}, required = [] }: JsonSchema): string {
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    // Required query parameters whose schema has a default nevertheless.
    const isRequired = required.includes(name) || schema['demanded'] === true;
    const type = typeOf(schema);
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`;
    const member = `readonly ${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`};`;
    return said(schema.description, member);
  });
  return `{\n${members.join('\n')}\n}`;
}

export function said(text: string | undefined, declaration: string): string {
  if (!text) return declaration;
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n${declaration}`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n${declaration}`;
}

/** Indents each line of a text by its open braces. */
export function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const shown = line && '  '.repeat(depth) + line;
    if (line.endsWith('{')) depth += 1;
    return shown;
  });
  return lines.join('\n');
}
