import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { findGone, removeMedia } from '../queries/media.ts';

/** Removes the files of pictures that are gone, and then their rows: what is left has both. */
export async function removeGone({ connection, media }: Services): Promise<void> {
  if (!media) return;
  const unit = new UnitOfWork(connection, undefined);
  const { gone } = await unit.query({ gone: findGone() });
  if (gone.length === 0) return;
  const keys = gone.map(({ key }) => key);
  await media.delete(keys);
  await unit.write([removeMedia(keys)]);
}
