/** Seconds for which a sign-in link, or a code for a fresh session, is valid. */
export const linkLifetime = 600;

/** Seconds after which a session ends, even if it is used. */
export const sessionLifetime = 7 * 86_400;

export const mostLinks = 3;

export const mostCodes = 5;

export const codeTries = 5;
