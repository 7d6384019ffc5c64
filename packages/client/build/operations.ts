import type * as z from 'zod';
import {
  type Endpoint,
  isConditional,
  keepsAnswers,
  csvFile,
  picture,
  partsOf,
  componentName,
  operationName,
  description,
  type JsonSchema,
  componentOf,
  type Shared,
} from '../../../src/exports/declarations.ts';
import { membersOf, said, typeOf } from './typescript.ts';

/**
 * The operations of a client: those for API keys and for users. If an operation takes its input as
 * a body or as a query, the client uses the body. Operations with raw bodies are left out.
 */
export const isCallable = ({ id, access, rawBody, streamBody }: Endpoint): boolean =>
  access.kind !== 'open' &&
  rawBody === undefined &&
  streamBody === undefined &&
  !id.endsWith('ByQuery');

/** The operations of the console: its own, and those for API keys, as in their client. */
export const isConsoleCallable = (endpoint: Endpoint): boolean => {
  const { access, namespace = 'api' } = endpoint;
  return (
    namespace === 'console' ||
    (namespace === 'api' &&
      isCallable(endpoint) &&
      (access.kind === 'key' || (access.kind === 'admin' && access.console === true)))
  );
};

const takesQuery = ({ route: [main] }: Endpoint) => /^(GET|DELETE) /.test(main);

/** Returns the schema of an operation's input, apart from its path. */
const inputOf = (endpoint: Endpoint): z.ZodType | undefined =>
  takesQuery(endpoint) ? endpoint.query : endpoint.body;

/** An operation in the client's table: `PATCH /orders/:id iv`. */
export function lineOf(endpoint: Endpoint): string {
  const { effect, etag, reply, bodyType, namespace, route } = endpoint;
  const { method, path } = partsOf(route[0]);
  const traits = [
    inputOf(endpoint) && 'i',
    isConditional(endpoint) && 'v',
    effect === 'write' && !keepsAnswers(endpoint) && 'o',
    etag && 'e',
    bodyType && 'f',
    (reply[1] === picture || reply[1] === csvFile) && 'b',
    namespace === 'notify' && 'n',
    namespace === 'console' && 'c',
  ];
  return [method, path, traits.filter(Boolean).join('')].filter(Boolean).join(' ');
}

/** Returns the client's call of an operation, such as `client.orders.update(id, body)`; undefined if it has none. */
export function callOf(endpoint: Endpoint): string | undefined {
  if (!isCallable(endpoint)) return undefined;
  const path = [...partsOf(endpoint.route[0]).path.matchAll(/:(\w+)/g)];
  const input = takesQuery(endpoint) ? 'query' : 'body';
  const args = [...path.map(([, name]) => name), ...(inputOf(endpoint) ? [input] : [])].join(', ');
  return `${endpoint.id.startsWith('me.') ? '' : 'client.'}${endpoint.id}(${args})`;
}

/** The endpoints with their calls, by their ids in the document. */
export const callsOf = (endpoints: readonly Endpoint[]) =>
  new Map(
    endpoints.map((endpoint) => [
      operationName(endpoint.id),
      { id: endpoint.id, call: callOf(endpoint) },
    ]),
  );

export interface Declared {
  /**
   * Further declarations of the operation, by name: the types of its input, if the input has no name yet, and of its
   * reply.
   */
  readonly types: readonly string[];
  readonly member: string;
}

/** @param name the last part of the operation's id */
export function declaredOf(endpoint: Endpoint, name: string, shared: Shared): Declared {
  const { id, reply, summary } = endpoint;
  const types: string[] = [];
  const answer = typeName(shared.output(reply[1]), `${componentName(id)}Reply`, types);
  const input = inputArgument(endpoint, shared, types);
  const args = [...pathArguments(endpoint, shared), ...input, 'options?: RequestOptions'].join(
    ', ',
  );
  const text = `${summary}.\n\n${description(endpoint)}`;
  const call = said(text, `(${args}): Promise<${answer}>;`);
  if (!isPaged(endpoint))
    return { types, member: said(text, `readonly ${name}: (${args}) => Promise<${answer}>;`) };
  const all = said(
    'Yields the records of this page and of all later ones. Each page is requested when it is reached.',
    `readonly all: (${args}) => AsyncGenerator<${answer}['data'][number], void, undefined>;`,
  );
  return { types, member: `readonly ${name}: {\n${call}\n${all}\n};` };
}

const isPaged = (endpoint: Endpoint): boolean =>
  'cursor' in ((endpoint.query as Partial<z.ZodObject> | undefined)?.shape ?? {});

/** The name of a type; a type without one is declared with the given name. */
function typeName(schema: JsonSchema, name: string, types: string[]): string {
  if (componentOf(schema) !== undefined || !schema.properties) return typeOf(schema);
  types.push(said(schema.description, `export interface ${name} ${membersOf(schema)}`));
  return name;
}

/** Returns the arguments for the path: numbers are ids, and accept a record as well. */
function pathArguments({ params, route: [main] }: Endpoint, shared: Shared): string[] {
  if (!params) return [];
  const { properties = {} } = shared.input(params);
  const names = partsOf(main).path.matchAll(/:(\w+)/g);
  return [...names].map(([, name = '']) => {
    const schema = properties[name] as JsonSchema;
    return `${name}: ${schema.type === 'integer' ? 'Id' : typeOf(schema)}`;
  });
}

function inputArgument(endpoint: Endpoint, shared: Shared, types: string[]): string[] {
  const input = inputOf(endpoint);
  if (!input) return [];
  const kind = takesQuery(endpoint) ? 'Query' : 'Body';
  const schema = shared.input(input);
  const type = typeName(schema, `${componentName(endpoint.id)}${kind}`, types);
  const { required = [], properties = {} } = shared.resolved(schema);
  const isRequired =
    required.length > 0 ||
    Object.values(properties).some((each) => (each as JsonSchema)['demanded'] === true);
  return [`${kind.toLowerCase()}${isRequired ? '' : '?'}: ${type}`];
}
