import { createHash } from 'node:crypto';
import {
  confirmationIdOf,
  doesChainAllow,
  flags,
  hashChainGrantBytes,
  hashChainGrantDigest,
  hashed,
  linkNonce,
  maxHashesPerPayment,
  readPaymentPayload,
  usdt,
  type PresentedChain,
  type PresentedPayment,
} from './index';

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const seller = `0:${'22'.repeat(32)}`;
const scope = {
  networkId: -239,
  verifyingContract: `0:${'11'.repeat(32)}`,
  asset: usdt.master,
  from: `0:${'ab'.repeat(32)}`,
};
const secret = Buffer.alloc(32, 9);
const chain: PresentedChain = {
  unitAtomic: 1000n,
  length: 100,
  anchor: hashed(secret, 100),
  nonce: Buffer.alloc(32, 0x33),
  validAfterS: 1_800_000_000n,
  validBeforeS: 1_800_086_400n,
  index: 3,
  link: hashed(secret, 97),
};
const nowS = 1_800_000_100;

describe('hashChainGrantDigest', () => {
  it('hashes each field at its offset', () => {
    const bytes = hashChainGrantBytes(scope, { ...chain, to: seller });
    expect(bytes.toString('hex', 0, 18)).toBe(`ffff${Buffer.from('ton-nanopay/v1').toString('hex')}0300`);
    expect(bytes).toHaveLength(130 + 36 + 16 + 4 + 32 + 8 + 8 + 32);
    const at = (start: number, length: number): string => bytes.toString('hex', start, start + length);
    expect(at(130, 36)).toBe(`00000000${'22'.repeat(32)}`);
    expect(at(166, 16)).toBe('3e8'.padStart(32, '0'));
    expect(at(182, 4)).toBe('00000064');
    expect(at(186, 32)).toBe(chain.anchor.toString('hex'));
    expect(at(218, 16)).toBe('000000006b49d200000000006b4b2380');
    expect(at(234, 32)).toBe('33'.repeat(32));
    expect(hashChainGrantDigest(scope, seller, chain)).toEqual(sha256(bytes));
  });

  it('derives the nonce of each link', () => {
    const digest = hashChainGrantDigest(scope, seller, chain);
    const head = Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-nanopay/v1'), Buffer.of(0x11)]);
    expect(linkNonce(digest, 3)).toEqual(sha256(head, digest, Buffer.of(0, 0, 0, 3)));
    expect(confirmationIdOf(linkNonce(digest, 3))).not.toBe(confirmationIdOf(linkNonce(digest, 4)));
  });

  const terms = { flags: flags.hashChain as number, amountAtomic: 1000n };
  it.each<[string, Partial<PresentedChain>, Partial<typeof terms>, boolean]>([
    ['one link', {}, {}, true],
    ['the last link', { index: 100 }, {}, true],
    ['the maximum of links per payment', {}, { amountAtomic: 1000n * BigInt(maxHashesPerPayment) }, true],
    [
      'more links than the maximum per payment',
      {},
      { amountAtomic: 1000n * BigInt(maxHashesPerPayment + 1) },
      false,
    ],
    ['part of a link', {}, { amountAtomic: 1500n }, false],
    ['a unit of 0', { unitAtomic: 0n }, {}, false],
    ['a link after the last', { index: 101 }, {}, false],
    ['the anchor', { index: 0 }, {}, false],
    ['the resource-bound flag', {}, { flags: 9 }, false],
    ['the upTo flag', {}, { flags: 10 }, false],
    ['the session flag', {}, { flags: 12 }, false],
    ['a total above the maximum amount', { unitAtomic: 2n ** 62n }, { amountAtomic: 2n ** 62n }, false],
    ['a payment before the start of its validity', { validAfterS: 1_800_000_106n }, {}, false],
    ['a payment after the end of its validity', { validBeforeS: 1_800_000_095n }, {}, false],
    ['a grant that is valid for too long', { validBeforeS: 1_900_000_000n }, {}, false],
  ])('doesChainAllow allows or rejects %s', (_, changes, others, isAllowed) => {
    expect(doesChainAllow({ ...chain, ...changes }, { ...terms, ...others }, nowS)).toBe(isAllowed);
  });
});

describe('readPaymentHeader with a hash chain', () => {
  const member = {
    unit: '1000',
    length: '100',
    anchor: chain.anchor.toString('hex'),
    nonce: '33'.repeat(32),
    validAfter: '1800000000',
    validBefore: '1800086400',
    index: '3',
    link: chain.link.toString('hex'),
  };
  const read = (changes: object): PresentedPayment | string =>
    readPaymentPayload({
      authorization: {
        from: scope.from,
        to: seller,
        amount: '1000',
        nonce: '44'.repeat(32),
        flags: 8,
        validAfter: '1800000000',
        validBefore: '1800000060',
        chain: { ...member, ...changes },
      },
      signature: 'aa'.repeat(64),
    });

  it('returns the chain and its link', () => {
    expect((read({}) as PresentedPayment).chain).toEqual(chain);
  });

  it.each<[string, object]>([
    ['unit', { unit: 1000 }],
    ['unit', { unit: '0' }],
    ['length', { length: '0' }],
    ['length', { length: '4294967296' }],
    ['anchor', { anchor: 'ab' }],
    ['index', { index: '1.5' }],
    ['index', { index: undefined }],
    ['link', { link: 'zz'.repeat(32) }],
    ['nonce', { nonce: '' }],
    ['validBefore', { validBefore: '-1' }],
  ])('rejects a wrong %s', (_, changes) => {
    expect(read(changes)).toBe('invalid_payload');
  });
});
