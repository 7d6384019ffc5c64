import type { Language } from '../../../schema/lists.ts';
import { en } from './en.ts';
import { id } from './id.ts';
import type { Texts } from './shape.ts';

/** The service's own texts, for templates that the store hasn't changed. */
export const texts: Readonly<Record<Language, Texts>> = { en, id };
