import { Controller, Inject } from '@nestjs/common';
import { internalKeysApi, type AuthenticateReply, type AuthenticateRequest } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import type { MerchantConfig } from '../config';
import { keyRejection, rateOf, unauthorized, type ApiKey } from './api-key';
import { KeysRepository, type FoundKey } from './keys.repository';
import { SecretHash, type SecretHashes } from './secret-hash';

/** Internal operations on API keys, called by other services. */
@Controller()
@Handles(internalKeysApi)
export class KeysHandlers {
  constructor(
    private readonly keys: KeysRepository,
    private readonly hash: SecretHash,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async authenticate(request: AuthenticateRequest): Promise<AuthenticateReply> {
    const hashes = request.kind === 'publishable' ? undefined : this.hash.ofDigest(request.digest);
    const found = await this.find(request, hashes);
    if (!found) throw unauthorized('unknown');
    const { key, outdated } = found;
    const reason = keyRejection(key, this.config.environment);
    if (reason) throw unauthorized(reason);
    if (hashes && outdated) await this.rehash(key, outdated, hashes);
    const { id: keyId, owner, permissions, plan } = key;
    return { keyId, owner, permissions, plan, rate: rateOf(key) };
  }

  private async find(
    { digest }: AuthenticateRequest,
    hashes: SecretHashes | undefined,
  ): Promise<FoundKey | undefined> {
    if (hashes) return this.keys.findBySecret(hashes, this.clock.now());
    const key = await this.keys.findByKeyDigest(Buffer.from(digest, 'hex'));
    return key && { key };
  }

  /** The verified secret stays valid when this update fails: the next use of the secret retries it. */
  private rehash(key: ApiKey, outdated: Buffer, hashes: SecretHashes): Promise<void> {
    return this.keys
      .rehash(key, outdated, hashes)
      .catch((err: unknown) => this.logger.warn({ err, keyId: key.id }, 'rehash of an API key failed'));
  }
}
