export type SourceFault =
  /** It is incomplete. */
  | 'cut-off'
  /** It isn't a dump, or has an unsupported form. */
  | 'format'
  /** Its text has an unsupported character set. */
  | 'charset'
  /** A required table is missing, or is there twice. */
  | 'tables'
  /** No store can have the shop's currency. */
  | 'currency'
  /** Another process is reading it. */
  | 'busy'
  /** There is no database at the address, or the address is malformed. */
  | 'address'
  /** The live database refuses this user. */
  | 'access'
  /** The live database can't be reached, was lost, or isn't one. */
  | 'connection';

/** A refused source. The message tells the operator how to continue, and contains no row data. */
export class SourceRefused extends Error {
  readonly fault: SourceFault;

  constructor(fault: SourceFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The advice for every unreadable dump. */
export const MAKE_ANOTHER =
  'Export the database again with mysqldump, mariadb-dump, wp db export or phpMyAdmin (as SQL), and wait until it ends';

export const cutOff = (): SourceRefused =>
  new SourceRefused(
    'cut-off',
    `The dump is cut off: it lacks the closing line of mysqldump, mariadb-dump, wp db export or phpMyAdmin, so rows may be missing. ${MAKE_ANOTHER}; then check that the whole file was copied`,
  );
