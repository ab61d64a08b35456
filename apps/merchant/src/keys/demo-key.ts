import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { permissions } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { readFileSync } from 'node:fs';
import { v7 as uuid } from 'uuid';
import type { MerchantConfig } from '../config';
import { KeysRepository, type NewApiKey } from './keys.repository';
import { SecretHash } from './secret-hash';

interface SandboxState {
  merchant: { wallet: string; key: string; secret: string };
}

/**
 * Resets the key of the demo merchant at each start to the key in the sandbox's state file. `GET /sandbox` publishes
 * this key, so any client may have changed it.
 */
@Injectable()
export class DemoKey implements OnApplicationBootstrap {
  constructor(
    private readonly keys: KeysRepository,
    private readonly hash: SecretHash,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig)
    private readonly config: Pick<MerchantConfig, 'environment' | 'MERCHANT_SANDBOX_WORLD_FILE'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { environment, MERCHANT_SANDBOX_WORLD_FILE: path } = this.config;
    if (environment !== 'sandbox' || path === '') return;
    const { wallet, key, secret } = (JSON.parse(readFileSync(path, 'utf8')) as SandboxState).merchant;
    const demo: NewApiKey = {
      id: uuid(),
      owner: wallet,
      label: 'Demo',
      key,
      secretHash: this.hash.of(secret),
      permissions: [...permissions],
      plan: 'enterprise',
      customRate: null,
      environment,
      monthlyBudgetUsd: null,
      maxPerTxUsd: null,
    };
    await this.keys.put(demo, this.clock.now());
  }
}
