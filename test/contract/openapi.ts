import { modules } from '../../src/modules/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { inOpenApi30 } from '../../src/openapi/openapi-30.ts';
import { baseUrl } from '../harness/store.ts';

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security: Record<string, string[]>[];
  parameters: { $ref?: string; name?: string; example?: unknown }[];
  responses: Record<string, { $ref?: string; content?: object }>;
}

interface Document {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation & { requestBody: { content: object } } }>;
  components: Record<string, Record<string, object>>;
}

const made = openApiDocument({
  BASE_URL: baseUrl,
  REST_ROOT: '/api',
  MODULES: modules.map(({ key }) => key),
  IDEMPOTENCY_DAYS: 5,
});

/** The document of a deployment with every module. */
export const document: Document = JSON.parse(JSON.stringify(made));

export const document30: Omit<Document, 'webhooks'> & { 'x-webhooks': Document['webhooks'] } =
  JSON.parse(JSON.stringify(inOpenApi30(made)));

export function* objectsIn(
  value: unknown = document,
  pointer = '',
): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, unknown>];
  for (const [key, part] of Object.entries(value)) {
    const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* objectsIn(part, `${pointer}/${step}`);
  }
}

export function resolved(object: { $ref?: string }): object {
  if (object.$ref === undefined) return object;
  return object.$ref
    .slice(2)
    .split('/')
    .reduce<object>((at, key) => at[key as keyof object], document);
}

export const isInExample = (pointer: string) => /\/example(\/|$)|\/examples\//.test(pointer);
