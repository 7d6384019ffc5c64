/** How long a link signs in, and a code makes a session fresh, in seconds. */
export const linkLifetime = 600;

/** How long a session lasts, in seconds, however much it is used. */
export const sessionLifetime = 7 * 86_400;

/** Most links that somebody is sent within an hour. */
export const mostLinks = 3;

/** Most codes that somebody is sent within an hour. */
export const mostCodes = 5;

/** How often somebody may try to enter a code. */
export const codeTries = 5;
