import { ApiError, ConnectionError, UnexpectedAnswerError } from './errors.ts';

/** The longest Retry-After that is waited for, in seconds. */
const longest = 60;

/**
 * Returns the milliseconds until the next try of a failed call; undefined if a retry is useless or might act twice.
 * @param tried the tries so far
 * @param repeatable true if a second call has no further effect
 * @param chance between 0 and 1; spreads the retries of callers that failed together
 */
export function pauseAfter(
  error: Error,
  tried: number,
  repeatable: boolean,
  chance: number,
): number | undefined {
  if (!isPassing(error, repeatable)) return undefined;
  const { retryAfter = 0 } = error as { retryAfter?: number };
  if (retryAfter > longest) return undefined;
  const usual = Math.min(500 * 2 ** (tried - 1), 8000) * (0.5 + chance / 2);
  return Math.max(retryAfter * 1000, usual);
}

function isPassing(error: Error, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) return false;
  const { status } = error;
  // A caller over the limit is refused before anything is done.
  if (status === 429) return true;
  const isTrouble =
    error instanceof ApiError
      ? status === 503 || error.code === 'rest_idempotency_in_progress'
      : status >= 500;
  return isTrouble && repeatable;
}
