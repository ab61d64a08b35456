import type { ReactNode } from 'react';
import { ErrorNote } from './error-note';
import { PageSkeleton } from './skeleton';

interface QueryViewProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** The result of a query. Before that, a placeholder or the error. Old data stays visible next to an error. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && <PageSkeleton />}
    </>
  );
}
