import { quoteHash, verifyQuoteSignature } from '@defuse-protocol/one-click-sdk-typescript';
import { decodeBase58, getBytes, toBeHex } from 'ethers';
import fc from 'fast-check';
import { isSignedForSdk, quoteReply, signed, testPublicKey } from '../testing/scripted-oneclick';
import { isSigned, productionPublicKey } from './oneclick.signature';

type Fields = Record<string, unknown>;
type Reply = Fields & { quoteRequest: Fields; quote: Fields; signature: string };
type SdkReply = Parameters<typeof verifyQuoteSignature>[0];

const required = {
  swapType: 'EXACT_OUTPUT',
  slippageTolerance: 50,
  originAsset: 'nep141:btc.omft.near',
  depositType: 'ORIGIN_CHAIN',
  destinationAsset: 'nep141:usdc',
  amount: '1000000',
  refundTo: 'bc1qpayer',
  refundType: 'ORIGIN_CHAIN',
  recipient: '0xmerchant',
  recipientType: 'DESTINATION_CHAIN',
  deadline: '2026-11-20T14:00:00.000Z',
};
const optional = {
  quoteWaitingTimeMs: 1_000,
  referral: 'tollbridge',
  virtualChainRecipient: '0xvirtual',
  virtualChainRefundRecipient: '0xrefund',
  customRecipientMsg: 'msg',
};
const notSigned = {
  depositMode: 'MEMO',
  appFees: [{ recipient: 'fees.near', fee: 10 }],
  sessionId: 's',
  connectedWallets: ['w'],
  correlationId: 'c',
  partnerId: 'p',
  userAccountId: 'u',
};

const dry = signed(quoteReply({ dry: true, ...required })) as Reply;
const committed = signed(quoteReply({ dry: false, ...required })) as Reply;
const full = signed(quoteReply({ dry: false, ...required, ...optional, ...notSigned })) as Reply;
full.quote['virtualChainRecipient'] = '0xquoted';
const fullest = signed(full);

const bytesOf = (signature: string) => getBytes(toBeHex(decodeBase58(signature.replace('ed25519:', '')), 64));

/** Compares this implementation with the SDK. Both must agree on every reply. */
function accepts(reply: Fields & { signature: string }): boolean {
  const ours = isSigned(reply, testPublicKey);
  expect(isSignedForSdk(reply, bytesOf(reply.signature))).toBe(ours);
  return ours;
}

it.each<[string, Reply]>([
  ['a dry quote', dry],
  ['a commitment', committed],
  ['a commitment with a memo, optional and unsigned fields', fullest],
  [
    'optional fields that are empty',
    signed(quoteReply({ dry: false, ...required, referral: '', quoteWaitingTimeMs: 0 })) as Reply,
  ],
  [
    'optional fields that are null',
    signed(quoteReply({ dry: true, ...required, referral: null, customRecipientMsg: null })) as Reply,
  ],
  [
    'text beyond ASCII',
    signed(quoteReply({ dry: false, ...required, referral: 'Žluťoučký 馬 😀 "\\' })) as Reply,
  ],
])('accepts %s, like the SDK', (_case, reply) => {
  expect(accepts(reply)).toBe(true);
  expect(accepts(JSON.parse(JSON.stringify(reply)) as Reply)).toBe(true);
});

it('accepts and rejects the same signatures as the SDK', () => {
  const thiefs = { ...fullest, quote: { ...fullest.quote, depositAddress: 'thief' } };
  for (const [reply, verdict] of [
    [fullest, true],
    [thiefs, false],
  ] as const) {
    expect(verifyQuoteSignature(reply as unknown as SdkReply, testPublicKey)).toBe(verdict);
    expect(isSigned(reply, testPublicKey)).toBe(verdict);
  }
});

it('accepts any order of the fields', () => {
  const reversed = (fields: Fields) => Object.fromEntries(Object.entries(fields).reverse());
  const turned = { ...(reversed(committed) as Reply), quote: reversed(committed.quote) };
  expect(accepts({ ...turned, quoteRequest: reversed(committed.quoteRequest) })).toBe(true);
});

