import type { Parameter } from '../reading.ts';
import { type JsonSchema, componentOf } from '../schema.ts';

/** A nested field has a path: `shipping.address`, `items[].price`. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Roughly as in TypeScript; named types are shown by name. */
export function typeOf(schema: JsonSchema): string {
  const name = componentOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' | ');
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => plainType(type, schema)).join(' | ');
}

function plainType(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'array':
      return listOf(typeOf(itemsOf(schema)));
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
      if (fields.length === 0) return recordType(schema);
      const isOptional = (field: string) => !schema.required?.includes(field);
      const shown = fields.map(
        ([field, of]) => `${field}${isOptional(field) ? '?' : ''}: ${typeOf(of)}`,
      );
      return `{ ${shown.join(', ')} }`;
    }
    default:
      return schema.format && type === 'string' ? `string (${schema.format})` : type;
  }
}

const listOf = (item: string) => (item.includes(' ') ? `(${item})[]` : `${item}[]`);

function recordType({ additionalProperties: values }: JsonSchema): string {
  return typeof values === 'object' ? `Record<string, ${typeOf(values)}>` : 'object';
}

const itemsOf = ({ items }: JsonSchema): JsonSchema =>
  typeof items === 'object' && !Array.isArray(items) ? items : {};

/** Each field is followed by the fields of an unnamed object in it. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  return fields.flatMap(([field, of]) => {
    const name = prefix + field;
    const isList = [of.type].flat().includes('array');
    const inner = fieldsOf(isList ? itemsOf(of) : of, `${name}${isList ? '[]' : ''}.`);
    const isNullable = [of.type].flat().includes('null');
    const type = `object${isList ? '[]' : ''}${isNullable ? ' | null' : ''}`;
    const row = {
      name,
      type: inner.length > 0 ? type : typeOf(of),
      required: schema.required?.includes(field) ?? false,
      description: said(of),
    };
    return [row, ...inner];
  });
}

/** A limit this high is not worth showing. */
const largestId = 999_999_999_999_999;

const figure = (value: number) => value.toLocaleString('en');

function said(schema: JsonSchema, description = schema.description ?? ''): string {
  const { default: usual, minimum, maximum, minLength, maxLength, maxItems } = schema;
  const limits = [
    usual !== undefined && `Default: ${code(JSON.stringify(usual))}`,
    minimum !== undefined && (minimum > 1 || minimum < 0) && `At least ${figure(minimum)}`,
    maximum !== undefined && maximum < largestId && `At most ${figure(maximum)}`,
    (minLength ?? 0) > 1 && `At least ${minLength} characters`,
    maxLength !== undefined && `At most ${figure(maxLength)} characters`,
    maxItems !== undefined && `At most ${figure(maxItems)} entries`,
  ].filter(Boolean);
  return `${description}${limits.length > 0 ? ` _${limits.join('. ')}._` : ''}`.trim();
}

export function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const name = componentOf(part as JsonSchema);
  const inner = Object.values(part).flatMap(namesIn);
  return name === undefined ? inner : [name, ...inner];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');

/** The text has no backticks. */
export const code = (text: string) => `\`${text}\``;

export const fenced = (language: string, content: unknown) =>
  `\`\`\`${language}\n${typeof content === 'string' ? content : JSON.stringify(content, null, 2)}\n\`\`\``;

/** A request marks required fields, a reply optional ones. */
export const fieldTable = (fields: readonly Field[], mark: 'Required' | 'Optional'): string =>
  table(
    ['Field', 'Type', mark, 'Description'],
    fields.map(({ name, type, required, description }) => [
      code(name),
      code(type),
      required === (mark === 'Required') ? 'yes' : '',
      description,
    ]),
  );

export const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['Parameter', 'In', 'Type', 'Required', 'Description'],
    parameters.map(({ name, in: place, required, description, schema }) => [
      code(name),
      place,
      code(typeOf(schema)),
      required ? 'yes' : '',
      said(schema, description),
    ]),
  );
