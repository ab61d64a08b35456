import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { secretValues } from '@tollbridge/config';
import { createHmac } from 'node:crypto';
import type { MerchantConfig } from '../config';

const idBytes = 8;

/** The current pepper, and the former one while it is being replaced (docs/operations/rotate.md). */
@Injectable()
export class Peppers {
  readonly #values: readonly string[];
  /** The id of the current pepper in the database. It reveals nothing about the pepper. */
  readonly currentId: Buffer;

  constructor(@Inject(ServiceConfig) config: Pick<MerchantConfig, 'MERCHANT_KEY_PEPPER'>) {
    this.#values = secretValues(config.MERCHANT_KEY_PEPPER);
    const name = createHmac('sha256', this.#values[0]!).update('tollbridge pepper id').digest();
    this.currentId = name.subarray(0, idBytes);
  }

  /** All configured peppers, the current one first. */
  get values(): readonly string[] {
    return this.#values;
  }

  get isRotating(): boolean {
    return this.#values.length > 1;
  }
}
