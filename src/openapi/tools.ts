import type { Endpoint } from '../kernel/endpoint/endpoint.ts';
import { type ListedTool, headerArguments, isTool, toolName } from '../modules/mcp/tools.ts';
import { operationName } from './names.ts';
import {
  type Document,
  type Operation,
  type Parameter,
  component,
  operationsIn,
  schemaOf,
} from './reading.ts';
import type { JsonSchema } from './schema.ts';

export function toolsOf(endpoints: readonly Endpoint[], document: Document): ListedTool[] {
  const operations = new Map(
    operationsIn(document).map(({ operation }) => [operation.operationId, operation]),
  );
  return endpoints.filter(isTool).flatMap((endpoint) => {
    const operation = operations.get(operationName(endpoint.id));
    if (!operation || endpoint.access.kind !== 'key') return [];
    return { scopes: endpoint.access.scopes, tool: toolOf(endpoint, operation, document) };
  });
}

function toolOf(endpoint: Endpoint, operation: Operation, document: Document): ListedTool['tool'] {
  const { summary, description = '', effect, reply, route } = endpoint;
  const reads = effect === 'read';
  return {
    name: toolName(endpoint),
    title: summary,
    description: `${summary}. ${description}`.trim(),
    inputSchema: inputSchema(endpoint, operation, document),
    annotations: {
      readOnlyHint: reads,
      // An operation that creates a record is not destructive.
      destructiveHint: !reads && reply[0] !== 201,
      idempotentHint: reads || route[0].startsWith('DELETE '),
    },
  };
}

/** One object for path, query, headers and body. */
function inputSchema(endpoint: Endpoint, operation: Operation, document: Document): JsonSchema {
  const { schemas, parameters } = document.components;
  const all = (operation.parameters ?? []).map((one) => component(one, parameters));
  const body = operation.requestBody?.content['application/json']?.schema ?? {};
  const { properties, required = [], additionalProperties } = schemaOf(body, document);
  const argumentOf = ({ description, schema }: Parameter) => ({ ...schema, description });
  const headers = Object.entries(headerArguments(endpoint)).flatMap(([name, header]) =>
    all.filter((one) => one.name === header).map((one) => [name, argumentOf(one)]),
  );
  const inAddress = all.filter((one) => one.in !== 'header');
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(inAddress.map((one) => [one.name, inlined(argumentOf(one), schemas)])),
      ...inlinedFields({ ...properties }, schemas),
      ...Object.fromEntries(headers),
    },
    required: [
      ...new Set([...inAddress.filter((one) => one.required).map(({ name }) => name), ...required]),
    ],
    ...(additionalProperties === false && { additionalProperties }),
  };
}

type Schemas = Document['components']['schemas'];

/** Resolves references and removes examples. */
function inlined(part: unknown, schemas: Schemas): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, schemas));
  if (typeof part !== 'object' || part === null) return part;
  // Keys beside a reference override its target.
  const whole: JsonSchema = { ...component(part as JsonSchema, schemas), ...part };
  const { $ref: _reference, examples: _examples, properties, ...rest } = whole;
  return {
    ...inlinedFields(rest, schemas),
    ...(properties && { properties: inlinedFields(properties, schemas) }),
  };
}

/** Fields may have any name, even that of a keyword. */
const inlinedFields = (fields: object, schemas: Schemas): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, inlined(schema, schemas)]),
  );
