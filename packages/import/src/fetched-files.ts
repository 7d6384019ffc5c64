import { createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface StoreFile {
  readonly id: number;
  readonly name: string;
  readonly size: number | null;
  readonly source_url: string | null;
  readonly upload: { readonly part_size: number; readonly uploaded: readonly number[] } | null;
}

interface FetchOptions {
  /** The store's `api_base`. */
  readonly api: string;
  readonly key: string;
  /** The folder for unfinished downloads. */
  readonly folder: string;
  readonly send: typeof fetch;
}

interface Fetched {
  readonly fetched: number;
  readonly failed: readonly (Pick<StoreFile, 'id' | 'name'> & { readonly reason: string })[];
}

/** Moves the files whose content is still at the shop into the store, one after the other. */
export async function fetchFiles(
  options: FetchOptions,
  heard: (done: number, all: number) => void,
): Promise<Fetched> {
  const left = [
    ...(await listed(options, 'imported')),
    ...(await listed(options, 'uploading')).filter(({ source_url }) => source_url !== null),
  ];
  const failed: Fetched['failed'][number][] = [];
  for (const [at, file] of left.entries()) {
    heard(at, left.length);
    try {
      await moveOne(options, file);
    } catch (error) {
      const { id, name } = file;
      failed.push({ id, name, reason: (error as Error).message });
    }
  }
  heard(left.length, left.length);
  return { fetched: left.length - failed.length, failed };
}

async function listed(options: FetchOptions, status: string): Promise<StoreFile[]> {
  const found: StoreFile[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/files?status=${status}&per_page=100${query}`;
    const body = (await called(options, 'GET', path)) as {
      data: StoreFile[];
      meta: { next_cursor: string | null };
    };
    found.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return found;
}

async function moveOne(options: FetchOptions, file: StoreFile): Promise<void> {
  const path = join(options.folder, String(file.id));
  const size = await downloaded(options, file.source_url ?? '', path);
  const isBegun = file.upload !== null && file.size === size;
  const begun = isBegun
    ? file
    : ((await called(options, 'PATCH', `/files/${file.id}`, { size })) as { data: StoreFile }).data;
  const { part_size, uploaded } = begun.upload ?? { part_size: size, uploaded: [] };
  await using source = await open(path);
  for (let part = 1; (part - 1) * part_size < size; part++) {
    if (uploaded.includes(part)) continue;
    const from = (part - 1) * part_size;
    const bytes = Buffer.alloc(Math.min(part_size, size - from));
    await source.read(bytes, 0, bytes.length, from);
    await called(options, 'PUT', `/files/${file.id}/parts/${part}`, bytes);
  }
  await called(options, 'POST', `/files/${file.id}/complete`);
  await rm(path);
}

/** Downloads a file, or continues an interrupted download. @returns its size */
async function downloaded({ send }: FetchOptions, url: string, path: string): Promise<number> {
  const have = (await stat(path).catch(() => undefined))?.size ?? 0;
  const headers = { 'accept-encoding': 'identity', ...(have > 0 && { range: `bytes=${have}-` }) };
  const response = await send(url, { headers });
  // Nothing is left to download.
  if (response.status === 416) return have;
  if (!response.ok || !response.body) throw new Error(`the shop answers ${response.status}`);
  if (response.headers.get('content-type')?.startsWith('text/html'))
    throw new Error('the shop answers with a page, not with a file');
  const flags = response.status === 206 ? 'a' : 'w';
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path, { flags }));
  const { size } = await stat(path);
  if (size === 0) throw new Error('it is empty');
  return size;
}

async function called(
  { api, key, send }: FetchOptions,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const isBytes = Buffer.isBuffer(body);
  const response = await send(api + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      ...(isBytes && { 'content-length': String(body.length) }),
    },
    ...(body && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `the store answers ${response.status}`);
  return answer;
}
