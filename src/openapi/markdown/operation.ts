import {
  type Document,
  type LocatedOperation,
  type Operation,
  type Parameter,
  component,
  schemaOf,
} from '../reading.ts';
import { quoted } from '../../lib/shell.ts';
import { type JsonSchema, componentOf } from '../schema.ts';
import { code, fenced, fieldTable, fieldsOf, parameterTable, typeOf } from './types.ts';

/** Endpoints and calls of the TypeScript client, by operation id. */
export type Calls = ReadonlyMap<string, { readonly id: string; readonly call: string | undefined }>;

export function operationText(located: LocatedOperation, document: Document, calls: Calls): string {
  const { operation } = located;
  const parameters = (operation.parameters ?? []).map((one) =>
    component(one, document.components.parameters),
  );
  return [
    `## ${titleOf(located)} {#${anchorOf(located, calls)}}`,
    routeOf(located),
    namesText(operation, calls),
    operation.description,
    parameters.length > 0 ? '**Parameters**' : '',
    parameterTable(parameters),
    bodyText(operation, document),
    '**Example request**',
    fenced('sh', curl(located, parameters, document)),
    replyText(operation, document),
    '**Errors**',
    errorsOf(operation, document)
      .map(({ status, code: name, message }) => `- ${status} ${code(name)} ${message}`)
      .join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Adds the method if another operation takes the same input as its body. */
export const titleOf = ({
  method,
  operation: { operationId, summary },
}: LocatedOperation): string =>
  operationId.endsWith('ByQuery') ? `${summary} (${method})` : summary;

export const anchorOf = ({ operation: { operationId } }: LocatedOperation, calls: Calls): string =>
  (calls.get(operationId)?.id ?? operationId).toLowerCase().replaceAll('.', '-');

export const routeOf = ({ method, path }: LocatedOperation): string => code(`${method} ${path}`);

function namesText({ operationId }: Operation, calls: Calls): string {
  const call = calls.get(operationId)?.call;
  return `Operation ${code(operationId)}${call ? `; in TypeScript ${code(call)}` : ''}`;
}

function repliesOf({ responses }: Operation, document: Document) {
  return Object.entries(responses).map(([status, reply]) => ({
    status,
    ...component(reply, document.components.responses),
  }));
}

interface DocumentedError {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

export const errorsOf = (operation: Operation, document: Document): DocumentedError[] =>
  repliesOf(operation, document)
    .filter(({ status }) => status >= '4')
    .flatMap(({ status, description }) =>
      [...description.matchAll(/^- `(.+?)` (.+)$/gm)].map(([, name = '', message = '']) => ({
        status,
        code: name,
        message,
      })),
    );

const bodyText = ({ requestBody }: Operation, document: Document): string =>
  Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) =>
      contentText(type === json ? 'Body' : `Body (${type})`, schema, 'Required', document),
    )
    .join('\n\n');

function replyText(operation: Operation, document: Document): string {
  return repliesOf(operation, document)
    .filter(({ status }) => status < '3')
    .flatMap(({ status, content }) => {
      const [[type, reply] = [], ...files] = Object.entries(content ?? {});
      if (!reply) return [];
      if (type !== json) return [`**Reply ${status}**: ${code(type ?? '')}`];
      const types = files.map(([file]) => code(file)).join(' or ');
      return [
        contentText(`Reply ${status}`, reply.schema, 'Optional', document),
        types && `All of them come [as a file](/docs/conventions#lists) too: ${types}.`,
        reply.example === undefined ? '' : `**Example reply**\n\n${fenced('json', reply.example)}`,
      ];
    })
    .filter(Boolean)
    .join('\n\n');
}

const json = 'application/json';

/** A body or a reply: its name, if any, and its fields except `success`. */
function contentText(
  title: string,
  schema: JsonSchema,
  mark: 'Required' | 'Optional',
  document: Document,
): string {
  const fields = fieldsOf(schemaOf(schema, document)).filter(({ name }) => name !== 'success');
  const name = componentOf(schema) ?? (fields.length > 0 ? undefined : typeOf(schema));
  return [`**${title}**${name ? `: ${code(name)}` : ''}`, fieldTable(fields, mark)]
    .filter(Boolean)
    .join('\n\n');
}

/** A request to paste, with the required fields. */
function curl(
  { method, path, operation }: LocatedOperation,
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

const credentials = { ApiKey: '<API key>', UserSession: '<session token>' } as const;

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
