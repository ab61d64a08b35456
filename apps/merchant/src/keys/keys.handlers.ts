import { Controller, Inject } from '@nestjs/common';
import {
  internalKeysApi,
  keyRefusalSentences,
  type AuthenticateReply,
  type AuthenticateRequest,
  type DeleteKeyRequest,
  type KeyChangedReply,
  type KeyRefusal,
  type SetKeyEnabledRequest,
} from '@tollbridge/api';
import { DomainError, Handles, type CallContext } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import { OutboxWorker, ServiceConfig } from '@tollbridge/service';
import type { MerchantConfig } from '../config';
import { rateOf, refusalOf, type ApiKey } from './api-key';
import { KeysRepository } from './keys.repository';
import { SecretHash } from './secret-hash';

/** What other services ask about keys. */
@Controller()
@Handles(internalKeysApi)
export class KeysHandlers {
  constructor(
    private readonly keys: KeysRepository,
    private readonly hash: SecretHash,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async authenticate(request: AuthenticateRequest): Promise<AuthenticateReply> {
    const key = await this.find(request);
    if (!key) throw refused('unknown');
    const reason = refusalOf(key, this.config.environment);
    if (reason) throw refused(reason);
    const { id: keyId, owner, permissions, plan } = key;
    return { keyId, owner, permissions, plan, rate: rateOf(key) };
  }

  async setEnabled({ keyId, enabled }: SetKeyEnabledRequest, context: CallContext): Promise<KeyChangedReply> {
    return this.changed(keyId, await this.keys.setEnabled(keyId, enabled, this.clock.now(), context));
  }

  async deleteKey({ keyId }: DeleteKeyRequest, context: CallContext): Promise<KeyChangedReply> {
    return this.changed(keyId, await this.keys.delete(keyId, this.clock.now(), context));
  }

  private find({ digest, kind }: AuthenticateRequest): Promise<ApiKey | undefined> {
    return kind === 'publishable'
      ? this.keys.findByKeyDigest(Buffer.from(digest, 'hex'))
      : this.keys.findBySecretHash(this.hash.ofDigest(digest), this.clock.now());
  }

  private changed(keyId: string, isKnown: boolean): KeyChangedReply {
    if (!isKnown) throw new DomainError('NOT_FOUND', 'There is no such key.');
    // Whoever remembers the key is told now, not at the relay's next look.
    this.outbox.wake();
    return { keyId };
  }
}

function refused(reason: KeyRefusal): DomainError {
  return new DomainError('UNAUTHORIZED', keyRefusalSentences[reason], { details: { reason } });
}
