/** A mistyped command. */
export class UsageError extends Error {}

/** A refused command, which would be refused again if it were repeated. */
export class Refused extends Error {}
