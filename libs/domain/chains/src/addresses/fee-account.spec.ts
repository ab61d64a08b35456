import { generateKeyPairSync } from 'node:crypto';
import { type Chain, chains, findChain } from '../registry';
import { feeAccountOf, sampleAddress } from '.';
import { isEd25519Key } from './codec/ed25519';

const chainOf = (id: string): Chain => {
  const chain = findChain(id);
  if (!chain) {
    throw new Error(`no chain ${id}`);
  }
  return chain;
};

describe('feeAccountOf', () => {
  // The first five are the vectors of authHandleToIntentsUserId (defuse-protocol/sdk-monorepo at 7abab52).
  const vectors: [string, string, string][] = [
    ['near', 'bob.near', 'bob.near'],
    ['base', '0xC0FFEE254729296A45A3885639AC7E10F9D54979', '0xc0ffee254729296a45a3885639ac7e10f9d54979'],
    [
      'solana',
      '3yAnWiDUbv2Ckjptk1D1HAwYHgqZKoqbR755ckY3n9oV',
      '2c1af676c3580b2ecde77673a38886cc16429b4b17744da5985a25152843a570',
    ],
    [
      'stellar',
      'GAIGS3N533ZGF7V4B6JFWHXFOH2FNGPSM5VOAF7YKNUCMXKLBXPNMLVT',
      '10696dbddef262febc0f925b1ee571f45699f2676ae017f85368265d4b0dded6',
    ],
    ['tron', 'THhqDYyRqYhpcf2rq2NSeF7otzXjnFgjm6', '0x54d894fc3354acf069e8eaca2f6bff4d3dbcd116'],
    [
      'near',
      '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
      '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
    ],
  ];
  it.each(vectors)('maps %s %s to %s', (id, address, account) => {
    expect(feeAccountOf(chainOf(id), address)).toBe(account);
  });

  it('returns accounts only for EVM, Tron, Solana, Stellar and NEAR', () => {
    const families = chains
      .filter((chain) => feeAccountOf(chain, sampleAddress(chain)))
      .map((chain) => chain.family);
    expect([...new Set(families)].sort()).toEqual(['evm', 'near', 'solana', 'stellar', 'tron']);
  });

  const unowned: [string, string, string][] = [
    ['a program-derived account', 'solana', 'HwRVBufQ4haG5XSgpspwKtNd3PC9GM9m1196uJW36vds'],
    ['a muxed account', 'stellar', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'],
    ['a contract', 'stellar', 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'],
    ['a wrong checksum', 'tron', 'THhqDYyRqYhpcf2rq2NSeF7otzXjnFgjm7'],
    ['an address of another chain', 'base', 'THhqDYyRqYhpcf2rq2NSeF7otzXjnFgjm6'],
    ['the zero address', 'base', `0x${'0'.repeat(40)}`],
    ['nothing', 'near', ''],
  ];
  it.each(unowned)('returns undefined for %s', (_name, id, address) => {
    expect(feeAccountOf(chainOf(id), address)).toBeUndefined();
  });
});

describe('isEd25519Key', () => {
  it('returns true for every generated key, and for the edges of the curve', () => {
    for (let i = 0; i < 50; i++) {
      const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
      expect(isEd25519Key(Buffer.from(x ?? '', 'base64url'))).toBe(true);
    }
    // y = 1 and y = -1, with x = 0.
    expect(isEd25519Key(Uint8Array.of(1, ...new Array<number>(31).fill(0)))).toBe(true);
    expect(isEd25519Key(Buffer.from(`ec${'ff'.repeat(30)}7f`, 'hex'))).toBe(true);
  });

  it.each([
    ['a number that is not a y coordinate', `02${'00'.repeat(31)}`],
    ['too few bytes', '01'.repeat(31)],
    ['nothing', ''],
  ])('returns false for %s', (_name, digits) => {
    expect(isEd25519Key(Buffer.from(digits, 'hex'))).toBe(false);
  });
});
