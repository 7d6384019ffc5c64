import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/src/errors.ts';

/** What was read stays fresh for a moment: screens that show the same ask once. The client itself tries again. */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000 },
      mutations: { retry: false },
    },
  });

/** Whether an error says that nobody is signed in. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401;
