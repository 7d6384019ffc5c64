import type * as z from 'zod';
import type { Access } from '../auth/access.ts';
import type { Answer } from '../command/decision.ts';
import type { ErrorCode, Refusal } from '../errors/errors.ts';
import { type Call, type Declaration, type Endpoint, endpoint } from './endpoint.ts';
import type { KernelCode } from '../command/store.ts';

interface Alike<
  A extends Access,
  F extends 'read' | 'write',
  I,
  R extends z.ZodType,
  C extends ErrorCode,
> extends Omit<
  Declaration<A, F, z.ZodType, z.ZodType, z.ZodType, R, C>,
  'route' | 'params' | 'query' | 'body'
> {
  readonly path: `/${string}`;
  readonly query: z.ZodType<I>;
  readonly body: z.ZodType<I>;
}

/**
 * Declares an operation twice: as a POST with a body, and as a GET with a query for clients that can't send a body. The
 * GET is called `<id>ByQuery`.
 */
export function endpointByQueryOrBody<
  const A extends Access,
  const F extends 'read' | 'write',
  I,
  R extends z.ZodType,
  const C extends ErrorCode = never,
>({ path, query, body, ...shared }: Alike<A, F, I, R, C>) {
  type ThisCall = Omit<
    Call<A, F, undefined, undefined, undefined, z.input<R>>,
    'params' | 'query' | 'body'
  > & { readonly input: I };
  type Outcome = Promise<z.input<R> | Answer | Refusal<C | KernelCode>>;
  return {
    handle: (handler: (call: ThisCall) => Outcome): [byBody: Endpoint, byQuery: Endpoint] => [
      endpoint({ ...shared, route: [`POST ${path}`], body }).handle((call) =>
        handler({ ...call, input: call.body }),
      ),
      endpoint({ ...shared, id: `${shared.id}ByQuery`, route: [`GET ${path}`], query }).handle(
        (call) => handler({ ...call, input: call.query }),
      ),
    ],
  };
}
