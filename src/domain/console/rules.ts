/** The lifetime of a sign-in link, and of a code that makes a session fresh, in seconds. */
export const linkLifetime = 600;

/** The lifetime of a session in seconds, however much it is used. */
export const sessionLifetime = 7 * 86_400;

/** Most links that somebody is sent within an hour. */
export const mostLinks = 3;

/** Most codes that somebody is sent within an hour. */
export const mostCodes = 5;

/** Most tries to enter a code. */
export const codeTries = 5;
