import type { Language } from '../../../schema/lists.ts';
import { en } from './en.ts';
import { id } from './id.ts';
import type { Texts } from './shape.ts';

/** What the service says where the shop doesn't say it in its own words. */
export const texts: Readonly<Record<Language, Texts>> = { en, id };
