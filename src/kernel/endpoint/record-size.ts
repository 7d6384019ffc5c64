import { type Refusal, refuse } from '../errors/errors.ts';

/**
 * The largest size of a record, in KiB. Pages of 100 records then fit into the 10 MiB of an answer of the database's
 * endpoint.
 */
const limit = 96;

/**
 * Estimates the KiB of a value in an answer of the database, which quotes it twice: in a composite value and in JSON.
 */
function sizeOf(value: unknown): number {
  const inComposite = (JSON.stringify(value) ?? '').replaceAll(/["\\]/g, '$&$&');
  return new TextEncoder().encode(JSON.stringify(inComposite)).length / 1024;
}

/** Refuses a record that is too large for lists, and names its largest part. */
export function sizeRefusal(record: object): Refusal<'rest_invalid_param'> | undefined {
  const size = sizeOf(record);
  if (size <= limit) return undefined;
  const parts = Object.entries(record).map(([name, part]) => ({ name, size: sizeOf(part) }));
  const largest = parts.sort((one, other) => other.size - one.size)[0]?.name ?? '';
  return refuse('rest_invalid_param', {
    message: `A record may take ${limit} KiB; this one would take ${Math.ceil(size)}.`,
    params: { [largest]: 'is too large' },
  });
}
