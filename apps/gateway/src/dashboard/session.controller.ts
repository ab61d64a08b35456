import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { authApi, type VerifyRequest } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedSessions, type Session } from '../auth/cached-sessions';
import { presentedCredentials } from '../auth/presented-credentials';
import { unauthorized } from '../auth/rejections';
import { SessionCookie } from '../auth/session-cookie';
import { readJsonObject } from '../operations/json-body';
import { expectDashboard, openSession, type DashboardSession } from './open-session';

const { verifyChallenge, listSessions, revokeSession } = authApi.operations;

@Controller('dashboard/session')
export class SessionController {
  constructor(
    private readonly bus: BusClient,
    private readonly cookie: SessionCookie,
    private readonly sessions: CachedSessions,
  ) {}

  @Post()
  @HttpCode(200)
  async signIn(
    @Body() body: Buffer | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DashboardSession> {
    expectDashboard(request);
    // The merchant app validates every field, so the type is only assumed here.
    const proof = readJsonObject(body ?? Buffer.alloc(0)) as unknown as VerifyRequest;
    return openSession(this.bus.call(verifyChallenge, proof, request.call), this.cookie, request, reply);
  }

  @Get()
  async read(@Req() request: FastifyRequest): Promise<DashboardSession> {
    const { sessionId, wallet } = await this.sessionOf(request);
    const { sessions } = await this.bus.call(listSessions, {}, request.call);
    const session = sessions.find(({ id }) => id === sessionId);
    if (!session) throw unauthorized('session_revoked');
    return { wallet, expiresAt: session.expiresAt };
  }

  @Delete()
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ ok: true }> {
    const { sessionId: id } = await this.sessionOf(request);
    await this.bus.call(revokeSession, { id }, request.call).catch(ignoreRevoked);
    // An event of the merchant app invalidates the session in the other gateways.
    this.sessions.invalidate(id);
    void reply.header('set-cookie', this.cookie.toDelete);
    return { ok: true };
  }

  /** @throws DomainError UNAUTHORIZED unless the cookie authenticates; a credential in a header replaces the cookie */
  private async sessionOf(request: FastifyRequest): Promise<Session> {
    const presented = presentedCredentials(request.raw, this.cookie);
    if (presented.kind !== 'presented' || !presented.isCookie) throw unauthorized('missing');
    return this.sessions.find(presented.session!, request.call);
  }
}

function ignoreRevoked(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
}
