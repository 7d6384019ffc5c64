import {
  type Document,
  type Located,
  type Operation,
  type Parameter,
  component,
  schemaOf,
} from '../reading.ts';
import { quoted } from '../../lib/shell.ts';
import type { JsonSchema } from '../schema.ts';
import { code, fenced, fieldsOf, said, table, typeOf } from './types.ts';

/** How the TypeScript client calls operations, by their ids in the document. */
export type Calls = ReadonlyMap<string, string>;

/** An operation, under a heading of its own. */
export function operationText(located: Located, document: Document, calls: Calls): string {
  const { method, path, operation } = located;
  const parameters = parametersOf(operation, document);
  const replies = Object.entries(operation.responses).map(([status, reply]) => ({
    status,
    reply: component(reply, document.components.responses),
    named: '$ref' in reply,
  }));
  const successes = replies.filter(({ status }) => status < '4');
  const content = successes.flatMap(({ status, reply }) =>
    Object.entries(reply.content ?? {}).map(([type, of]) => ({ status, type, ...of })),
  );
  return [
    `## ${operation.summary}`,
    code(`${method} ${path}`),
    namesText(operation, calls),
    operation.description,
    parameters.length > 0 ? '**Parameters**' : '',
    table(['Name', 'In', 'Type', 'Required', 'Description'], parameters.map(parameterRow)),
    bodyText(operation),
    `**Example**`,
    fenced('sh', curl(located, parameters, document)),
    ...content.map(({ status, type, schema, example }) =>
      [
        `**Reply ${status}**: ${type === 'application/json' ? code(typeOf(schema)) : type}`,
        example === undefined ? '' : fenced('json', example),
      ]
        .filter(Boolean)
        .join('\n\n'),
    ),
    '**Errors**',
    replies
      .filter(({ status }) => status >= '4')
      .map(({ status, reply }) => reply.description.replace(/^- /gm, `- ${status} `))
      .join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function namesText({ operationId }: Operation, calls: Calls): string {
  const call = calls.get(operationId);
  return `Operation ${code(operationId)}${call ? `; in TypeScript ${code(call)}` : ''}`;
}

const parametersOf = ({ parameters = [] }: Operation, { components }: Document): Parameter[] =>
  parameters.map((one) => component(one, components.parameters));

const parameterRow = ({ name, in: place, required, description, schema }: Parameter) => [
  code(name),
  place,
  code(typeOf(schema)),
  required ? 'yes' : '',
  said({ description, default: schema.default }),
];

/** What is sent: by name, or with its fields where it has none. */
function bodyText({ requestBody }: Operation): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => {
      const fields = fieldsOf(schema);
      const title = `**Body** (${type})`;
      return fields.length > 0
        ? `${title}\n\n${fieldTable(fields)}`
        : `${title}: ${code(typeOf(schema))}`;
    })
    .join('\n\n');
}

/** The fields of an object. */
export const fieldTable = (fields: ReturnType<typeof fieldsOf>): string =>
  table(
    ['Field', 'Type', 'Required', 'Description'],
    fields.map(({ name, type, required, description }) => [
      code(name),
      code(type),
      required ? 'yes' : '',
      description,
    ]),
  );

/** A request to paste, with what it has to have. */
function curl(
  { method, path, operation }: Located,
  parameters: readonly Parameter[],
  document: Document,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters.find((one) => one.name === name)?.example ?? name),
  );
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => [name, String(example)] as const);
  const search = new URLSearchParams(Object.fromEntries(query)).toString();
  const [scheme] = Object.keys(operation.security[0] ?? {}) as (keyof typeof credentials)[];
  const address = `${document.servers[0]?.url}${filled}${search && `?${search}`}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    ...(scheme ? [`-H ${quoted(`Authorization: Bearer ${credentials[scheme]}`)}`] : []),
    ...sent(operation, document),
  ].join(' \\\n  ');
}

/** What stands for a caller's own, by how they prove to be one. */
const credentials = { ApiKey: '<API key>', UserSession: '<session token>' } as const;

/** The body, as options of curl. */
function sent({ requestBody }: Operation, document: Document): string[] {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json) {
    const body = JSON.stringify(json.example);
    return [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(body)}`];
  }
  if (!form) return [];
  const { required = [], properties = {} } = schemaOf(form.schema, document);
  return required.map((name) => {
    const { enum: [first = '@picture.png'] = [] } = properties[name] as JsonSchema;
    return `-F ${quoted(`${name}=${String(first)}`)}`;
  });
}
