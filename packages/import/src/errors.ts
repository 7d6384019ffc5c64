/** Why a source can't be imported as it is. */
export type SourceFault =
  /** It ends before its end. */
  | 'cut-off'
  /** It isn't a dump, or one in a form that isn't read. */
  | 'format'
  /** Its text is in a character set that isn't read. */
  | 'charset'
  /** A table that is needed isn't in it, or is in it twice. */
  | 'tables'
  /** The shop's currency is one that no store can have. */
  | 'currency'
  /** Another process is reading it. */
  | 'busy'
  /** There is no database at the address, or the address is malformed. */
  | 'address'
  /** The live database doesn't let this user read it. */
  | 'access'
  /** The live database can't be reached, was lost, or isn't one. */
  | 'connection';

/** A source that is refused as a whole. The message tells the operator what to do, and holds nothing of the rows. */
export class SourceRefused extends Error {
  readonly fault: SourceFault;

  constructor(fault: SourceFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The advice for every unreadable dump. */
export const MAKE_ANOTHER =
  'Export the database anew with mysqldump, mariadb-dump, wp db export or phpMyAdmin (as SQL), and wait until it ends';

/** For a dump that lacks its end. */
export const cutOff = (): SourceRefused =>
  new SourceRefused(
    'cut-off',
    `The dump is cut off: it lacks the mark with which mysqldump, mariadb-dump, wp db export and phpMyAdmin end theirs, so rows may be missing. ${MAKE_ANOTHER}; then check that the whole file was copied`,
  );
