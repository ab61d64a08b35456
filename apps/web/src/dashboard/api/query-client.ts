import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

/** How often visible data is read again. */
export const refreshMs = 5_000;

export const sessionKey = ['session'] as const;

const isSignedOut = (error: Error) => error instanceof ApiError && error.status === 401;

/** An expired session leads to the sign-in, from whatever call notices it first. */
function onError(error: Error): void {
  if (isSignedOut(error)) queryClient.setQueryData(sessionKey, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // A device that takes itself for offline still reaches a server on the same machine. If not, the page shows a
    // failure; a paused query would show nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: refreshMs,
      // A query of a hidden page is not read again.
      refetchInterval: refreshMs,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
