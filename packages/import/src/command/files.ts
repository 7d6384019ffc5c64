import { openFolder, Progress, UsageError, localPath } from '../../../../src/exports/command.ts';
import { fetchFiles } from '../fetched-files.ts';

/**
 * Fetches the files that imports left at the shop.
 * @returns the exit code: 0 if all were fetched, 1 if some are missing
 */
export async function importFiles(): Promise<number> {
  const { API: api, KEY: key } = process.env;
  if (!api || !key)
    throw new UsageError('Set API to the api_base of the store, and KEY to an API key.');
  const folder = localPath('import-files');
  await openFolder(localPath());
  await openFolder(folder);
  const progress = new Progress();
  const { fetched, failed } = await fetchFiles({ api, key, folder, send: fetch }, (at, of) =>
    progress.at('Fetch', at, of, 'files'),
  );
  progress.end();
  console.log(`${fetched} files are in the store.`);
  for (const { id, name, reason } of failed) console.log(`File ${id} (${name}) is not: ${reason}`);
  if (failed.length > 0) console.log('Run it again once that is fixed: it continues from here.');
  return failed.length > 0 ? 1 : 0;
}
