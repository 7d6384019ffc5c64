import {
  catalogue,
  scopes,
  errorTable,
  documentedEndpoints,
  endpoints,
  declaredErrors,
  type Endpoint,
  componentName,
  Shared,
  webhooks,
} from '../../../src/exports/declarations.ts';
import { declaredOf, isCallable, isConsoleCallable, lineOf } from './operations.ts';
import { indented, membersOf, said, typeOf } from './typescript.ts';

/** @param client the path from the generated module to the client's modules */
const headOf = (client: string) =>
  `// Made from the declarations by \`npm run build:client\`: change those, and run it again.
import type { Id, RequestOptions } from '${client}/options.ts';`;

/**
 * Writes the module with the table of operations, the types of their inputs, replies and errors, and those of the
 * events.
 */
export function generatedModule(): string {
  const callable = sorted(documentedEndpoints.filter(isCallable));
  const shared = new Shared(documentedEndpoints);
  webhooks(shared);
  const types = new Map<string, string>();
  const ofKeys = callable.filter(({ id }) => !id.startsWith('me.'));
  const ofUsers = callable.filter(({ id }) => id.startsWith('me.'));
  const calls = [
    said(
      'The operations that API keys call, by id.',
      `export interface Operations ${membersIn(ofKeys, '', shared, types)}`,
    ),
    said(
      'The operations that users call, by id without `me.`.',
      `export interface SessionOperations ${membersIn(ofUsers, 'me.', shared, types)}`,
    ),
  ];
  const rest = [table(callable), eventMap(), ...errorTypes(callable)];
  return moduleOf(headOf('.'), [...calls, ...rest, ...types.values()], shared);
}

export function generatedConsoleModule(): string {
  const callable = sorted(endpoints.filter(isConsoleCallable));
  const shared = new Shared(endpoints);
  const types = new Map<string, string>();
  const calls = said(
    'The operations that the console calls, by id.',
    `export interface Operations ${membersIn(callable, '', shared, types)}`,
  );
  const lists = [
    listOf('scopes', 'The scopes that an API key can have.', scopes),
    listOf('events', 'The events that a webhook can subscribe to.', eventsSaid()),
  ];
  const declarations = [calls, table(callable), ...lists, ...types.values()];
  return moduleOf(headOf('../../../client/src'), declarations, shared);
}

const eventsSaid = () =>
  Object.entries(catalogue).map(([name, { summary }]) => ({ name, description: summary }));

const listOf = (
  name: string,
  text: string,
  items: readonly { name: string; description: string }[],
) =>
  said(
    text,
    `export const ${name} = [\n${items
      .map((item) => `{ name: '${item.name}', description: ${JSON.stringify(item.description)} },`)
      .join('\n')}\n] as const;`,
  );

const sorted = (callable: readonly Endpoint[]) =>
  callable.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** A module of declarations, with the components that they use. */
function moduleOf(head: string, declarations: readonly string[], shared: Shared): string {
  const text = declarations.join('\n\n');
  return indented([head, ...componentsIn(text, shared), text].join('\n\n')) + '\n';
}

/** The members of an interface for the operations with a prefix, in braces. */
function membersIn(
  among: readonly Endpoint[],
  start: string,
  shared: Shared,
  types: Map<string, string>,
): string {
  const branches = Map.groupBy(among, ({ id }) => id.slice(start.length).split('.')[0] ?? '');
  const members = [...branches].map(([name, inside]) => {
    const [only] = inside;
    if (inside.length > 1 || only?.id !== start + name) {
      return `readonly ${name}: ${membersIn(inside, `${start}${name}.`, shared, types)};`;
    }
    const declared = declaredOf(only, name, shared);
    for (const type of declared.types) types.set(type, type);
    return declared.member;
  });
  return `{\n${members.join('\n')}\n}`;
}

const table = (callable: readonly Endpoint[]): string =>
  said(
    'The operations by id, each with method, path and traits.',
    `export const operations: Readonly<Record<string, string>> = {\n${callable
      .map((endpoint) => `'${endpoint.id}': '${lineOf(endpoint)}',`)
      .join('\n')}\n};`,
  );

function eventMap(): string {
  const members = Object.entries(catalogue).map(([name, { summary }]) =>
    said(summary, `readonly '${name}': ${componentName(name)}Event;`),
  );
  return said('The events by name.', `export interface Events {\n${members.join('\n')}\n}`);
}

/** The codes of each operation; those of all operations are listed separately. */
function errorTypes(callable: readonly Endpoint[]): string[] {
  const codes = callable.map((endpoint) => ({
    id: endpoint.id,
    codes: [...new Set(declaredErrors(endpoint, errorTable).map(({ code }) => code as string))],
  }));
  const isCommon = (code: string) => codes.every((each) => each.codes.includes(code));
  const members = codes.map(
    (each) =>
      `readonly '${each.id}': ${union(['CommonErrorCode', ...quoted(each.codes.filter((code) => !isCommon(code)))])};`,
  );
  return [
    said(
      'Codes that every operation may answer with.',
      `export type CommonErrorCode = ${union(quoted(codes[0]?.codes.filter(isCommon) ?? []))};`,
    ),
    said(
      'The error codes of each operation.',
      `export interface ErrorCodes {\n${members.join('\n')}\n}`,
    ),
    'export type ErrorCode = ErrorCodes[keyof ErrorCodes];',
  ];
}

const quoted = (codes: readonly string[]) => [...codes].sort().map((code) => `'${code}'`);
const union = (types: readonly string[]) => types.join(' | ');

/** The components that a text uses, and those that they use, by name. */
function componentsIn(text: string, { schemas }: Shared): string[] {
  const declared = new Map<string, string>();
  const declare = (within: string) => {
    for (const [name] of within.matchAll(/\b[A-Z]\w+\b/g)) {
      const schema = schemas[name];
      if (!schema || declared.has(name)) continue;
      const type = schema.properties
        ? `export interface ${name} ${membersOf(schema)}`
        : `export type ${name} = ${typeOf(schema)};`;
      declared.set(name, said(schema.description, type));
      declare(type);
    }
  };
  declare(text.replaceAll(/\/\*\*[^]*?\*\//g, ''));
  return [...declared].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, type]) => type);
}
