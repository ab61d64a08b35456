import { lazy, Suspense, type ReactNode } from 'react';
import { ErrorNote } from '../parts/error-note';
import { PageSkeleton } from '../parts/skeleton';
import { SessionContext, useSessionQuery } from './session';

const SignIn = lazy(() => import('../pages/sign-in/sign-in'));

/** Shows the dashboard to a signed-in wallet, and otherwise the sign-in page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: session, error, refetch } = useSessionQuery();
  if (session) return <SessionContext value={session}>{children}</SessionContext>;
  if (session === null)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <SignIn />
      </Suspense>
    );
  return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <PageSkeleton />;
}
