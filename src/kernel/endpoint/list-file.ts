import type * as z from 'zod';
import { csvLine } from '../../lib/csv.ts';
import { kernelError } from '../errors/errors.ts';
import { type ExportFormat, exportTypes } from './export-formats.ts';
import { windowParameterNames } from '../lists/query.ts';
import { definitionOf } from './projection.ts';
import { type StreamedFile, pagesOf } from '../lists/pages.ts';

/** The columns of items: paths through objects to each value. */
function columnsOf(schema: z.core.$ZodType, path: readonly string[] = []): (readonly string[])[] {
  const def = definitionOf(schema);
  if (def.type === 'nullable' || def.type === 'optional') return columnsOf(def.innerType, path);
  if (def.type !== 'object' || def.catchall) return [path];
  return Object.entries(def.shape).flatMap(([name, field]) => columnsOf(field, [...path, name]));
}

const valueAt = (item: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], item);

interface FileFormat {
  readonly start: string;
  readonly line: (item: unknown) => string;
}

const writing: Record<ExportFormat, (item: z.core.$ZodType) => FileFormat> = {
  csv: (schema) => {
    const columns = columnsOf(schema);
    return {
      start: csvLine(columns.map((path) => path.join('.'))),
      line: (item) => csvLine(columns.map((path) => valueAt(item, path))),
    };
  },
  ndjson: () => ({ start: '', line: (item) => `${JSON.stringify(item)}\n` }),
};

export interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly next_cursor: string | null };
}

export type PageQuery = Readonly<Record<string, unknown>>;

export interface Export {
  readonly item: z.core.$ZodType;
  readonly cursor: z.ZodType;
  readonly format: ExportFormat;
  /** The query of the list, validated. */
  readonly query: PageQuery;
  /** The names of all given parameters, known or not. */
  readonly given: readonly string[];
  readonly unknown: readonly string[] | undefined;
  /** The address of the list or of the file, from which the file gets its name. */
  readonly path: string;
  readonly read: (query: PageQuery) => Promise<Page>;
}

/** Makes a file of all records of a list. Every page is a trip that authorises. */
export function listFile({
  item,
  format,
  query,
  cursor,
  path,
  read,
  ...names
}: Export): StreamedFile {
  refuseLess(names);
  return {
    name: `${/[^/.]+(?=[^/]*$)/.exec(path)?.[0]}.${format}`,
    type: exportTypes[format],
    texts: textsOf(writing[format](item), cursor, (window) => read({ ...query, ...window })),
  };
}

/** Refuses requests for a part of the list: for a page, or with an unknown filter. */
function refuseLess({ given, unknown = [] }: Pick<Export, 'given' | 'unknown'>): void {
  const reasons = given.flatMap((name) => {
    // In a list without page numbers, such as a tree, `limit` may be a filter.
    const isFilter = name === 'limit' && !unknown.includes(name);
    if (windowParameterNames.includes(name) && !isFilter) {
      return [[name, 'does not apply to a file, which has the whole list']];
    }
    if (name === 'return') return [[name, 'does not apply to a file, which has whole records']];
    return unknown.includes(name) ? [[name, 'is not a parameter of this list']] : [];
  });
  if (reasons.length === 0) return;
  throw kernelError('rest_invalid_param', { params: Object.fromEntries(reasons) });
}

async function* textsOf({ start, line }: FileFormat, places: z.ZodType, read: Export['read']) {
  const pages = pagesOf(undefined, async (cursor: unknown, per_page) => {
    const { data, meta } = await read({ cursor, per_page });
    const { next_cursor } = meta;
    const next = next_cursor === null ? undefined : places.parse(next_cursor);
    return { page: data.map(line).join(''), next };
  });
  let before = start;
  for await (const page of pages) {
    yield before + page;
    before = '';
  }
}
