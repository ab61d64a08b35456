import fc from 'fast-check';
import { type Chain, chains, findChain } from '../registry';
import { canonicalAddress, canonicalPayer } from '.';
import {
  type AddressCases,
  basechainHash,
  shelleyWallet,
  tonWallet,
  usdcOnBase,
  addressCases,
} from './testing/address-cases';

const checksum = /^the checksum of the address does not match/;
const unownedMessage = /^no key controls this address/;

const chainOf = (id: string): Chain => {
  const chain = findChain(id);
  if (!chain) {
    throw new Error(`no chain ${id}`);
  }
  return chain;
};

const hasMoveForm = (cases: AddressCases) => cases.label.includes('Starknet');

const reasonOf = (chain: Chain, text: string): string => {
  const result = canonicalAddress(chain, text);
  return result.ok ? `accepted as ${result.address}` : result.reason;
};

const rows = addressCases.flatMap((cases) => cases.chains.map((id) => ({ id, chain: chainOf(id), cases })));

it('the table of addresses covers every chain exactly once', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual(chains.map((chain) => chain.id).sort());
});

describe('the table of addresses', () => {
  const idsWithout = (field: 'wrongChecksum' | 'wrongNetwork') =>
    rows.filter(({ cases }) => cases[field].length === 0).map(({ id }) => id);

  it('lists several valid addresses of each chain', () => {
    for (const { cases } of rows) {
      const canonical = cases.good.map(([text, same]) => (same === true ? text : same));
      expect(new Set(canonical).size).toBeGreaterThanOrEqual(2);
    }
  });

  it('lists wrong checksums and networks for chains with a checksum or network in their addresses', () => {
    expect(idsWithout('wrongChecksum')).toEqual(['solana', 'sui', 'aptos', 'near']);
    const evm = chains.filter((chain) => chain.family === 'evm').map((chain) => chain.id);
    expect(idsWithout('wrongNetwork').sort()).toEqual(
      [...evm, 'solana', 'tron', 'sui', 'aptos', 'starknet', 'stellar', 'aleo'].sort(),
    );
  });
});

