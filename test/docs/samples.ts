import { expect } from 'vitest';
import { type Scope, scopes } from '../../src/schema/scopes.ts';

/** A sample of a guide: the same thing in curl and in TypeScript. */
export interface Sample {
  readonly sh: string;
  readonly ts: string;
  /** Parts of the reply that the guide shows for the sample in curl. */
  readonly reply: unknown;
}

const fence = /^```(\w*)\n([^]*?)^```$/gm;

/**
 * The samples of a guide in Markdown, in their order.
 * @throws Error where one is in one language alone
 */
export function samplesOf(markdown: string): Sample[] {
  const blocks = [...markdown.matchAll(fence)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
  return blocks.flatMap((block, i) => {
    const [before, next, afterNext] = [blocks[i - 1], blocks[i + 1], blocks[i + 2]];
    if (block.language === 'sh' && next?.language === 'ts') {
      const reply = afterNext?.language === 'json' ? JSON.parse(afterNext.text) : undefined;
      return [{ sh: block.text, ts: next.text, reply }];
    }
    const isSecond = block.language === 'ts' && before?.language === 'sh';
    const isReply = block.language === 'json' && before?.language === 'ts';
    if (isSecond || isReply) return [];
    throw new Error(`A sample stands alone: ${block.text}`);
  });
}

/** The scopes that a guide says its key needs: those it names before its first part. */
export function scopesOf(markdown: string): Scope[] {
  const [intro = ''] = markdown.split('\n## ');
  return scopes.map(({ name }) => name).filter((name) => intro.includes(`\`${name}\``));
}

/**
 * Reads the output that the comments of a sample promise: behind its lines, and right beneath them. A comment that
 * begins a sample, or stands after an empty line, is prose.
 */
export function promised(code: string): string[] {
  const lines = code.split('\n');
  let isProse = true;
  return lines.flatMap((line) => {
    const [, before = '', comment] = /^(|.*\s)(?:#|\/\/) (.+)$/.exec(line) ?? [];
    const isCode = comment === undefined ? line.trim() !== '' : before.trim() !== '';
    if (isCode) isProse = false;
    else if (comment === undefined) isProse = true;
    return comment === undefined || isProse ? [] : [comment];
  });
}

/** Printed between samples, to tell what each of them printed. */
const mark = '---- next sample ----';

/** The samples of a guide in one language as one program, as a reader would have typed them. */
export const programOf = (codes: readonly string[], print: (text: string) => string): string =>
  codes.join(`\n${print(mark)}\n`);

/** Returns the output of each sample of a program, by lines. */
export const printedBy = (output: string): string[][] =>
  output.split(`${mark}\n`).map((part) => part.split('\n').filter((line) => line !== ''));

/** Turns the reply of a guide into a matcher: `…` stands for changing values. */
export const matcherOf = (shown: unknown): object =>
  JSON.parse(JSON.stringify(shown), (_, value: unknown) =>
    value === '…' ? (expect.anything() as unknown) : value,
  ) as object;
