import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readPublishedConfig } from '../../src/config.ts';
import { servedResourcesOf } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { operationName } from '../../src/openapi/names.ts';
import type { JsonSchema } from '../../src/openapi/schema.ts';
import type { Reply } from '../harness/client.ts';
import type { Scene } from '../contract/scene.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

type Reference = { readonly $ref?: string };

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter & Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, (Content & Reference) | undefined>>;
}

/**
 * The OpenAPI document of everything that the service serves, as a client's only knowledge. It includes the console's
 * own operations, which no published document has.
 */
export class ApiDocument {
  readonly #root: object;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(root: { paths: Record<string, Record<string, Operation>> }) {
    this.#root = root;
    const operations = Object.values(root.paths).flatMap((item) => Object.values(item));
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(root, 'openapi');
  }

  static async read(scene: Scene): Promise<ApiDocument> {
    const config = readPublishedConfig(await scene.store.environment);
    const document = openApiDocument(config, servedResourcesOf(config));
    return new ApiDocument(JSON.parse(JSON.stringify(document)));
  }

  resolved<T extends object>(object: T & Reference): T {
    if (object.$ref === undefined) return object;
    const path = object.$ref.slice(2).split('/');
    return path.reduce<object>((at, key) => at[key as keyof object], this.#root) as T;
  }

  parameters(endpoint: Endpoint, place: Parameter['in']): Parameter[] {
    const { parameters } = this.#operation(endpoint);
    return parameters.map((one) => this.resolved(one)).filter((one) => one.in === place);
  }

  body(endpoint: Endpoint): JsonSchema | undefined {
    const type = endpoint.bodyType ?? 'application/json';
    return this.#operation(endpoint).requestBody?.content?.[type]?.schema;
  }

  faults(endpoint: Endpoint, { status, headers, body }: Reply): string[] {
    const { operationId, responses } = this.#operation(endpoint);
    const response = responses[status];
    if (!response) return [`the status ${status} is not documented`];
    const { content } = this.resolved(response);
    if (!content) return body === undefined ? [] : ['a body where none is documented'];
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const { schema } = content[type] ?? content[type.replace(/\/.*/, '/*')] ?? content['*/*'] ?? {};
    if (!schema) return [`a body of the type ${type}`];
    const name = `${operationId} ${status}`;
    const validate = this.#validators.get(name) ?? this.#ajv.compile(this.#inDocument(schema));
    this.#validators.set(name, validate);
    return validate(body) ? [] : [this.#ajv.errorsText(validate.errors)];
  }

  /** A schema whose references lead into the document. */
  #inDocument(schema: JsonSchema): JsonSchema {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));
  }

  #operation({ id }: Endpoint): Operation {
    const operation = this.#operations.get(operationName(id));
    if (!operation) throw new Error(`The document has no operation ${id}.`);
    return operation;
  }
}
