import type { Language } from '../../../schema/lists.ts';
import { en } from './en.ts';
import { id } from './id.ts';
import type { Texts } from './shape.ts';

export const texts: Readonly<Record<Language, Texts>> = { en, id };
