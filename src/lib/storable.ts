import * as z from 'zod';

// Workers forbid generating code at run time: skips zod's probe for it.
z.config({ jitless: true });

export const storableText = 'must not contain NUL characters or lone surrogates';

export const storable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Text of at most `max` characters that a database can store: no NUL, no lone surrogates. It is stored unchanged. */
export const textUpTo = (max: number) => z.string().max(max).refine(storable, storableText);
