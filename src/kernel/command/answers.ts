import type { Answer } from './decision.ts';

/** A redirect, with a cookie if one is to be set. */
export const redirectTo = (location: string, cookie?: string): Answer => ({
  status: 302,
  text: JSON.stringify({ location }),
  headers: { location, ...(cookie && { 'set-cookie': cookie }) },
});

/** An answer with a file, and the name to save it by, if one is given. */
export const fileAnswer = (
  stream: ReadableStream,
  type: string,
  size: number,
  filename?: string,
): Answer => ({
  status: 200,
  text: '',
  stream,
  headers: {
    'content-type': type,
    'content-length': String(size),
    ...(filename && { 'content-disposition': `inline; filename="${filename}"` }),
  },
});

/** A redirect after a submitted form, to the page with its result. */
export const seeOther = (location: string): Answer => ({
  status: 303,
  text: '',
  headers: { location },
});
