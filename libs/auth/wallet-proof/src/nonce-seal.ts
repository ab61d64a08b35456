import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a nonce says of the challenge that it belongs to. */
export interface IssuedNonce {
  /** Whole seconds: the texts that are signed show no more. */
  issuedAtMs: number;
  /** 0 where the wallet's kind has no numbered chains. */
  chainId: number;
}

const headLength = 16;
const sealLength = 16;
const form = new RegExp(`^[0-9a-f]{${2 * (headLength + sealLength)}}$`);

/**
 * Nonces that carry what they were issued for, under a seal: so that a challenge needs no row before it is answered.
 * Anybody may ask for challenges of any wallet; stored ones would have to be bounded, and whoever asks for enough of
 * them could push out those that the wallet's owner is just about to sign.
 */
export class NonceSeal {
  readonly #key: Buffer;

  /** @param domain nonces issued for one domain are worth nothing for another */
  constructor(
    secret: string,
    private readonly domain: string,
  ) {
    this.#key = createHmac('sha256', secret).update('tollbridge sign-in nonce').digest();
  }

  issue(wallet: string, { issuedAtMs, chainId }: IssuedNonce): string {
    const head = Buffer.alloc(headLength);
    head.writeUInt32BE(Math.floor(issuedAtMs / 1000), 0);
    head.writeUInt32BE(chainId, 4);
    randomBytes(8).copy(head, 8);
    return Buffer.concat([head, this.seal(head, wallet)]).toString('hex');
  }

  /** Undefined for what was not issued here for this wallet. */
  open(nonce: string, wallet: string): IssuedNonce | undefined {
    if (!form.test(nonce)) return undefined;
    const bytes = Buffer.from(nonce, 'hex');
    const head = bytes.subarray(0, headLength);
    if (!timingSafeEqual(bytes.subarray(headLength), this.seal(head, wallet))) return undefined;
    return { issuedAtMs: head.readUInt32BE(0) * 1000, chainId: head.readUInt32BE(4) };
  }

  private seal(head: Buffer, wallet: string): Buffer {
    // No address and no domain holds a line break, so what is sealed can be read in one way only.
    const sealed = createHmac('sha256', this.#key).update(head).update(`${wallet}\n${this.domain}`);
    return sealed.digest().subarray(0, sealLength);
  }
}
