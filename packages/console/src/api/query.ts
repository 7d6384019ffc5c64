import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/src/errors.ts';

/** Caches answers for a moment, so that parts of a screen share one request. The client itself retries. */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000 },
      mutations: { retry: false },
    },
  });

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401;
