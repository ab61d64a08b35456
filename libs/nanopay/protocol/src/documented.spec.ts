import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  channelHash,
  channelToken,
  chargeItem,
  confirmationIdOf,
  digestOf,
  encodeFrame,
  hashChainGrantDigest,
  hashed,
  linkNonce,
  paymentBytes,
  readPaymentPayload,
  rejections,
  resourceHash,
  settlementDigest,
  signingKey,
  termsFor,
  mainnet,
  usdt,
  w5Account,
  type PresentedPayment,
} from './index';

// An implementation that follows this page must produce the same bytes.
const page = readFileSync(join(__dirname, '../../../../docs/nano-payments.md'), 'utf8');

const key = signingKey(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)));
const from = w5Account(key.publicKey);
const to = `0:${'22'.repeat(32)}`;
const url = 'https://api.example.com/premium-data';
const hash = resourceHash('GET', url);
const nonce = '00112233445566778899aabbccddeeff'.repeat(2);

function documentedFrame(): { digest: Buffer; signature: Buffer; payment: Buffer; frame: Buffer } {
  const authorization = {
    from,
    to,
    amount: '1000',
    nonce,
    validAfter: '1800000000',
    validBefore: '1800000060',
    publicKey: key.publicKey.toString('hex'),
  };
  const presented = readPaymentPayload({ authorization, signature: '00'.repeat(64) }) as PresentedPayment;
  const deployment = {
    network: mainnet,
    verifyingContract: `0:${'11'.repeat(32)}`,
    asset: usdt,
    teeEndpoint: '',
  };
  const price = { to, amountAtomic: 1000n, resourceHash: hash, url, maxTimeoutS: 60 };
  const terms = termsFor(presented, price, deployment, 1_800_000_010);
  if (typeof terms === 'string') throw new Error(terms);
  const payment = paymentBytes(terms);
  const digest = digestOf(payment);
  const signature = key.sign(digest);
  const call = {
    kind: 'charge' as const,
    callKey: Buffer.alloc(16, 0xc0),
    amountAtomic: 1000n,
    holdS: 0,
  };
  const frame = encodeFrame([chargeItem({ ...presented, signature }, terms, call)]);
  return { digest, signature, payment, frame };
}

describe('docs/nano-payments.md', () => {
  it('contains the test vector of a payment: its digest, signature, id and frame', () => {
    const { digest, signature, payment, frame } = documentedFrame();
    const shown = [hash, payment, digest, signature, frame].map((bytes) => bytes.toString('hex'));
    for (const hex of [...shown, confirmationIdOf(digest), from])
      expect(page.replace(/\n/g, '')).toContain(hex);
  });

  it('contains the test vector of a chain: anchor, grant, signature, link and nonce', () => {
    const secret = Buffer.alloc(32, 9);
    const chain = {
      unitAtomic: 1000n,
      length: 100,
      anchor: hashed(secret, 100),
      nonce: Buffer.from(nonce, 'hex'),
      validAfterS: 1_800_000_000n,
      validBeforeS: 1_800_086_400n,
    };
    const scope = { networkId: -239, verifyingContract: `0:${'11'.repeat(32)}`, asset: usdt.master, from };
    const grant = hashChainGrantDigest(scope, to, chain);
    const shown = [chain.anchor, grant, key.sign(grant), hashed(secret, 97), linkNonce(grant, 3)];
    expect(page.replace(/\n/g, '')).toContain(Buffer.concat(shown).toString('hex'));
  });

  it('contains the test vector of a channel: its hash, opening, token and settlement', () => {
    const secret = Buffer.alloc(32, 9);
    const channel = { unitAtomic: 1000n, length: 100, anchor: hashed(secret, 100), endS: 1_800_086_400n };
    const payment = paymentBytes({
      flags: 18,
      networkId: -239,
      verifyingContract: `0:${'11'.repeat(32)}`,
      asset: usdt.master,
      from,
      to,
      amountAtomic: 100_000n,
      validAfterS: 1_800_000_000n,
      validBeforeS: 1_800_000_060n,
      nonce: Buffer.from(nonce, 'hex'),
      resourceHash: channelHash(channel),
    });
    const [digest, link] = [digestOf(payment), hashed(secret, 97)];
    const id = confirmationIdOf(digest);
    const settlement = encodeFrame([
      {
        kind: 'settle',
        callKey: Buffer.alloc(16, 0xc0),
        confirmationId: Buffer.from(id, 'hex'),
        index: 3,
        link,
        units: 3,
        isLast: false,
      },
    ]);
    const opening = Buffer.concat([channelHash(channel), digest, key.sign(digest)]).toString('hex');
    const settled = settlementDigest(digest, 3).toString('hex') + settlement.toString('hex');
    expect(page.replace(/\n/g, '')).toContain(opening + id);
    expect(page.replace(/\n/g, '')).toContain(channelToken({ id, index: 3, link }) + settled);
  });

  it('lists every reason with its number on the wire', () => {
    const rows = [...page.matchAll(/^\| (\d+) +\| `(\w+)`/gm)].map(([, number, reason]) => [number, reason]);
    expect(rows).toEqual(rejections.map((reason, number) => [String(number), reason]));
  });
});
