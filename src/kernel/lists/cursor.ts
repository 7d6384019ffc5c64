import * as z from 'zod';
import type { Instant } from '../../lib/instant.ts';

/** A place in a list, after the record with this id. */
export interface Place {
  readonly id: number;
  /** The time of the first page's request, in a list that shows changes. */
  readonly began?: Instant | undefined;
  /** The last change of the record, in a list that is sorted by it. */
  readonly changed?: Instant | undefined;
}

/** Encodes a place for `next_cursor`; its times are milliseconds since 1970. */
export function encodeCursor({ id, began, changed }: Place): string {
  const times = [began, changed].filter((time) => time !== undefined).map(Date.parse);
  return btoa(['id', id, ...times].join(':')).replace(/=+$/, '');
}

export const Cursor = z
  .string()
  .transform((text, context): Place => {
    const [, id, ...times] =
      /^id:([0-9]{1,15})(?::(-?[0-9]{1,13})(?::(-?[0-9]{1,13}))?)?$/.exec(decodeBase64(text)) ?? [];
    const [began, changed] = times.map(instantOf);
    if (id !== undefined) return { id: Number(id), began, changed };
    context.addIssue({ code: 'custom', message: notACursor });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description: '`meta.next_cursor` of the previous page; replaces `page`.',
  });

export const notACursor = 'is not a cursor of this list';

const instantOf = (milliseconds: string | undefined) =>
  milliseconds === undefined ? undefined : new Date(Number(milliseconds)).toISOString();

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
