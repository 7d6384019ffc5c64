import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { definitionOf } from './projection.ts';
import { type ExportFormat, exportFormats, exportTypes } from './export-formats.ts';

/** What the items of a list in pages are; undefined for what is none, and has no exports. */
export function itemOf(endpoint: Endpoint): z.core.$ZodType | undefined {
  if (!cursorOf(endpoint)) return undefined;
  const [, body] = endpoint.reply;
  const { data } = (body as z.ZodObject).shape;
  const def = definitionOf(data as z.ZodType);
  // Files of a list that answers with ids as well have its records.
  return ((def.type === 'union' ? def.options[0] : data) as z.ZodArray).element;
}

/** The schema of a list's cursor; undefined for what has none. */
export const cursorOf = ({ query }: Pick<Endpoint, 'query'>): z.ZodType | undefined =>
  (query as Partial<z.ZodObject> | undefined)?.shape?.['cursor'] as z.ZodType | undefined;

/** What a list in pages is answered as, JSON first. */
const answers = ['application/json', ...Object.values(exportTypes)];

/** What a request accepts rather than JSON, if anything. What is less welcome to it than anything else gives way to JSON. */
export function acceptedFormat(c: Context): ExportFormat | undefined {
  const accepted = parseAccept(c.req.header('accept') ?? '');
  const anything = accepted.find(({ type }) => type === '*/*')?.q ?? 0;
  const [best] = accepted
    .filter(({ q }) => q > 0 && q >= anything)
    .sort((one, other) => other.q - one.q)
    .flatMap(({ type }) => answers.filter((known) => isOf(known, type.toLowerCase())));
  return exportFormats.find((format) => exportTypes[format] === best);
}

/** Whether a media type is of a range such as `text/*`. */
const isOf = (type: string, range: string) =>
  range === type || range === type.replace(/[^/]+$/, '*');
