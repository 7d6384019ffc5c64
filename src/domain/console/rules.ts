/** The lifetime of a sign-in link, and of a code for a fresh session, in seconds. */
export const linkLifetime = 600;

/** The longest lifetime of a session in seconds, whatever its use. */
export const sessionLifetime = 7 * 86_400;

/** The most links sent to a person within an hour. */
export const mostLinks = 3;

/** The most codes sent to a person within an hour. */
export const mostCodes = 5;

/** The most attempts to enter a code. */
export const codeTries = 5;
