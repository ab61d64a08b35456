import { randomBytes } from 'node:crypto';
import {
  accountBytes,
  digestOf,
  paymentBytes,
  readNetwork,
  resourceHash,
  signingKey,
  w5Account,
  type PaymentTerms,
  type Scope,
} from '@tollbridge/nanopay-protocol';
import { Pool } from 'pg';
import type { Api } from './http';
import type { Harness } from './harness';

export const seller = `0:${'22'.repeat(32)}`;
const url = 'https://api.example.com/premium-data';

/** A buyer with a nano-payment balance that was credited without a deposit on the chain. */
export class NanoBuyer {
  readonly key = signingKey(randomBytes(32));
  readonly address = w5Account(this.key.publicKey);

  private constructor(
    private readonly verifyingContract: string,
    private readonly asset: string,
  ) {}

  static async in(harness: Harness, api: Api, amountAtomic = 1_000_000n): Promise<NanoBuyer> {
    const { body } = await api.get('/supported');
    const buyer = new NanoBuyer(body.kinds[0].extra.verifyingContract, sandboxAsset);
    const pool = new Pool({
      connectionString: harness.state.urls.postgres.replace(/\/postgres$/, '/tollbridge'),
      max: 1,
    });
    await pool.query(
      'INSERT INTO tee.accounts (account, deposited, available, updated_at) VALUES ($1, $2, $2, now())',
      [accountBytes(buyer.address).subarray(4), amountAtomic],
    );
    await pool.end();
    return buyer;
  }

  terms(changes: Partial<PaymentTerms> = {}): PaymentTerms {
    const nowS = BigInt(Math.floor(Date.now() / 1000));
    const { globalId: networkId } = readNetwork('ton-mainnet')!;
    return {
      flags: 1,
      networkId,
      verifyingContract: this.verifyingContract,
      asset: this.asset,
      from: this.address,
      to: seller,
      amountAtomic: 1000n,
      nonce: randomBytes(32),
      validAfterS: nowS - 5n,
      validBeforeS: nowS + 60n,
      resourceHash: resourceHash('GET', url),
      ...changes,
    };
  }

  signature(terms: PaymentTerms): Buffer {
    return this.key.sign(digestOf(paymentBytes(terms)));
  }

  /** The fields of a `/verify` request. */
  authorization(changes: Partial<PaymentTerms> = {}): Record<string, unknown> {
    const terms = this.terms(changes);
    const { from, to, amountAtomic, nonce, validAfterS, validBeforeS } = terms;
    return {
      from,
      to,
      amount: amountAtomic.toString(),
      resource: url,
      nonce: nonce.toString('hex'),
      validAfter: validAfterS.toString(),
      validBefore: validBeforeS.toString(),
      publicKey: this.key.publicKey.toString('hex'),
      signature: this.signature(terms).toString('hex'),
    };
  }

  /** The scope at the start of this owner's messages, with one nonce and expiry for each. */
  orderOf(nonce = randomBytes(32)): Scope & { nonce: Buffer; validBeforeS: bigint } {
    const { networkId, verifyingContract, asset, from } = this.terms();
    // Some are sent again after a restart of the ledger service. The maximum is ten minutes.
    const validBeforeS = BigInt(Math.floor(Date.now() / 1000)) + 300n;
    return { networkId, verifyingContract, asset, from, nonce, validBeforeS };
  }

  /** Proof that this owner has signed a message. */
  proof(message: Buffer, { nonce, validBeforeS }: { nonce: Buffer; validBeforeS: bigint }): object {
    return {
      signature: this.key.sign(digestOf(message)).toString('hex'),
      nonce: nonce.toString('hex'),
      validBefore: validBeforeS.toString(),
      publicKey: this.key.publicKey.toString('hex'),
    };
  }

  /** The request of x402 facilitators. */
  facilitation(): Record<string, any> {
    const { resource: _url, signature, ...authorization } = this.authorization();
    const requirements = {
      scheme: 'ton-nanopay',
      network: 'tvm:-239',
      amount: '1000',
      asset: this.asset,
      payTo: seller,
      maxTimeoutSeconds: 60,
      extra: { verifyingContract: this.verifyingContract },
    };
    return {
      x402Version: 2,
      paymentPayload: {
        x402Version: 2,
        accepted: requirements,
        resource: { url },
        payload: { authorization, signature },
      },
      paymentRequirements: requirements,
    };
  }
}

// The token that replaces USDT in the sandbox.
const sandboxAsset = '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7';
