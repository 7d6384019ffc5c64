import type { Context } from 'hono';
import type * as z from 'zod';
import { type ApiError, kernelError } from '../errors/errors.ts';
import { stateOf } from './request-state.ts';

/** The most parameters for which an error gives reasons. */
const reasonsLimit = 50;

/** Builds the error for invalid input. Missing parameters take precedence over wrong ones. */
export function invalidInput(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  target: 'param' | 'query' | 'json',
): ApiError {
  const missing = issues.filter((issue) => valueAt(input, issue.path) === undefined);
  const reasons = (of: readonly z.core.$ZodIssue[], why: (issue: z.core.$ZodIssue) => string) => ({
    params: Object.fromEntries(
      of
        .flatMap((issue) => pathsOf(issue).map((path) => [path.join('.') || 'body', why(issue)]))
        .slice(0, reasonsLimit),
    ),
  });
  if (missing.length > 0) {
    return kernelError('rest_missing_callback_param', reasons(missing, whyMissing));
  }
  const why = (issue: z.core.$ZodIssue) => {
    if (issue.code === 'unrecognized_keys') return 'is not known here: check its spelling';
    return target === 'query' && Array.isArray(valueAt(input, issue.path))
      ? 'is given more than once'
      : issue.message;
  };
  return kernelError('rest_invalid_param', reasons(issues, why));
}

/** Returns the paths of an issue, or of unknown fields. */
const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** A custom rule says what is required. Of several parameters, the first is named. */
const whyMissing = ({ code, message }: z.core.$ZodIssue) =>
  code === 'custom' ? message : 'is required';

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
}

export function unknownNames(
  input: object,
  schema: z.ZodType,
  known: readonly string[] = [],
): string[] {
  const { shape, def } = schema as z.ZodObject;
  if (def.catchall !== undefined) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(shape, name) && !known.includes(name));
}

/** Stores names that the endpoint doesn't know, for the reply. */
export function keepIgnored(
  c: Context,
  what: 'ignored_fields' | 'ignored_parameters',
  names: readonly string[],
): void {
  if (names.length > 0) stateOf(c).ignored[what] = names;
}
