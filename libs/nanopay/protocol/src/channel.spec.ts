import {
  channelHash,
  channelToken,
  hashed,
  isChannelOf,
  maxChannelLifeS,
  readChannelToken,
  type ChannelTerms,
} from './index';

const secret = Buffer.alloc(32, 9);
const terms = (changes: Partial<ChannelTerms> = {}): ChannelTerms => ({
  unitAtomic: 1_000n,
  length: 100,
  anchor: hashed(secret, 100),
  endS: 1_800_086_400n,
  ...changes,
});
const nowS = 1_800_000_000;
const payment = { flags: 18, amountAtomic: 100_000n, resourceHash: channelHash(terms()) };

describe('isChannelOf', () => {
  it('accepts a channel with the signed hash, by the wallet or a session', () => {
    expect(isChannelOf(terms(), payment, nowS)).toBe(true);
    expect(isChannelOf(terms(), { ...payment, flags: 22 }, nowS)).toBe(true);
  });

  it.each<[string, Partial<ChannelTerms>, Partial<typeof payment>]>([
    ['another unit', { unitAtomic: 500n, length: 200 }, {}],
    ['another anchor', { anchor: secret }, {}],
    ['another end', { endS: 1_800_086_401n }, {}],
    ['another amount', {}, { amountAtomic: 100_001n }],
    ['no links', { length: 0 }, { amountAtomic: 0n }],
    ['a bound resource', {}, { flags: 19 }],
    ['a hash-chain flag', {}, { flags: 26 }],
    ['an exact amount', {}, { flags: 16 }],
  ])('rejects %s', (_name, changed, paid) => {
    expect(isChannelOf(terms(changed), { ...payment, ...paid }, nowS)).toBe(false);
  });

  it('rejects an end that has passed or is too far', () => {
    for (const endS of [BigInt(nowS), BigInt(nowS + maxChannelLifeS + 1)]) {
      const channel = terms({ endS });
      expect(isChannelOf(channel, { ...payment, resourceHash: channelHash(channel) }, nowS)).toBe(false);
    }
  });
});

describe('readChannelToken', () => {
  const token = { id: 'ab'.repeat(16), index: 12, link: secret };
  const text = channelToken(token);

  it('parses the written token', () => {
    expect(readChannelToken(text)).toEqual(token);
    expect(readChannelToken(channelToken({ ...token, index: 1_000_000 }))).toMatchObject({
      index: 1_000_000,
    });
  });

  it.each([
    ['an upper-case id', text.replace('ab', 'AB')],
    ['index 0', text.replace('.12.', '.0.')],
    ['a leading zero', text.replace('.12.', '.012.')],
    ['no index', text.replace('.12.', '..')],
    ['a long index', text.replace('.12.', '.12345678.')],
    ['a short link', text.slice(0, -1)],
    ['a comma', `${text}, ${text}`],
    ['other characters', `${text.slice(0, -1)}!`],
    ['nothing', 'ch1.'],
  ])('rejects %s', (_name, wrong) => {
    expect(readChannelToken(wrong)).toBeUndefined();
  });
});
