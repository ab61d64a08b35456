import { Controller, Inject } from '@nestjs/common';
import { internalKeysApi, type AuthenticateReply, type AuthenticateRequest } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { MerchantConfig } from '../config';
import { keyRejection, rateOf, unauthorized, type ApiKey } from './api-key';
import { KeysRepository } from './keys.repository';
import { SecretHash } from './secret-hash';

/** Internal operations on API keys, called by other services. */
@Controller()
@Handles(internalKeysApi)
export class KeysHandlers {
  constructor(
    private readonly keys: KeysRepository,
    private readonly hash: SecretHash,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async authenticate(request: AuthenticateRequest): Promise<AuthenticateReply> {
    const key = await this.find(request);
    if (!key) throw unauthorized('unknown');
    const reason = keyRejection(key, this.config.environment);
    if (reason) throw unauthorized(reason);
    const { id: keyId, owner, permissions, plan } = key;
    return { keyId, owner, permissions, plan, rate: rateOf(key) };
  }

  private find({ digest, kind }: AuthenticateRequest): Promise<ApiKey | undefined> {
    return kind === 'publishable'
      ? this.keys.findByKeyDigest(Buffer.from(digest, 'hex'))
      : this.keys.findBySecretHash(this.hash.ofDigest(digest), this.clock.now());
  }
}
