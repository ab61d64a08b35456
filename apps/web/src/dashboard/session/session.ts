import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiError, toApiError, unreachable } from '../api/api-error';
import { dashboardHeaders } from '../api/client';
import { queryClient, sessionKey } from '../api/query-client';
import type { Challenge } from './proofs';

export interface Session {
  wallet: string;
  /** ISO time. */
  expiresAt: string;
}

const sessionPath = '/dashboard/session';
const checkEveryMs = 60_000;

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const json = body && { 'content-type': 'application/json' };
  const reply = await fetch(path, {
    method,
    headers: { ...dashboardHeaders, ...json },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw unreachable();
  });
  const parsed: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw toApiError(reply.status, parsed, reply.headers.get('x-request-id'));
  return parsed as T;
}

/** Null without a session. */
export function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async () => {
      try {
        return await call<Session>('GET', sessionPath);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    refetchInterval: (query) => (query.state.data ? checkEveryMs : false),
  });
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The signed-in wallet. */
export function useWallet(): string {
  return useContext(SessionContext)!.wallet;
}

/** The challenge that a wallet signs. Requested without the dashboard's header, so that an old cookie is ignored. */
export async function requestChallenge(wallet: string, chainId?: number): Promise<Challenge> {
  const reply = await fetch('/api/auth/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet, chainId }),
  }).catch(() => {
    throw unreachable();
  });
  const parsed: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw toApiError(reply.status, parsed, reply.headers.get('x-request-id'));
  return parsed as Challenge;
}

export async function signIn(proof: object): Promise<void> {
  await enter(await call<Session>('POST', sessionPath, proof));
}

export async function signInAsDemo(): Promise<void> {
  await enter(await call<Session>('POST', `${sessionPath}/demo`));
}

export async function signOut(): Promise<void> {
  await call('DELETE', sessionPath);
  await enter(null);
}

/** Data that another wallet has read before is removed. */
async function enter(session: Session | null): Promise<void> {
  // The reply to a check that was sent before would undo the change.
  await queryClient.cancelQueries({ queryKey: sessionKey });
  queryClient.setQueryData(sessionKey, session);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
