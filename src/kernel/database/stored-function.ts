import { makePgArray } from 'drizzle-orm/pg-core';
import { encodeHex } from '../../lib/bytes.ts';

/** A caller as the database checks it: the kind, and the values that `svc_authorize_caller` takes for that kind. */
export interface Caller {
  readonly kind: 'key' | 'session' | 'console';
  readonly values: readonly unknown[];
}

/** A caller to authorise, and the receiver of the database's answer. */
export interface Authorising extends Caller {
  readonly accept: (answer: unknown) => void;
}

export interface StoredFunction {
  /** Contains a hash of the text, so the meaning of a name never changes. */
  readonly name: string;
  /** The CREATE statement. */
  readonly text: string;
}

/** Numbers of rows that belong to no statement. */
export const parts = { failure: -3, authorisation: -2, storedAnswer: -1 } as const;

/** A part number, and a text. */
export type PartRow = readonly [part: number, value: string];

/** Returns the text of a value within an array of texts. */
export const elementOf = (value: unknown) => (Array.isArray(value) ? makePgArray(value) : value);

/**
 * The arguments for the caller (two nulls for the service itself) and for the expected store.
 * @param store undefined if the deployment does not know its store, and accepts any database
 */
export const callerArguments = (
  caller: Caller | undefined,
  store: string | undefined,
): readonly unknown[] => [
  ...(caller ? [caller.kind, caller.values.map(elementOf)] : [null, null]),
  store ?? null,
];

/** Checks the store and the caller. An assignment needs no plan of its own. */
export const authorise = `IF coalesce(a_kind, a_store) IS NOT NULL THEN
      svc_part := ${parts.authorisation};
      svc_value := svc_authorize_caller(a_kind, a_values, a_store)::text;
      RETURN NEXT;
    END IF;`;

/** Returns a failure as a row. Neon closes the connection of a failed statement, and its plans are lost. */
export const answerFailure = `GET STACKED DIAGNOSTICS svc_message = MESSAGE_TEXT,
      svc_detail = PG_EXCEPTION_DETAIL, svc_constraint = CONSTRAINT_NAME;
    RETURN QUERY SELECT ${parts.failure}, json_strip_nulls(json_build_object('code', SQLSTATE,
      'message', svc_message, 'detail', nullif(svc_detail, ''),
      'constraint', nullif(svc_constraint, '')))::text;`;

/** Makes a function that authorises a caller and returns numbered rows. Its name is a hash of its text. */
export async function storedFunction(
  parameters: readonly string[],
  qualities: string,
  declarations: readonly string[],
  body: string,
): Promise<StoredFunction> {
  const signature = `(${['a_kind text', 'a_values text[]', 'a_store text', ...parameters].join(', ')})
RETURNS TABLE (svc_part int, svc_value text) LANGUAGE plpgsql ${qualities} AS $svc$
DECLARE
${[...declarations, 'svc_message text', 'svc_detail text', 'svc_constraint text']
  .map((one) => `  ${one};`)
  .join('\n')}
BEGIN
${body.replaceAll(/\n +/g, '\n')}
END $svc$`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(signature));
  const name = `svc_trip_${encodeHex(new Uint8Array(digest)).slice(0, 24)}`;
  return { name, text: `CREATE FUNCTION ${name}${signature}` };
}
