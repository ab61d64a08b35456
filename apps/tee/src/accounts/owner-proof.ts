import { Inject, Injectable } from '@nestjs/common';
import type { OwnerSignature } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import {
  dialogDigest,
  digestOf,
  maxDialogSkewS,
  maxLifeS,
  type Scope as SignedScope,
} from '@tollbridge/nanopay-protocol';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { dialogDomainsOf, type TeeConfig } from '../config';
import { Scope } from '../signing/scope';
import { hasNoKey, type Account } from '../ledger/rules/account';
import { provenKey } from '../verification/payer-key';
import { Verifier } from '../verification/verifier';

const forbidden = (message: string): DomainError => new DomainError('FORBIDDEN', message);

/** Verifies that the owner of an account signed an order. */
@Injectable()
export class OwnerProofs {
  private readonly domains: ReadonlySet<string>;

  constructor(
    private readonly scope: Scope,
    private readonly verifier: Verifier,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) config: TeeConfig,
  ) {
    this.domains = dialogDomainsOf(config);
  }

  /** Returns the first fields of every signed message about an account. */
  scopeOf(address: string): SignedScope {
    const { networkId, verifyingContract, asset } = this.scope;
    return { networkId, verifyingContract, asset, from: address };
  }

  /**
   * @returns the key that signed the proof
   * @throws DomainError FORBIDDEN with the reason
   */
  async check(proof: OwnerSignature, account: Account, address: string, message: Buffer): Promise<Buffer> {
    const { publicKey } = account;
    const nowS = Math.floor(this.clock.now() / 1000);
    const validBeforeS = Number(proof.validBefore);
    if (validBeforeS <= nowS) throw forbidden('The signature has expired. Sign again.');
    if (validBeforeS > nowS + maxLifeS)
      throw forbidden('validBefore is more than ten minutes ahead. Sign with an earlier one.');
    if (hasNoKey(account))
      throw forbidden(
        'Signature authentication is off in this wallet contract. Switch it on, then make a deposit.',
      );
    const key = publicKey ?? (await this.provenKey(proof, address));
    if (!key)
      throw forbidden(
        'The public key of the account is unknown. Send publicKey, and stateInit for wallets other than W5.',
      );
    const digest = this.signedDigest(proof, address, digestOf(message), nowS);
    const signature = Buffer.from(proof.signature, proof.signature.length === 128 ? 'hex' : 'base64');
    if (signature.length !== 64) throw forbidden('The signature must have 64 bytes.');
    const verdict = await this.verifier.check(digest, key, signature, publicKey === undefined);
    if (verdict === undefined) throw new DomainError('SERVICE_UNAVAILABLE');
    if (verdict !== 'right') throw forbidden('The signature does not match the owner and this message.');
    return key;
  }

  private provenKey({ publicKey, stateInit }: OwnerSignature, address: string): Promise<Buffer | undefined> {
    const proof = {
      publicKey: publicKey === undefined ? undefined : Buffer.from(publicKey, 'hex'),
      stateInit: stateInit === undefined ? undefined : Buffer.from(stateInit, 'base64'),
    };
    return provenKey(proof, address, this.scope.deployment.network);
  }

  private signedDigest(proof: OwnerSignature, address: string, digest: Buffer, nowS: number): Buffer {
    if (proof.signatureKind === 'raw') return digest;
    const { domain, timestamp } = proof;
    const timestampS = Number(timestamp);
    if (domain === undefined || timestamp === undefined || !this.domains.has(domain))
      throw forbidden(
        "The domain in the signed wallet dialog is not a domain of this gateway. Sign on this gateway's domain.",
      );
    if (Math.abs(timestampS - nowS) > maxDialogSkewS)
      throw forbidden('The signature of the wallet dialog has expired. Sign again.');
    return dialogDigest(address, { domain, timestampS }, digest);
  }
}
