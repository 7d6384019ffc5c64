import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { trimmed } from '../../lib/text.ts';
import { kernelError } from '../errors/errors.ts';
import { gathered } from './deep-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import { invalidInput, keepIgnored, unknownNames } from './input.ts';
import { stateOf } from './request-state.ts';
import { partsOf } from './routes.ts';
import { bodyValidators } from './validate-body.ts';

/** The validators of an endpoint, in the order of their errors. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  return [
    ...(endpoint.params ? [validateParams(endpoint.params)] : []),
    ...queryValidators(endpoint),
    ...bodyValidators(endpoint),
  ];
}

/** An endpoint that refuses unknown fields refuses unknown parameters too. */
function queryValidators(endpoint: Endpoint): MiddlewareHandler[] {
  const { query = refusesOthers(endpoint.body) ? z.strictObject({}) : undefined } = endpoint;
  return query ? [noteParameters(endpoint, query), validateQuery(query)] : [];
}

const refusesOthers = (schema: z.ZodType | undefined): boolean =>
  (schema as z.ZodObject | undefined)?.def.catchall instanceof z.ZodNever;

/** Validates the parameters that the router found in the path. */
function validateParams(schema: z.ZodType): MiddlewareHandler {
  return async (c, next) => {
    const { params } = stateOf(c);
    const result = schema.safeParse(params);
    if (!result.success) throw invalidInput(result.error.issues, params, 'param');
    c.req.addValidatedData('param', result.data as object);
    await next();
  };
}

function validateQuery(schema: z.ZodType): MiddlewareHandler {
  const given = (value: unknown) => gathered(withoutEmpty(value as object, schema), schema);
  return zValidator(
    'query',
    schema,
    (result) => {
      if (!result.success) throw invalidInput(result.error.issues, given(result.data), 'query');
      if (endsBeforeStart(result.data as object)) {
        throw kernelError('rest_invalid_param', {
          params: { date_end: 'must not be before date_start' },
        });
      }
    },
    { validationFunction: (schema, value) => schema.safeParse(given(value)) },
  );
}

/** Stores unknown parameters, for the reply. Parameters that select routes are known. */
function noteParameters({ route: routes }: Endpoint, schema: z.ZodType): MiddlewareHandler {
  const asked = routes.flatMap((route) => Object.keys(partsOf(route).only));
  return async (c, next) => {
    keepIgnored(
      c,
      'ignored_parameters',
      unknownNames(gathered(c.req.queries(), schema), schema, asked),
    );
    await next();
  };
}

/**
 * Drops empty and blank query values, unless the schema gives them a meaning. A schema that refuses unknown parameters
 * keeps them: there, an absent parameter means too much.
 */
const withoutEmpty = (query: object, schema: z.ZodType) => {
  if (refusesOthers(schema)) return query;
  // Not an object, which has names like `constructor`.
  const fields = new Map(Object.entries((schema as Partial<z.ZodObject>).shape ?? {}));
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => !isBlank(value) || fields.get(name)?.meta()?.['allowEmptyValue'] === true,
    ),
  );
};

const isBlank = (value: unknown) => typeof value === 'string' && trimmed(value) === '';

/** Tells if a range ends before it starts. A day and an instant are not compared. */
const endsBeforeStart = ({ date_start, date_end }: { date_start?: string; date_end?: string }) =>
  date_start !== undefined &&
  date_end !== undefined &&
  date_start.length === date_end.length &&
  date_end < date_start;
