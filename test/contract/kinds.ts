import { isLong } from '../harness/long.ts';
import { type Endpoint, isConditional, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';

/** Fields of a declaration that the kernel depends on. */
const kernelFields = ({
  access,
  effect,
  namespace,
  bodyType,
  rawBody,
  streamBody,
  alsoJson,
  bodyLimit,
  headers,
  etag,
  head,
  secretReply,
}: Endpoint) => ({
  ...{ access, effect, namespace, bodyType, rawBody, streamBody, alsoJson, bodyLimit },
  ...{ headers, etag, head, secretReply },
});

/** Names of fields that belong to each endpoint alone, and of those whose own tests cover every endpoint. */
export const ownFields: readonly (keyof Endpoint)[] = [
  ...(['id', 'route', 'summary', 'description', 'params', 'query', 'body', 'reply'] as const),
  ...(['errors', 'handler', 'conditional', 'everyday', 'fresh'] as const),
];

export const kindFields = Object.keys(kernelFields({} as Endpoint));

/** The name of an endpoint's kind. The kernel treats endpoints of a kind alike, except for their schemas. */
function kindOf(endpoint: Endpoint): string {
  const { access, ...others } = kernelFields(endpoint);
  const { kind } = access;
  const isLimited = 'capability' in access || 'switched' in access;
  const writes = { isConditional: isConditional(endpoint), keepsAnswers: keepsAnswers(endpoint) };
  return JSON.stringify({ kind, isLimited, ...writes, ...others });
}

export function exemplarsOf(endpoints: readonly Endpoint[]): Endpoint[] {
  const kinds = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const kind = kindOf(endpoint);
    if (!kinds.has(kind)) kinds.set(kind, endpoint);
  }
  return [...kinds.values()];
}

/** Endpoints on which the kernel's decisions are tested: one of each kind; in the long proofs all. */
export const askedOf = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  isLong ? endpoints : exemplarsOf(endpoints);

/** Deals cases out to endpoints. The first endpoint of a kind gets all cases; every other endpoint gets one in turn. */
export function dealerOf(endpoints: readonly Endpoint[]) {
  const exemplars = new Set(exemplarsOf(endpoints));
  return <T>(endpoint: Endpoint, cases: readonly T[]): readonly T[] =>
    exemplars.has(endpoint) || cases.length === 0
      ? cases
      : [cases[endpoints.indexOf(endpoint) % cases.length] as T];
}
