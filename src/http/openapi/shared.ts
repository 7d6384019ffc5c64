import type * as z from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { ErrorBody } from '../errors.ts';
import type { Vocabulary } from './example.ts';
import {
  type Components,
  type JsonSchema,
  type JsonSchemas,
  componentOf,
  jsonSchemas,
} from './schema.ts';

/** The events there are, by name: what each means, and the record it carries. */
export type Events = Readonly<Record<string, { summary: string; payload: z.ZodType }>>;

/** What the operations of a document have in common; filled while they are built. */
export class Shared {
  readonly schemas: Components = {};
  readonly responses: Record<string, object> = {};
  readonly examples: Record<string, object> = {};
  readonly vocabulary: Vocabulary;
  readonly #inputs: JsonSchemas;
  readonly #outputs: JsonSchemas;

  constructor(endpoints: readonly Endpoint[], events: Events, vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    const inputs = endpoints.flatMap(({ params, query, body }) => [params, query, body]);
    this.#inputs = jsonSchemas(
      inputs.filter((schema) => schema !== undefined),
      'input',
      this.schemas,
    );
    const replies = endpoints.map(({ reply }) => reply[1]);
    const payloads = Object.values(events).map(({ payload }) => payload);
    this.#outputs = jsonSchemas([ErrorBody, ...replies, ...payloads], 'output', this.schemas);
  }

  /** What a client sends. */
  input(schema: z.ZodType): JsonSchema {
    return known(this.#inputs.get(schema));
  }

  /** What a client is sent. */
  output(schema: z.ZodType): JsonSchema {
    return known(this.#outputs.get(schema));
  }

  /** The component that a schema refers to, or the schema itself. */
  resolved(schema: JsonSchema): JsonSchema {
    const component = componentOf(schema);
    return component === undefined ? schema : known(this.schemas[component]);
  }
}

function known(schema: JsonSchema | undefined): JsonSchema {
  if (!schema) throw new Error('The schema is of none of the endpoints.');
  return schema;
}
