/** Types of words that the domain defines: it adds members with these names (src/domain/service/vocabulary.ts). */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is filled elsewhere
export interface Vocabulary {}

type Word<K extends string> =
  Vocabulary extends Readonly<Record<K, infer W extends string>> ? W : string;

export type ErrorCode = Word<'error'>;
/** A permission of an API key. */
export type Scope = Word<'scope'>;
/** A permission of a user beyond their own data. */
export type Capability = Word<'capability'>;