describe('tampering', () => {
  // For a field in both, a commitment signs the quote's value instead of the request's.
  const { deadline: _deadline, ...ofRequest } = { dry: false, ...required };
  const signedFields = {
    quoteRequest: [...Object.keys(ofRequest), 'quoteWaitingTimeMs', 'referral'],
    quote: Object.keys(fullest.quote),
  };
  const places = Object.entries(signedFields).flatMap(([part, names]) => names.map((name) => [part, name]));
  it.each(places)('rejects %s.%s with another value, another type, or without a value', (part, name) => {
    const fields = fullest[part!] as Fields;
    const value = fields[name!];
    const changes = [`${String(value)}0`, [value], { value }, null, undefined, !value, 7];
    for (const change of changes.filter((one) => JSON.stringify(one) !== JSON.stringify(value)))
      expect(accepts({ ...fullest, [part!]: { ...fields, [name!]: change } })).toBe(false);
  });

  it.each(['amountIn', 'amountOut', 'minAmountIn', 'amountInUsd'])(
    'rejects a changed quote.%s in a dry quote',
    (name) => {
      expect(accepts({ ...dry, quote: { ...dry.quote, [name]: '1' } })).toBe(false);
    },
  );

  it('rejects a changed timestamp', () => {
    expect(accepts({ ...committed, timestamp: '2026-11-20T12:00:00.001Z' })).toBe(false);
  });

  it('rejects a dry quote instead of a commitment', () => {
    const quote = { ...dry.quote, depositAddress: 'bc1qthief' };
    expect(accepts({ ...dry, quote, quoteRequest: { ...dry.quoteRequest, dry: false } })).toBe(false);
  });

  it('rejects an added memo', () => {
    expect(accepts({ ...committed, quote: { ...committed.quote, depositMemo: 'thief' } })).toBe(false);
  });
});

it.each<[string, unknown]>([
  ['no signature', undefined],
  ['null', null],
  ['an empty signature', ''],
  ['only a prefix', 'ed25519:'],
  ['a number', 5],
  ['an object', {}],
  ['the signature of another quote', dry.signature],
  ['letters that are invalid in base58', 'ed25519:0OIl'],
  ['a truncated signature', committed.signature.slice(0, -2)],
])('rejects %s', (_case, signature) => {
  expect(isSigned({ ...committed, signature }, testPublicKey)).toBe(false);
});

it('rejects a signature of a million characters immediately', () => {
  const startMs = performance.now();
  expect(isSigned({ ...committed, signature: `ed25519:${'z'.repeat(1_000_000)}` }, testPublicKey)).toBe(
    false,
  );
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

it.each<[string, unknown]>([
  ['without a request', { ...committed, quoteRequest: undefined }],
  ['without a quote', { ...committed, quote: undefined }],
  ['that is empty', {}],
])('rejects a reply %s', (_case, reply) => {
  expect(isSigned(reply as Fields, testPublicKey)).toBe(false);
});

it.each(['', 'ed25519:', 'secp256k1:abc', productionPublicKey, 'ed25519:1111', `${testPublicKey}1`])(
  'rejects every reply under the key %p',
  (key) => expect(isSigned(committed, key)).toBe(false),
);

it('accepts a key and a signature without prefix, like the SDK', () => {
  const signature = committed.signature.replace('ed25519:', '');
  expect(isSigned({ ...committed, signature }, testPublicKey.replace('ed25519:', ''))).toBe(true);
});

it('agrees with the SDK on a hash that begins with a zero byte', () => {
  const reply = { ...committed };
  // Only one hash in 256 begins with a zero byte.
  for (let number = 0; ; number += 1) {
    reply['timestamp'] = `t${number}`;
    if (quoteHash(reply as unknown as SdkReply).startsWith('1')) break;
  }
  expect(toBeHex(decodeBase58(quoteHash(reply as unknown as SdkReply))).length).toBeLessThan(66);
  expect(accepts(signed(reply))).toBe(true);
});

it('agrees with the SDK on arbitrary values', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double(),
  );
  const some = (names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  const names = [...Object.keys(optional), ...Object.keys(committed.quote), 'depositMemo', 'more'];
  fc.assert(
    fc.property(some([...names, 'dry']), some(names), (inRequest, inQuote) => {
      const quoteRequest = { ...committed.quoteRequest, ...inRequest };
      const reply = signed({ ...committed, quoteRequest, quote: { ...committed.quote, ...inQuote } });
      expect(accepts(reply)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
