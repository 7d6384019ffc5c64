/** A command that was typed in a way that it does not take. */
export class UsageError extends Error {}

/** A command that must not go on, and would be refused again if it were repeated. */
export class Refused extends Error {}
