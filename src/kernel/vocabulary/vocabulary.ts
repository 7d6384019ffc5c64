/**
 * The words that the kernel takes by type alone and doesn't know itself. The shop says what they are,
 * by adding members of these names (src/domain/vocabulary.ts).
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is filled elsewhere
export interface Vocabulary {}

type Word<K extends string> =
  Vocabulary extends Readonly<Record<K, infer W extends string>> ? W : string;

export type ErrorCode = Word<'error'>;
/** A permission of an API key. */
export type Scope = Word<'scope'>;
/** A permission of a user beyond their own affairs. */
export type Capability = Word<'capability'>;
