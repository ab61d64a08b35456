import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The content of a nonce. */
export interface IssuedNonce {
  /** Issue time in milliseconds, rounded to whole seconds as in the signed text. */
  issuedAtMs: number;
  /** EVM chain id; 0 for schemes without numbered chains. */
  chainId: number;
}

const headLength = 16;
const sealLength = 16;
const form = new RegExp(`^[0-9a-f]{${2 * (headLength + sealLength)}}$`);

/**
 * Creates nonces that contain their own facts, so that a challenge needs no database row. Anyone may request challenges
 * for any wallet. Stored challenges would need a limit, and a flood of requests could evict the owner's challenge.
 */
export class NonceSeal {
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the first seals nonces, and all of them open nonces
   * @param domain of the sign-in; nonces of one domain are invalid for another
   */
  constructor(
    secrets: readonly string[],
    private readonly domain: string,
  ) {
    this.#keys = secrets.map((secret) =>
      createHmac('sha256', secret).update('tollbridge sign-in nonce').digest(),
    );
  }

  issue(wallet: string, { issuedAtMs, chainId }: IssuedNonce): string {
    const head = Buffer.alloc(headLength);
    head.writeUInt32BE(Math.floor(issuedAtMs / 1000), 0);
    head.writeUInt32BE(chainId, 4);
    randomBytes(8).copy(head, 8);
    return Buffer.concat([head, this.seal(this.#keys[0]!, head, wallet)]).toString('hex');
  }

  /** Returns the content of a nonce; undefined if it was not issued here for this wallet. */
  open(nonce: string, wallet: string): IssuedNonce | undefined {
    if (!form.test(nonce)) return undefined;
    const bytes = Buffer.from(nonce, 'hex');
    const head = bytes.subarray(0, headLength);
    const given = bytes.subarray(headLength);
    // Compares with every key, even after a match, so that the time does not depend on the key.
    const fits = this.#keys.map((key) => timingSafeEqual(given, this.seal(key, head, wallet)));
    if (!fits.includes(true)) return undefined;
    return { issuedAtMs: head.readUInt32BE(0) * 1000, chainId: head.readUInt32BE(4) };
  }

  private seal(key: Buffer, head: Buffer, wallet: string): Buffer {
    // Addresses and domains contain no line break, so the sealed text is unambiguous.
    const sealed = createHmac('sha256', key).update(head).update(`${wallet}\n${this.domain}`);
    return sealed.digest().subarray(0, sealLength);
  }
}
