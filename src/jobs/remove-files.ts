import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { findGoneFiles, removeFiles } from '../queries/files.ts';
import { findGone, removeMedia } from '../queries/media.ts';

/** Removes the objects of deleted files first, then their rows, so that no object is left without a row. */
export async function removeGone({ connection, media, clock }: Services): Promise<void> {
  if (!media) return;
  const unit = new UnitOfWork(connection, undefined);
  const { gone, files } = await unit.query({
    gone: findGone(),
    files: findGoneFiles(clock.now()),
  });
  const keys = gone.map(({ key }) => key);
  const all = [...keys, ...files.map(({ key }) => key)];
  if (all.length === 0) return;
  await media.delete(all);
  await unit.write([removeMedia(keys), removeFiles(files.map(({ id }) => id))]);
}
