import { expect } from 'vitest';
import { type Scope, scopes } from '../../src/schema/scopes.ts';

/** A sample of a guide, in curl and in TypeScript. */
export interface Sample {
  readonly sh: string;
  readonly ts: string;
  /** The parts of the reply that the guide shows for the curl sample. */
  readonly reply: unknown;
}

const fence = /^```(\w*)\n([^]*?)^```$/gm;

/**
 * The samples of a guide in Markdown, in order.
 * @throws Error for a sample in one language only
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

/** The scopes that a guide requires: those that it names before its first heading. */
export function scopesOf(markdown: string): Scope[] {
  const [intro = ''] = markdown.split('\n## ');
  return scopes.map(({ name }) => name).filter((name) => intro.includes(`\`${name}\``));
}

/**
 * Reads the output that the comments of a sample promise: behind its lines, and directly below them. A comment at the
 * start or after an empty line is prose.
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

/** Printed between samples, to separate their outputs. */
const mark = '---- next sample ----';

/** Joins the samples of a guide in one language to a program. */
export const programOf = (codes: readonly string[], print: (text: string) => string): string =>
  codes.join(`\n${print(mark)}\n`);

/** Splits the output of a program by sample, in lines. */
export const printedBy = (output: string): string[][] =>
  output.split(`${mark}\n`).map((part) => part.split('\n').filter((line) => line !== ''));

/** Makes a matcher of a guide's reply: `…` stands for changing values. */
export const matcherOf = (shown: unknown): object =>
  JSON.parse(JSON.stringify(shown), (_, value: unknown) =>
    value === '…' ? (expect.anything() as unknown) : value,
  ) as object;
