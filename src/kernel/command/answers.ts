import type { Answer } from './decision.ts';

export const redirectTo = (location: string, cookie?: string): Answer => ({
  status: 302,
  text: JSON.stringify({ location }),
  headers: { location, ...(cookie && { 'set-cookie': cookie }) },
});

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

/** Redirects to a page with the result of a submitted form. */
export const seeOther = (location: string): Answer => ({
  status: 303,
  text: '',
  headers: { location },
});
