import { escapeHtml } from '../../lib/html.ts';
import { type JsonSchema, componentOf } from '../../openapi/schema.ts';
import { htmlOf } from './markdown.ts';

/** A field of an object, or a parameter. */
interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description?: string | undefined;
}

/** Which fields are marked: of what is sent those that have to be, of what is answered those that may be absent. */
type Mark = 'required' | 'optional';

/** The fields of an object as a list; of an object within it, the same beneath. */
export const fieldsOf = (schema: JsonSchema, mark: Mark): string =>
  fieldList(
    Object.entries(schema.properties ?? {}).map(([name, part]) => ({
      name,
      schema: part as JsonSchema,
      required: schema.required?.includes(name) ?? false,
    })),
    mark,
  );

/** Fields as a list. */
export const fieldList = (fields: readonly Field[], mark: Mark): string =>
  fields.length === 0
    ? ''
    : `<dl class="fields">\n${fields.map((field) => fieldOf(field, mark)).join('\n')}\n</dl>\n`;

function fieldOf(
  { name, schema, required, description = schema.description }: Field,
  mark: Mark,
): string {
  const inner = innerObject(schema);
  const notes = [
    description ? htmlOf(description) : '',
    limitsOf(schema),
    inner ? fieldsOf(inner, mark) : '',
  ];
  return `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeOf(schema)}</span>${
    required === (mark === 'required') ? ` <span class="${mark}">${mark}</span>` : ''
  }</dt>\n<dd>${notes.join('')}</dd>`;
}

/** The object whose fields are said in place: one without a name, by itself or in a list. */
function innerObject(schema: JsonSchema): JsonSchema | undefined {
  const parts = [schema, schema.items, ...(schema.anyOf ?? [])] as (JsonSchema | undefined)[];
  return parts.find((part) => part?.properties);
}

/** A type in words, named ones with a link to what they are. */
export function typeOf(schema: JsonSchema): string {
  const component = componentOf(schema);
  if (component !== undefined) return `<a href="/docs/objects#${component}">${component}</a>`;
  if (schema.const !== undefined) return code(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return oneOf(options.map(typeOf));
  if (schema.enum) return oneOf(schema.enum.map(code));
  const types = [schema.type ?? 'anything'].flat();
  return oneOf(types.map((type) => (type === 'array' ? listOf(schema) : nameOf(type, schema))));
}

const code = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

const oneOf = (types: readonly string[]) => [...new Set(types)].join(' or ');

const listOf = ({ items }: JsonSchema) =>
  typeof items === 'object' && !Array.isArray(items) ? `list of ${typeOf(items)}` : 'list';

const formats: Readonly<Record<string, string>> = {
  'date-time': 'instant',
  date: 'date',
  email: 'e-mail address',
  uri: 'URL',
  uuid: 'UUID',
  binary: 'file',
};

const nameOf = (type: string, { format }: JsonSchema) =>
  (type === 'string' && format && formats[format]) || type;

/** The largest id: what may be as large as that has no limit that anybody has to know. */
const largestId = 999_999_999_999_999;

const figure = (value: number) => value.toLocaleString('en');

/** What a value must be like, beyond its type and what goes without saying. */
function limitsOf(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const limits = [
    schema.default !== undefined && `Default: ${code(schema.default)}`,
    minimum !== undefined && (minimum > 1 || minimum < 0) && `At least ${figure(minimum)}`,
    maximum !== undefined && maximum < largestId && `At most ${figure(maximum)}`,
    (minLength ?? 0) > 1 && `At least ${minLength} characters`,
    maxLength !== undefined && `At most ${maxLength} characters`,
    maxItems !== undefined && `At most ${maxItems} entries`,
  ].filter(Boolean);
  return limits.length > 0 ? `<p class="limits">${limits.join(' · ')}</p>` : '';
}
