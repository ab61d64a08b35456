import {
  digestOf,
  doesGrantAllow,
  maxGrantLifeS,
  readPaymentPayload,
  sessionGrantBytes,
  sessionGrantDigest,
  signingKey,
  usdt,
  w5Account,
  type PresentedPayment,
  type PresentedSession,
} from './index';

const wallet = signingKey(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)));
const agent = signingKey(Buffer.alloc(32, 0x42));
const scope = {
  networkId: -239,
  verifyingContract: `0:${'11'.repeat(32)}`,
  asset: usdt.master,
  from: w5Account(wallet.publicKey),
};
const terms = {
  publicKey: agent.publicKey,
  to: `0:${'22'.repeat(32)}` as string | undefined,
  maxPerPaymentAtomic: 1000n,
  maxTotalAtomic: 5000n,
  validAfterS: 1_800_000_000n,
  validBeforeS: 1_800_086_400n,
  nonce: Buffer.alloc(32, 0x33),
};
const digest = sessionGrantDigest(scope, terms);
const grant: PresentedSession = { ...terms, signature: wallet.sign(digest), dialog: undefined };

describe('session grant', () => {
  it('hashes each field at its offset', () => {
    const { publicKey: sessionKey, ...rest } = terms;
    const bytes = sessionGrantBytes(scope, { sessionKey, ...rest });
    expect(bytes.toString('hex', 0, 18)).toBe(`ffff${Buffer.from('ton-nanopay/v1').toString('hex')}0200`);
    expect(bytes).toHaveLength(130 + 32 + 36 + 16 + 16 + 8 + 8 + 32);
    const at = (start: number, length: number): string => bytes.toString('hex', start, start + length);
    expect(at(130, 32)).toBe(agent.publicKey.toString('hex'));
    expect(at(162, 36)).toBe(`00000000${'22'.repeat(32)}`);
    expect(at(198, 16)).toBe('3e8'.padStart(32, '0'));
    expect(at(214, 16)).toBe('1388'.padStart(32, '0'));
    expect(at(230, 16)).toBe('000000006b49d200000000006b4b2380');
    expect(at(246, 32)).toBe('33'.repeat(32));
  });

  it('matches the digest and signature of the test vector', () => {
    const { publicKey: sessionKey, ...rest } = terms;
    expect(digest).toEqual(digestOf(sessionGrantBytes(scope, { sessionKey, ...rest })));
    expect(digest.toString('hex')).toBe('d5f18a7f252bdb1157030f9333e2e4978f4ef878aab4c72241b0cdfe9136b8cf');
    expect(grant.signature.toString('hex')).toBe(
      '62ebd7c2deb118fbc478669e7ea98a5d7b8cb171bb594c4f86b6a7d03f7ab3b33da8966a5c542ca5ae5db279c0fd46ac7c207b558452cac23c59d509a3556b06',
    );
    expect(sessionGrantDigest(scope, { ...terms, to: undefined }).toString('hex')).toBe(
      '64e84bf86a93e72ecd9d031819302d19ac54f98b228a9fb747e0995251161a32',
    );
  });

  it('parses the signed grant of an authorization', () => {
    const session = {
      publicKey: agent.publicKey.toString('hex'),
      to: terms.to,
      maxPerPayment: '1000',
      maxTotal: '5000',
      validAfter: '1800000000',
      validBefore: '1800086400',
      nonce: '33'.repeat(32),
      signature: grant.signature.toString('base64'),
    };
    const read = (changes: object) =>
      readPaymentPayload({
        authorization: {
          from: scope.from,
          to: terms.to,
          amount: '1',
          nonce: '44'.repeat(32),
          flags: 5,
          validAfter: '1',
          validBefore: '2',
          session: { ...session, ...changes },
        },
        signature: 'aa'.repeat(64),
      });
    expect((read({}) as PresentedPayment).session).toEqual(grant);
    for (const changes of [
      { maxTotal: '0' },
      { maxTotal: '1e3' },
      { nonce: '33' },
      { to: 'me' },
      { signature: '' },
      { signatureKind: 'tonconnect' },
      { publicKey: undefined },
    ])
      expect(read(changes)).toBe('invalid_payload');
  });

  const payment = { to: terms.to!, amountAtomic: 1000n };
  const nowS = 1_800_000_100;

  it('allows a payment within its limits', () => {
    expect(doesGrantAllow(grant, payment, nowS)).toBe(true);
    expect(doesGrantAllow({ ...grant, to: undefined }, { ...payment, to: 'any seller' }, nowS)).toBe(true);
    // Within the tolerance for clock differences.
    expect(doesGrantAllow(grant, payment, 1_799_999_996)).toBe(true);
    expect(doesGrantAllow(grant, payment, 1_800_086_404)).toBe(true);
  });

  it.each<[string, Partial<PresentedSession>, Partial<typeof payment>, number]>([
    ['an amount above the maximum per payment', {}, { amountAtomic: 1001n }, nowS],
    ['another seller', {}, { to: scope.from }, nowS],
    ['a payment before the grant is valid', {}, {}, 1_799_999_994],
    ['a payment after the grant has expired', {}, {}, 1_800_086_405],
    [
      'any payment when it expires before it begins',
      { validBeforeS: 1_800_000_000n, validAfterS: 1_800_000_001n },
      {},
      1_800_000_000,
    ],
    [
      'any payment when it is valid for too long',
      { validBeforeS: terms.validAfterS + BigInt(maxGrantLifeS) + 1n },
      {},
      nowS,
    ],
  ])('does not allow %s', (_, changes, other, at) => {
    expect(doesGrantAllow({ ...grant, ...changes }, { ...payment, ...other }, at)).toBe(false);
  });
});
