import {
  type Endpoint,
  isConditional,
  keepsAnswers,
  type Input,
} from '../../kernel/endpoint/endpoint.ts';
import { html, picture } from '../../kernel/schemas/replies.ts';
import type { Scope } from '../../kernel/vocabulary/vocabulary.ts';

/** The tools' static file, made together with the document. */
export const toolsPath = '/mcp/tools.json';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

/** A line of the file. A key needs one of the scopes. */
export interface ListedTool {
  readonly scopes: readonly Scope[];
  readonly tool: Tool;
}

/** Operations for programs only, and those whose answer another tool gives too. */
const notForAgents: ReadonlySet<string> = new Set([
  'access.check',
  'access.checkContent',
  'affiliates.figures',
  'affiliates.link',
  'affiliates.lookup',
  'checkout.quote',
  'files.delete',
  'files.get',
  'files.list',
  'files.update',
  'licenses.register',
  'licenses.status',
  'licenses.unregister',
  'licenses.validate',
  'notify.feed',
  'orders.count',
  'products.figures',
  'risks.decide',
  'risks.list',
  'payoutRuns.confirm',
  'payoutRuns.create',
  'payoutRuns.discard',
  'payoutRuns.file',
  'payoutRuns.get',
  'payoutRuns.lines',
  'payoutRuns.list',
  'payoutRuns.setResult',
  'payoutRuns.setResults',
  'payouts.get',
  'staffRoles.list',
  'status.get',
  'users.canAccessAdmin',
  'users.canAccessAffiliate',
  'users.hasBought',
  'users.state',
  'users.stateByExternalId',
]);

/**
 * Tells if an operation is a tool: it takes an API key and JSON, and answers with JSON without secrets, because agents
 * keep what they read.
 */
export const isTool = ({
  id,
  access,
  bodyType,
  rawBody,
  streamBody,
  reply,
  secretReply,
}: Endpoint): boolean =>
  access.kind === 'key' &&
  bodyType === undefined &&
  rawBody === undefined &&
  streamBody === undefined &&
  !secretReply &&
  reply[0] !== 302 &&
  reply[1] !== html &&
  reply[1] !== picture &&
  !notForAgents.has(id) &&
  // Another operation takes the same input as a body.
  !id.endsWith('ByQuery');

/** Turns `orders.list` into `orders_list`. The protocol allows dots, but the APIs of many models don't. */
export const toolName = ({ id }: Pick<Endpoint, 'id'>): string => id.replaceAll('.', '_');

/** Arguments that are sent as headers, by name. */
export const headerArguments = (endpoint: Endpoint): Readonly<Record<string, string>> => ({
  ...(isConditional(endpoint) && { if_match: 'If-Match' }),
  ...(keepsAnswers(endpoint) && { idempotency_key: 'Idempotency-Key' }),
});

/** Unknown arguments go into the body or the query, so that the answer names them. */
export function inputOf(endpoint: Endpoint, given: object): Input {
  const headers = headerArguments(endpoint);
  const knows = (schema: unknown, name: string) =>
    Object.hasOwn((schema as { shape?: object } | undefined)?.shape ?? {}, name);
  const placeOf = (name: string): keyof Input => {
    if (Object.hasOwn(headers, name)) return 'headers';
    if (knows(endpoint.params, name)) return 'params';
    return knows(endpoint.query, name) || !endpoint.body ? 'query' : 'body';
  };
  const placed = Map.groupBy(Object.entries(given), ([name]) => placeOf(name));
  const texts = (place: keyof Input) =>
    Object.fromEntries(
      (placed.get(place) ?? [])
        .filter(([, value]) => value !== null)
        .flatMap(([name, value]): [string, string][] =>
          place === 'query' ? textsOf(name, value) : [[headers[name] ?? name, textOf(value)]],
        ),
    );
  return {
    params: texts('params'),
    query: texts('query'),
    headers: texts('headers'),
    body: endpoint.body && Object.fromEntries(placed.get('body') ?? []),
  };
}

/** An object becomes one parameter for each key. */
const textsOf = (name: string, value: unknown): [name: string, text: string][] =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value ?? {}).map(([key, each]) => [`${name}[${key}]`, textOf(each)])
    : [[name, textOf(value)]];

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