describe.each(rows)('an address on $id', ({ chain, cases }) => {
  it.each(cases.good)('accepts %s', (text, canonical) => {
    const address = canonical === true ? text : canonical;
    expect(canonicalAddress(chain, text)).toEqual({ ok: true, address });
    expect(canonicalAddress(chain, address)).toEqual({ ok: true, address });
  });

  it('rejects wrong checksums', () => {
    expect(cases.wrongChecksum.map((text) => reasonOf(chain, text))).toEqual(
      cases.wrongChecksum.map(() => expect.stringMatching(checksum)),
    );
  });

  it('rejects addresses of a test network', () => {
    expect(cases.wrongNetwork.filter((text) => canonicalAddress(chain, text).ok)).toEqual([]);
  });

  it.each(cases.truncated)('rejects the truncated address %s', (text) => {
    expect(canonicalAddress(chain, text).ok).toBe(false);
  });

  it.each(cases.unowned)('rejects the address %s, which has no key', (text) => {
    expect(reasonOf(chain, text)).toMatch(unownedMessage);
  });

  it.each(cases.unfit)('rejects %s with the reason %p', (text, reason) => {
    expect(reasonOf(chain, text)).toMatch(reason);
  });

  it('rejects empty texts, and texts with spaces or invisible characters', () => {
    const [address] = cases.good[0] ?? [''];
    expect(reasonOf(chain, '')).toMatch(/^the address is empty/);
    const dirty = [
      ' ',
      '\t',
      ` ${address}`,
      `${address} `,
      `${address}\n`,
      `${address}\u200b`,
      `${address}\0`,
    ];
    const middle = address.length / 2;
    for (const text of [...dirty, `${address.slice(0, middle)} ${address.slice(middle)}`]) {
      expect(reasonOf(chain, text)).toMatch(/contains a space or a character that addresses do not have/);
    }
  });

  it.each([257, 10_000])('rejects %i characters before decoding', (length) => {
    const [address] = cases.good[0] ?? [''];
    expect(reasonOf(chain, address.repeat(length).slice(0, length))).toMatch(
      /^an address has at most 256 characters/,
    );
  });

  it("reports the chain of another chain's address", () => {
    for (const other of addressCases.filter((candidate) => candidate !== cases)) {
      // Sui, Aptos and Starknet use the same form, so their addresses are indistinguishable.
      if (hasMoveForm(cases) && hasMoveForm(other)) {
        continue;
      }
      const [foreign] = other.good[0] ?? [''];
      expect(reasonOf(chain, foreign)).toBe(
        `this is ${other.label} address; the order's chain is ${chain.name}`,
      );
    }
  });

  it('never repeats the text in a reason, because it may be a private key', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9]{8,100}$/), (text) => {
        const result = canonicalAddress(chain, text);
        expect(result.ok || !result.reason.includes(text)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('canonicalAddress after one mistyped character', () => {
  // The checksum of EVM and Starknet is the case of letters, which misses one mistake in some thousands.
  const guarded = rows.filter(
    ({ cases }) => cases.wrongChecksum.length > 0 && !/EVM|Starknet/.test(cases.label),
  );

  it.each(guarded)('rejects the address on $id', ({ chain, cases }) => {
    const texts = cases.good
      .map(([text]) => text)
      .filter((text) => !text.includes(':') || chain.id === 'bch');
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(), (text, position, choice) => {
        const at = position % text.length;
        const replacement = text.charAt(choice % text.length);
        fc.pre(replacement !== text.charAt(at));
        const mistyped = text.slice(0, at) + replacement + text.slice(at + 1);
        expect(canonicalAddress(chain, mistyped).ok).toBe(false);
      }),
    );
  });
});

describe('on a test network', () => {
  const onTestnet = (id: string): Chain => ({ ...chainOf(id), isTestnet: true });

  it('TON accepts the forms of the test network and rejects those of the main network', () => {
    const canonical = '0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV';
    for (const text of [
      'kQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFecQ',
      canonical,
      `0:${basechainHash}`,
    ]) {
      expect(canonicalAddress(onTestnet('ton'), text)).toEqual({ ok: true, address: canonical });
    }
    expect(reasonOf(onTestnet('ton'), tonWallet)).toMatch(/for the TON main network/);
  });

  const networks: [string, string, string][] = [
    ['near', 'alice.testnet', 'alice.near'],
    [
      'xrp',
      'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ',
      'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
    ],
    [
      'cardano',
      'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
      shelleyWallet,
    ],
    [
      'cardano',
      '2cWKMJemoBajc46Wu4Z7e6bG48myZWfB7Z6pD77L6PrJQWt9HZ3Yv7o8CYZTBMqHTPTkv',
      'Ae2tdPwUPEYwFx4dmJheyNPPYXtvHbJLeCaA96o6Y2iiUL18cAt7AizN2zG',
    ],
  ];
  it.each(networks)('%s accepts %s and rejects %s', (id, testAddress, mainAddress) => {
    expect(canonicalAddress(onTestnet(id), testAddress).ok).toBe(true);
    expect(reasonOf(onTestnet(id), mainAddress)).toMatch(
      /main network; the order is on (the|a) test network/,
    );
  });
});

describe('canonicalPayer', () => {
  const spellings = rows.flatMap(({ chain, cases }) => cases.good.map(([text]) => ({ chain, text })));

  it.each(spellings)('returns the canonical form on $chain.id for $text', ({ chain, text }) => {
    const result = canonicalAddress(chain, text);
    expect(canonicalPayer(text)).toBe(result.ok ? result.address : 'rejected');
  });

  const unowned = addressCases.flatMap((cases) => [...cases.unowned, ...cases.wrongChecksum.slice(0, 1)]);
  // If Starknet rejects a checksum, the text is still a valid Sui or Aptos address, which has no checksum.
  it.each(unowned.filter((text) => !/^0x[0-9a-fA-F]{64}$/.test(text) || /^0x0+$/.test(text)))(
    'returns null for %s',
    (text) => {
      expect(canonicalPayer(text)).toBeNull();
    },
  );

  it.each([
    '',
    ' ',
    'alice',
    'vitalik.eth',
    '0x',
    '0x12',
    usdcOnBase.slice(2),
    ` ${usdcOnBase}`,
    'a'.repeat(10_000),
  ])('returns null for %p', (text) => {
    expect(canonicalPayer(text)).toBeNull();
  });

  it('accepts the test network forms of TON', () => {
    expect(canonicalPayer('kQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFecQ')).toBe(
      '0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV',
    );
  });
});

it('canonicalAddress never throws, and returns a canonical address unchanged', () => {
  const alphabets = [
    '0123456789abcdef',
    '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
    'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  ];
  const prefixes = [
    '',
    '0x',
    '0:',
    'T',
    'G',
    'S',
    'M',
    'r',
    'X',
    '1',
    '3',
    'bc1q',
    'bc1p',
    'ltc1',
    'bitcoincash:q',
    'addr1',
    'Ae2',
    'DdzFF',
    'aleo1',
    'u1',
    'zs1',
    't1',
    'UQ',
  ];
  const addressLike = fc
    .tuple(
      fc.constantFrom(...prefixes),
      fc.constantFrom(...alphabets),
      fc.array(fc.nat(), { maxLength: 110 }),
    )
    .map(
      ([prefix, alphabet, picks]) =>
        prefix + picks.map((pick) => alphabet.charAt(pick % alphabet.length)).join(''),
    );
  fc.assert(
    fc.property(fc.oneof(addressLike, fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
      for (const chain of chains) {
        const first = canonicalAddress(chain, text);
        const again = first.ok ? canonicalAddress(chain, first.address) : first;
        expect(again).toEqual(first);
      }
    }),
    { numRuns: 300 },
  );
});

it('canonicalAddress returns the same result after the cache has evicted an address', () => {
  const base = chainOf('base');
  const first = { ok: true, address: usdcOnBase };
  expect(canonicalAddress(base, usdcOnBase.toLowerCase())).toEqual(first);
  for (let i = 0; i < 10_001; i++) {
    canonicalAddress(base, `0x5${i.toString(16).padStart(39, '0')}`);
  }
  expect(canonicalAddress(base, usdcOnBase.toLowerCase())).toEqual(first);
  expect(reasonOf(base, usdcOnBase.replace('fCD6', 'fcD6'))).toMatch(checksum);
});
