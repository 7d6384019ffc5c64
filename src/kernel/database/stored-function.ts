import { encodeHex } from '../../lib/bytes.ts';

/** A function that comes first in a trip: it raises where the caller may not. */
export interface Authorisation {
  readonly name: string;
  /** Its parameters, and the types of them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A function of PostgreSQL's, as it is made and called. */
export interface StoredFunction {
  /** With a hash of the text: what one name stands for never changes. */
  readonly name: string;
  /** The statement that makes it. */
  readonly text: string;
}

/** What of a function's rows isn't a statement's. */
export const parts = { failure: -3, authorisation: -2, storedAnswer: -1 } as const;

/** A row that such a function answers with: of which part it is, and its text. */
export type PartRow = readonly [part: number, value: string];

/** Parameters as a function declares them. */
export const declared = (prefix: string, parameters: Readonly<Record<string, string>>) =>
  Object.entries(parameters).map(([name, type]) => `${prefix}${name} ${type.replace(/\?$/, '')}`);

/** The parameters of the function that authorises. */
export const ofAuthorisation = (authorisation: Authorisation | undefined) =>
  declared('a_', authorisation?.parameters ?? {});

/** The statement that authorises, and answers what it finds. */
export function authorising({ name, parameters }: Authorisation): string {
  const values = Object.keys(parameters).map((parameter) => `a_${parameter}`);
  return `RETURN QUERY SELECT ${parts.authorisation}, ${name}(${values.join(', ')})::text;`;
}

/**
 * A failure is answered like everything else: Neon closes the connection of a statement that fails, and
 * the plans it has kept would go with it.
 */
export const answerFailure = `GET STACKED DIAGNOSTICS svc_message = MESSAGE_TEXT,
      svc_detail = PG_EXCEPTION_DETAIL, svc_constraint = CONSTRAINT_NAME;
    RETURN QUERY SELECT ${parts.failure}, json_strip_nulls(json_build_object('code', SQLSTATE,
      'message', svc_message, 'detail', nullif(svc_detail, ''),
      'constraint', nullif(svc_constraint, '')))::text;`;

/** A function that answers rows of parts, named by a hash of its text. */
export async function storedFunction(
  parameters: readonly string[],
  qualities: string,
  declarations: readonly string[],
  body: string,
): Promise<StoredFunction> {
  const signature = `(${parameters.join(', ')})
RETURNS TABLE (svc_part int, svc_value text) LANGUAGE plpgsql ${qualities} AS $svc$
DECLARE
${[...declarations, 'svc_message text', 'svc_detail text', 'svc_constraint text']
  .map((one) => `  ${one};`)
  .join('\n')}
BEGIN
${body}
END $svc$`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(signature));
  const name = `svc_trip_${encodeHex(new Uint8Array(digest)).slice(0, 24)}`;
  return { name, text: `CREATE FUNCTION ${name}${signature}` };
}
