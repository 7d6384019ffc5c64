/** Outcomes of a request in the use of API keys. 429 is counted separately from other refusals. */
export const outcomes = ['2xx', '4xx', '5xx', '429'] as const;

export type Outcome = (typeof outcomes)[number];

/** Redirects and 304 count as successes. */
export function outcomeOf(status: number): Outcome {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : '2xx';
}
