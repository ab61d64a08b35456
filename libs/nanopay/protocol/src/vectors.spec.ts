import {
  compactLength,
  compactToken,
  confirmationIdOf,
  dialogDigest,
  digestOf,
  isPayment,
  isSignature,
  paymentBytes,
  publicKeyOf,
  readCompactToken,
  readPayment,
  resourceHash,
  signingKey,
  usdt,
  w5Account,
  type PaymentTerms,
} from './index';

// The vectors of section 5 of the protocol: seed 00 01 … 1f.
const key = signingKey(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)));
const bound = resourceHash('GET', 'https://api.example.com/premium-data');
const terms: PaymentTerms = {
  flags: 1,
  networkId: -239,
  verifyingContract: `0:${'11'.repeat(32)}`,
  asset: usdt.master,
  from: '0:f2801419aaa1b3704a0d50b5888dccb5511ed6e3191b99d144a04ea9ea390c52',
  to: `0:${'22'.repeat(32)}`,
  amountAtomic: 1000n,
  validAfterS: 1800000000n,
  validBeforeS: 1800000060n,
  nonce: Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex'),
  resourceHash: bound,
};
const digest = digestOf(paymentBytes(terms));
const signature =
  '88c3e4ffe0be197ea6563e867dcecec312bafccfb0c42998f2146fc5e8fbe494f505ecb87a3957aecb2eb5893f00d8198a87a3509873e4d2657d3ed503d95c0b';

describe('the test vectors of the protocol', () => {
  it('match the public key of the seed', () => {
    expect(key.publicKey.toString('hex')).toBe(
      '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8',
    );
  });

  it('match the W5 wallet of the key', () => {
    expect(w5Account(key.publicKey)).toBe(terms.from);
  });

  it('match the hash of the resource', () => {
    expect(bound.toString('hex')).toBe('dee5c9e735c91c824319ee51646dbd6e20050a7e118614cc7234c3029fc72337');
  });

  it('match the signature of the payment', () => {
    expect(paymentBytes(terms)).toHaveLength(262);
    expect(digest.toString('hex')).toBe('456f48c96f173caf719f0bcc188dde5f1c97d578ff8c7bd40a43ae591cb7deca');
    expect(key.sign(digest).toString('hex')).toBe(signature);
    expect(isSignature(digest, Buffer.from(signature, 'hex'), publicKeyOf(key.publicKey))).toBe(true);
  });

  it('match the id of the payment', () => {
    expect(confirmationIdOf(digest)).toBe('10544e37a677a39143455b88b3d95d11');
  });

  it('match the digest of a wallet dialog', () => {
    const dialog = { domain: 'pay.example.com', timestampS: 1800000000 };
    expect(dialogDigest(terms.from, dialog, digest).toString('hex')).toBe(
      '0836b833541b2d2dc0509367e5e2cceb66461420b6af54d92a16685509f2c6df',
    );
  });

  it('match the payment after parsing', () => {
    expect(readPayment(paymentBytes(terms))).toEqual(terms);
    expect(isPayment(paymentBytes(terms))).toBe(true);
    expect(isPayment(Buffer.concat([paymentBytes(terms), Buffer.alloc(1)]))).toBe(false);
  });

  it('match the compact token of 240 characters', () => {
    const token = {
      flags: 1,
      nonce: terms.nonce,
      validAfterS: terms.validAfterS,
      validBeforeS: terms.validBeforeS,
      resourceHash: bound,
      publicKey: key.publicKey,
      signature: Buffer.from(signature, 'hex'),
    };
    const text = compactToken(token);
    expect(text).toHaveLength(240);
    expect(compactLength).toBe(240);
    expect(readCompactToken(text)).toEqual(token);
  });
});
