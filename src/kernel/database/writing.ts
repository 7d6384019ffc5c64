import type { SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { tripFunctions } from './prepared.ts';
import type { Statement } from './statements.ts';
import {
  type StoredFunction,
  answerFailure,
  authorise,
  storedFunction,
  elementOf,
} from './stored-function.ts';

let made: Promise<StoredFunction> | undefined;

/**
 * The function that writes. It authorises, runs statements in turn, each of which sees earlier commits, and may return
 * the rows of the last. Either all statements take effect or none. PostgreSQL infers the types of values, as for
 * parameters. A failure is caught, so its log contains no values.
 */
export const writer = (): Promise<StoredFunction> =>
  (made ??= storedFunction(
    ['w_counts int[]', 'w_values text[]', 'w_answers boolean', 'w_texts text[]'],
    'VOLATILE',
    ['svc_text text', 'svc_row record', 'svc_first int := 1'],
    `  ${authorise}
  FOR svc_at IN 1 .. cardinality(w_texts) LOOP
    svc_text := format(w_texts[svc_at],
      VARIADIC w_values[svc_first : svc_first + w_counts[svc_at] - 1]);
    svc_first := svc_first + w_counts[svc_at];
    IF w_answers AND svc_at = cardinality(w_texts) THEN
      FOR svc_row IN EXECUTE svc_text LOOP
        RETURN QUERY SELECT 0, row_to_json(svc_row)::text;
      END LOOP;
    ELSE
      EXECUTE svc_text;
    END IF;
  END LOOP;
EXCEPTION
  WHEN query_canceled THEN
    RAISE query_canceled;
  WHEN OTHERS THEN
    ${answerFailure}`,
  ));

/** The functions that this version of the worker calls. */
export const storedFunctions = async () => [...(await tripFunctions()), await writer()];

const dialect = new PgDialect();

/** Converts statements for the writing function. */
export function written(statements: readonly Statement[]) {
  const rendered = statements.map(renderedFor);
  return {
    texts: rendered.map(({ text }) => text),
    counts: rendered.map(({ values }) => values.length),
    values: rendered.flatMap(({ values }) => values),
  };
}

/** Renders a statement with placeholders of PostgreSQL's format(), which quotes each value. */
function renderedFor(statement: Statement) {
  const { sql: text, params } = dialect.sqlToQuery((statement as unknown as SQLWrapper).getSQL());
  if (text.split('$').length - 1 !== params.length) {
    throw new Error('A statement has text that may read as a parameter.');
  }
  return {
    text: text.replaceAll('%', '%%').replaceAll(/\$(\d+)/g, '%$1$$L'),
    values: params.map(elementOf),
  };
}
