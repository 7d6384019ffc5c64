import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { definitionOf } from './projection.ts';
import { type ExportFormat, exportFormats, exportTypes } from './export-formats.ts';

/** Returns the schema of the items of a list in pages; undefined for other endpoints. */
export function itemOf(endpoint: Endpoint): z.core.$ZodType | undefined {
  if (!cursorOf(endpoint)) return undefined;
  const [, body] = endpoint.reply;
  const { data } = (body as z.ZodObject).shape;
  const def = definitionOf(data as z.ZodType);
  // If a list can also answer with ids, a file has the records.
  return ((def.type === 'union' ? def.options[0] : data) as z.ZodArray).element;
}

/** The schema of a list's cursor; undefined for a list without cursors. */
export const cursorOf = ({ query }: Pick<Endpoint, 'query'>): z.ZodType | undefined =>
  (query as Partial<z.ZodObject> | undefined)?.shape?.['cursor'] as z.ZodType | undefined;

/** Media types of a list in pages, JSON first. */
const answers = ['application/json', ...Object.values(exportTypes)];

/**
 * Returns the file format that a request prefers to JSON, if any. JSON also wins if another type is preferred to the
 * format.
 */
export function acceptedFormat(c: Context): ExportFormat | undefined {
  const accepted = parseAccept(c.req.header('accept') ?? '');
  const anything = accepted.find(({ type }) => type === '*/*')?.q ?? 0;
  const [best] = accepted
    .filter(({ q }) => q > 0 && q >= anything)
    .sort((one, other) => other.q - one.q)
    .flatMap(({ type }) => answers.filter((known) => isOf(known, type.toLowerCase())));
  return exportFormats.find((format) => exportTypes[format] === best);
}

/** Matches a media type against a range such as `text/*`. */
const isOf = (type: string, range: string) =>
  range === type || range === type.replace(/[^/]+$/, '*');
