import * as z from 'zod';
import { readNote } from '../support/files.ts';
import { Refused } from '../support/refusals.ts';
import { type NamedStore, storeFile, writeWhole } from './definition.ts';

/** An unfinished restore, stored so that a repeat creates no second database. */
const Restoring = z.object({
  folder: z.string(),
  /** The hash of the accepted manifest; undefined in notes of earlier versions. */
  backup: z.string().optional(),
  since: z.string(),
  database: z
    .object({ pooled: z.string(), direct: z.string(), project: z.string().optional() })
    .optional(),
  /** True once the backup is in the database. */
  isRead: z.boolean().optional(),
  /** The time at which the backup was read. Later rows are of the restored store. */
  readAt: z.string().optional(),
  /** True once the worker uses the database. */
  isLive: z.boolean().optional(),
  /** The secrets to set. */
  secrets: z.record(z.string(), z.string()).optional(),
});
export type Restoring = z.output<typeof Restoring>;

export const restoreFile = ({ name }: Pick<NamedStore, 'name'>) => storeFile(name, 'restoring');

/** Reads the unfinished restore of a store; undefined if there is none. */
export const readRestore = (name: string): Promise<Restoring | undefined> =>
  readNote(restoreFile({ name }), Restoring);

export const keepRestore = (store: NamedStore, restoring: Restoring): Promise<void> =>
  writeWhole(restoreFile(store), `${JSON.stringify(restoring, null, 2)}\n`);

/** The command that begins or continues a restore. */
export const restoreCommand = (name: string, folder: string) =>
  `npm run store -- restore ${name} ${folder}`;

/**
 * Refuses to act on the database in the secrets while the worker may use the previous one.
 * @throws Refused
 */
export async function refuseUnfinishedRestore({ name }: NamedStore): Promise<void> {
  const restoring = await readRestore(name);
  if (restoring?.secrets === undefined) return;
  throw new Refused(
    `A restore of ${name} is unfinished: its secrets lead to the new database, and its worker may still use the previous one. Go on with: ${restoreCommand(name, restoring.folder)}`,
  );
}
