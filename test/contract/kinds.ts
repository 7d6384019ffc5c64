import { isLong } from '../harness/long.ts';
import { type Endpoint, isConditional, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';

/** Fields of a declaration that the kernel goes by. */
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

/** Names of fields that are each endpoint's own, and of those that tests of their own ask every endpoint about. */
export const ownFields: readonly (keyof Endpoint)[] = [
  ...(['id', 'route', 'summary', 'description', 'params', 'query', 'body', 'reply'] as const),
  ...(['errors', 'handler', 'conditional', 'everyday', 'fresh'] as const),
];

/** Names of the fields that tell kinds apart. */
export const kindFields = Object.keys(kernelFields({} as Endpoint));

/** Name of an endpoint's kind: the kernel does the same to all of one kind, but for their schemas. */
function kindOf(endpoint: Endpoint): string {
  const { access, ...others } = kernelFields(endpoint);
  const { kind } = access;
  const isLimited = 'capability' in access || 'switched' in access;
  const writes = { isConditional: isConditional(endpoint), keepsAnswers: keepsAnswers(endpoint) };
  return JSON.stringify({ kind, isLimited, ...writes, ...others });
}

/** One endpoint of each kind. */
export function exemplarsOf(endpoints: readonly Endpoint[]): Endpoint[] {
  const kinds = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const kind = kindOf(endpoint);
    if (!kinds.has(kind)) kinds.set(kind, endpoint);
  }
  return [...kinds.values()];
}

/** Endpoints that are asked what the kernel decides: an exemplar of each kind, and in the long proofs all of them. */
export const askedOf = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  isLong ? endpoints : exemplarsOf(endpoints);

/**
 * Deals cases out to endpoints: an exemplar of its kind has all of them, every other endpoint the one
 * whose turn it is, so that all of a kind together have them all again.
 */
export function dealerOf(endpoints: readonly Endpoint[]) {
  const exemplars = new Set(exemplarsOf(endpoints));
  return <T>(endpoint: Endpoint, cases: readonly T[]): readonly T[] =>
    exemplars.has(endpoint) || cases.length === 0
      ? cases
      : [cases[endpoints.indexOf(endpoint) % cases.length] as T];
}
