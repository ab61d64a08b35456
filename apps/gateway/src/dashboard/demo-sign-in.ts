import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { authApi, sandboxApi, type VerifyReply } from '@tollbridge/contracts';
import { BusClient, DomainError, type CallContext } from '@tollbridge/rpc';
import { SessionCookie } from '../auth/session-cookie';
import { fastifyOf } from '../http/gateway-adapter';
import { RouteTable } from '../routes/route-table';
import { signInAsDemo } from './dashboard.routes';
import { expectDashboard, openSession } from './open-session';

const { createChallenge, verifyChallenge } = authApi.operations;

/**
 * Signs in as the sandbox's merchant with the key of `GET /sandbox`. Not a controller, because the route exists in the
 * sandbox only.
 */
@Injectable()
export class DemoSignIn implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    private readonly bus: BusClient,
    private readonly cookie: SessionCookie,
  ) {}

  onModuleInit(): void {
    if (!this.table.has(signInAsDemo)) return;
    fastifyOf(this.host).post(signInAsDemo.declaration.path, async (request, reply) => {
      expectDashboard(request);
      return openSession(this.signIn(request.call), this.cookie, request, reply);
    });
  }

  private async signIn(call: CallContext): Promise<VerifyReply> {
    const { accounts } = await this.bus.call(sandboxApi.operations.describe, {}, call);
    const merchant = accounts.find(({ role }) => role === 'merchant');
    if (!merchant) throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox has no demo merchant.');
    const { address: wallet, privateKey } = merchant;
    const challenge = await this.bus.call(createChallenge, { wallet }, call);
    const message = challenge.message!;
    // Imported at the first sign-in, because no other part of the gateway signs.
    const { Wallet } = await import('ethers');
    const signature = await new Wallet(privateKey).signMessage(message);
    return this.bus.call(verifyChallenge, { wallet, nonce: challenge.nonce, message, signature }, call);
  }
}
