import { reasonOf } from '../database/errors.ts';
import { ApiError } from './errors.ts';

/** Writes a line into the log for the operator; it has no personal data. */
export const tellOperator = (line: Readonly<Record<string, unknown>>): void =>
  // eslint-disable-next-line no-console -- a worker's log is its standard output
  console.log(JSON.stringify({ level: 'error', ...line }));

/** Describes an error for the log by names, stacks and codes. Messages are left out, because they can quote data. */
export const failureOf = (error: Error): Record<string, unknown> => ({
  error: error instanceof ApiError ? error.code : error.name,
  ...reasonOf(error),
  stack: stackOf(error),
});

const stackOf = (error: Error) =>
  (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
