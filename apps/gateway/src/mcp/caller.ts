import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { Auth } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import { checkSession, principalWithKey, walletByName } from '../auth/authorization';
import { CachedKeys, type ApiKey } from '../auth/cached-keys';
import { CachedSessions, type Session } from '../auth/cached-sessions';
import { presentedCredentials, type Credentials } from '../auth/presented-credentials';
import { walletHeader } from '../auth/wallet-header';
import type { GatewayConfig } from '../config';

/** Whether a caller may call operations with this authentication. */
export type MayCall = (auth: Auth) => boolean;

/** Determines the tools that a caller sees, with the rules of admission. The route of each call admits it again. */
@Injectable()
export class Callers {
  constructor(
    private readonly keys: CachedKeys,
    private readonly sessions: CachedSessions,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'environment'>,
  ) {}

  /** @throws DomainError when the key or session is not valid any more */
  async mayCall({ raw, call }: FastifyRequest): Promise<MayCall> {
    const { environment } = this.config;
    const presented = presentedCredentials(raw);
    const given: Pick<Credentials, 'key' | 'session'> = presented.kind === 'presented' ? presented : {};
    const key = given.key === undefined ? undefined : await this.keys.find(given.key, call);
    const session = given.session === undefined ? undefined : await this.sessions.find(given.session, call);
    const named = walletHeader(raw, environment);
    return (auth) => auth === 'public' || isPermitted(auth, { key, session, named, environment });
  }
}

interface Caller extends Pick<GatewayConfig, 'environment'> {
  key: ApiKey | undefined;
  session: Session | undefined;
  named: ReturnType<typeof walletHeader>;
}

function isPermitted(auth: Auth, { key, session, named, environment }: Caller): boolean {
  const isSandbox = environment === 'sandbox';
  try {
    if (key) principalWithKey(auth, key, { named, session: session?.wallet, isSandbox });
    else if (session) checkSession(auth, session.wallet, named);
    else walletByName(auth, named, isSandbox);
    return true;
  } catch {
    return false;
  }
}
