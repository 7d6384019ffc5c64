/** A mistyped command. */
export class UsageError extends Error {}

/** A refused command: a repeat would be refused again. */
export class Refused extends Error {}
