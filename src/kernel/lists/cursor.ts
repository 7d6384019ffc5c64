import * as z from 'zod';

/** A place in a list, as in `next_cursor`: after the record with this id. */
export const encodeCursor = (id: number) => btoa(`id:${id}`).replace(/=+$/, '');

export const Cursor = z
  .string()
  .transform((text, context) => {
    const id = /^id:([0-9]{1,15})$/.exec(decodeBase64(text))?.[1];
    if (id !== undefined) return Number(id);
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description: '`meta.next_cursor` of the previous page; replaces `page`.',
  });

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
