// Declarations of the service, for programs that are generated from them.
import '../domain/service/vocabulary.ts';
export { service } from '../domain/service/service.ts';
export { errorTable } from '../domain/service/errors.ts';
export { catalogue } from '../domain/webhook/catalogue.ts';
export { documentedEndpoints, endpoints } from '../endpoints.ts';
export { declaredErrors } from '../kernel/endpoint/declared-errors.ts';
export { type Endpoint, isConditional, keepsAnswers } from '../kernel/endpoint/endpoint.ts';
export { partsOf } from '../kernel/endpoint/routes.ts';
export { csvFile, picture } from '../kernel/schemas/replies.ts';
export { componentName, operationName } from '../openapi/names.ts';
export { description } from '../openapi/operation.ts';
export { type JsonSchema, componentOf } from '../openapi/schema.ts';
export { Shared } from '../openapi/shared.ts';
export { webhooks } from '../openapi/webhooks.ts';
export { scopes } from '../schema/scopes.ts';
