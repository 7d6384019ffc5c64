import type * as z from 'zod';
import type { Endpoint } from '../kernel/endpoint/endpoint.ts';
import { ErrorBody } from '../kernel/errors/error-body.ts';
import { catalogue } from '../domain/webhook/catalogue.ts';
import { replyName } from './replies.ts';
import {
  type Components,
  type JsonSchema,
  type JsonSchemas,
  addComponent,
  componentOf,
  jsonSchemas,
  reference,
} from './schema.ts';

/** Collects the components while the operations of a document are built. */
export class Shared {
  readonly schemas: Components = {};
  readonly responses: Record<string, object> = {};
  readonly examples: Record<string, object> = {};
  readonly #inputs: JsonSchemas;
  readonly #outputs: JsonSchemas;

  constructor(endpoints: readonly Endpoint[]) {
    const inputs = endpoints.flatMap(({ params, query, body }) => [params, query, body]);
    this.#inputs = jsonSchemas(
      inputs.filter((schema) => schema !== undefined),
      'input',
      this.schemas,
    );
    const replies = endpoints.map(({ reply }) => reply[1]);
    const payloads = Object.values(catalogue).map(({ payload }) => payload);
    this.#outputs = jsonSchemas([ErrorBody, ...replies, ...payloads], 'output', this.schemas);
  }

  input(schema: z.ZodType): JsonSchema {
    return known(this.#inputs.get(schema));
  }

  output(schema: z.ZodType): JsonSchema {
    return known(this.#outputs.get(schema));
  }

  reply({ id, reply: [, body] }: Endpoint): JsonSchema {
    const schema = this.output(body);
    const name = replyName(id, schema);
    if (name === undefined) return schema;
    addComponent(this.schemas, name, schema);
    return reference(name);
  }

  /** Resolves a reference; other fields stay. */
  resolved(schema: JsonSchema): JsonSchema {
    const component = componentOf(schema);
    if (component === undefined) return schema;
    const { $ref: _, ...own } = schema;
    return { ...known(this.schemas[component]), ...own };
  }
}

function known(schema: JsonSchema | undefined): JsonSchema {
  if (!schema) throw new Error('No endpoint uses this schema.');
  return schema;
}
