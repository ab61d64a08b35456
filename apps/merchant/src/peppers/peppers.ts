import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { secretValues } from '@tollbridge/config';
import { createHmac } from 'node:crypto';
import type { MerchantConfig } from '../config';

const idBytes = 8;

/** The pepper of new secrets, and the former one while it is being replaced (docs/operations/rotate.md). */
@Injectable()
export class Peppers {
  readonly #values: readonly string[];
  /** Names the pepper of new secrets in the database, where it reveals nothing of the pepper. */
  readonly currentId: Buffer;

  constructor(@Inject(ServiceConfig) config: Pick<MerchantConfig, 'MERCHANT_KEY_PEPPER'>) {
    this.#values = secretValues(config.MERCHANT_KEY_PEPPER);
    const name = createHmac('sha256', this.#values[0]!).update('tollbridge pepper id').digest();
    this.currentId = name.subarray(0, idBytes);
  }

  /** The pepper of new secrets first. */
  get values(): readonly string[] {
    return this.#values;
  }

  get isRotating(): boolean {
    return this.#values.length > 1;
  }
}
