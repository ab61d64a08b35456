import { findChain, type Chain, type Token } from '@tollbridge/chains';
import { startHttpServer, type HttpServer } from '@tollbridge/testing';
import { Balances } from './balances';
import type { SourceKind } from './sources/source-kinds';
import { answersOf, recordingOf } from './testing/recording';

// A deployment may use other notations of token addresses than the registry, and more tokens.

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(() => ({}));
});
afterAll(() => server.close());

const [logo, maxAmountAtomic] = ['/logos/tokens/usdc.svg', String(2n ** 256n - 1n)];
const token = (symbol: string, address: string | null, decimals = 6): Token => ({
  symbol,
  name: symbol,
  decimals,
  address,
  logo,
  maxAmountAtomic,
});

/** Returns the recorded wallet's amounts on a chain with other tokens. */
async function amounts(kind: SourceKind, tokens: Token[], answer = answersOf(recordingOf(kind).exchanges)) {
  const { chain: name, address } = recordingOf(kind);
  const chain: Chain = { ...findChain(name)!, tokens };
  server.answer = answer;
  server.requests.length = 0;
  const balances = new Balances([{ chain: name, kind, urls: [server.url] }]);
  const { found, skipped } = await balances.read([{ chain, address }]);
  expect(skipped).toEqual([]);
  return Object.fromEntries(
    found[0]!.holdings.map((holding) => [holding.token.symbol, holding.amountAtomic]),
  );
}

it.each([
  ['raw', '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'],
  ['not bounceable', 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p'],
  ['in the other alphabet', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs'],
])('finds a jetton by its master written as %s', async (_name, master) => {
  const recorded = answersOf(recordingOf('toncenter').exchanges);
  // The request contains the master in the deployment's notation.
  const answer: typeof recorded = (request) => {
    if (request.query.has('jetton_address'))
      request.query.set(
        'jetton_address',
        recordingOf('toncenter').exchanges[1]!.request.query!['jetton_address']!,
      );
    return recorded(request);
  };
  await expect(amounts('toncenter', [token('USDT', master)], answer)).resolves.toEqual({
    USDT: 2_049_550_000n,
  });
});

it('sends no jetton request if the chain lists no jettons', async () => {
  await expect(amounts('toncenter', [token('TON', null, 9)])).resolves.toEqual({ TON: 1592521995920473n });
  expect(server.requests).toHaveLength(1);
});

it('finds a mint of the Token-2022 program', async () => {
  const mint = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo';
  await expect(amounts('solana', [token('PYUSD', mint)])).resolves.toEqual({ PYUSD: 1_000_000n });
});

it('finds a Sui coin type in any notation of its package', async () => {
  const padded = '0x06864a6f921804860930db6ddbe2e16acdf8504495ea7481637a1c8b9a8fe54b::cetus::CETUS';
  const upper = '0xDBA34672E30CB065B1F93E3AB55318768FD6FEF66C15942C9F7CB846E2F900E7::usdc::USDC';
  const tokens = [token('CETUS', padded, 9), token('USDC', upper), token('OTHER', '0x2::other::OTHER')];
  await expect(amounts('suiJsonRpc', tokens)).resolves.toEqual({ CETUS: 1n, USDC: 25_000_000n, OTHER: 0n });
});

it('reads an asset on Stellar by its issuer in any notation', async () => {
  const other = 'GBVUDZLMHTLMZANLZB6P4S4RYF52MVWTYVYXTQ2EJBPBX4DZI2SDOLLY';
  const circle = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const tokens = [token('USDC', `USDC:${circle}`, 7)];
  await expect(amounts('horizon', tokens)).resolves.toEqual({ USDC: 12_500_000_001n });
  await expect(amounts('horizon', [token('USDC', other, 7)])).resolves.toEqual({ USDC: 9_999_990_000_000n });
});

it('reads a currency of the XRP Ledger by its issuer', async () => {
  const issuer = 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De';
  const { address } = recordingOf('rippled');
  const lines = [{ account: issuer, balance: '12.5', currency: '524C555344000000000000000000000000000000' }];
  const result = { account: address, lines, status: 'success', validated: true };
  const tokens = [token('RLUSD', `RLUSD.${issuer}`)];
  await expect(amounts('rippled', tokens, () => ({ body: { result } }))).resolves.toEqual({
    RLUSD: 12_500_000n,
  });
  expect(JSON.parse(server.requests[0]!.body)).toEqual({
    method: 'account_lines',
    params: [{ ledger_index: 'validated', account: address, peer: issuer }],
  });
});

it('skips an X-address with a tag as unreadable', async () => {
  const chain = findChain('xrp')!;
  const balances = new Balances([{ chain: 'xrp', urls: [server.url] }]);
  const address = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
  const { skipped } = await balances.read([{ chain, address }]);
  expect(skipped[0]!.reason).toMatch(/with a destination tag/);
});

it('omits tokens for a protocol with native coins only', async () => {
  await expect(amounts('esplora', [token('BTC', null, 8), token('RUNE', 'rune')])).resolves.toEqual({
    BTC: 250_050_003n,
  });
});

it('reads a missing NEAR account as empty, even from a 4xx reply', async () => {
  const { unfunded } = recordingOf('near');
  const exchanges = unfunded.exchanges.map((exchange, index) =>
    index === 0 ? { ...exchange, status: 422 } : exchange,
  );
  await expect(amounts('near', [token('NEAR', null, 24)], answersOf(exchanges))).resolves.toEqual({
    NEAR: 0n,
  });
});
