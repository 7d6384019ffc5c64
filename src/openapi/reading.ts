import { type JsonSchema, componentOf } from './schema.ts';

/** An OpenAPI document, as served, for conversion into another form. */
export interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Reply>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  /** Alternative ways to authenticate. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reply | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: string | number | boolean;
}

export interface Reply {
  readonly description: string;
  readonly content?: Content;
}

/** By media type. */
type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>;

interface Reference {
  readonly $ref: string;
}

export interface LocatedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const operationsIn = ({ paths }: Document): LocatedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

/** Returns anything but a reference unchanged. */
export function component<T extends object>(
  part: T | Reference,
  components: Readonly<Record<string, T>>,
): T {
  if (!('$ref' in part)) return part;
  return known(components[part.$ref.split('/').at(-1) ?? '']);
}

/** Returns anything but a reference unchanged. */
export function schemaOf(schema: JsonSchema, { components }: Document): JsonSchema {
  const name = componentOf(schema);
  return name === undefined ? schema : known(components.schemas[name]);
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('The document has a reference without a target.');
  return found;
}
