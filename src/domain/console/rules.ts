/** The lifetime of a sign-in link, in seconds. */
export const linkLifetime = 600;

/** The lifetime of a session in seconds, however much it is used. */
export const sessionLifetime = 7 * 86_400;
