import * as z from 'zod';
import { readNote } from '../support/files.ts';
import { type NamedStore, storeFile, writeWhole } from './definition.ts';

/** An unfinished restore, stored so that a repeat creates no second database. */
const Restoring = z.object({
  folder: z.string(),
  since: z.string(),
  database: z
    .object({ pooled: z.string(), direct: z.string(), project: z.string().optional() })
    .optional(),
  /** True once the backup is in the database. */
  isRead: z.boolean().optional(),
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
