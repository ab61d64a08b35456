import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

/** The interval between reads of visible data. */
export const refreshMs = 5_000;

export const sessionKey = ['session'] as const;

const isSignedOut = (error: Error) => error instanceof ApiError && error.status === 401;

/** An expired session leads to the sign-in, whichever call detects it first. */
function onError(error: Error): void {
  if (isSignedOut(error)) queryClient.setQueryData(sessionKey, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // A device that considers itself offline can still reach a server on the same machine. If it cannot, the page shows
    // a failure, whereas a paused query would show nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: refreshMs,
      // Queries of a hidden page are not repeated.
      refetchInterval: refreshMs,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
