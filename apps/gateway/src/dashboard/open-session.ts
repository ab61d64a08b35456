import type { VerifyReply } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dashboardHeader, type SessionCookie } from '../auth/session-cookie';

/** The signed-in wallet. Only the cookie contains the token. */
export interface DashboardSession {
  wallet: string;
  /** ISO time. */
  expiresAt: string;
}

/** Sets the cookie of a new session. @throws DomainError when the proof is rejected */
export async function openSession(
  signingIn: Promise<VerifyReply>,
  cookie: SessionCookie,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DashboardSession> {
  const { onFailure } = request;
  const { token, wallet, expiresAt } = await (onFailure ? signingIn.catch(onFailure) : signingIn);
  void reply.header('set-cookie', cookie.toStore(token, expiresAt));
  return { wallet, expiresAt };
}

/**
 * Requires the dashboard's header, which only a page of this origin can send. So another site cannot sign in a browser.
 * @throws DomainError FORBIDDEN without the header
 */
export function expectDashboard({ headers }: FastifyRequest): void {
  if (headers[dashboardHeader] === '1') return;
  const message = `The header ${dashboardHeader} is missing. Send it with the value 1.`;
  throw new DomainError('FORBIDDEN', message, { details: { reason: 'dashboard_header_missing' } });
}
