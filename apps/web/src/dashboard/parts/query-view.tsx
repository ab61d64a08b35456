import type { ReactNode } from 'react';
import { ErrorNote } from './error-note';
import { PageSkeleton } from './skeleton';

interface QueryViewProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** What a query has read; until then that it loads, or why it cannot. Old data stays visible beside a failure. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && <PageSkeleton />}
    </>
  );
}
