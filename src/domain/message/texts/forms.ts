/** Paragraphs between a greeting and a signature. */
export const letterOf =
  (greeting: string, signature: string) =>
  (subject: string, ...paragraphs: readonly string[]) => ({
    subject,
    text: [greeting, ...paragraphs, signature].join('\n\n'),
  });

/** Without greeting and signature. */
export const note = (subject: string, ...paragraphs: readonly string[]) => ({
  subject,
  text: paragraphs.join('\n\n'),
});

export const chat = (...paragraphs: readonly string[]) => ({ text: paragraphs.join('\n\n') });
