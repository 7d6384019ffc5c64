/** How long a link signs in, in seconds. */
export const linkLifetime = 600;

/** How long a session lasts, in seconds, however much it is used. */
export const sessionLifetime = 7 * 86_400;
