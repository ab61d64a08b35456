import { findChain, type Chain, type Token } from '@tollbridge/chains';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import { mined } from '@tollbridge/onchain';
import { startAnvil, startHttpServer, type Anvil, type HttpServer } from '@tollbridge/testing';
import { Wallet, ZeroAddress, type HDNodeWallet } from 'ethers';
import { Balances } from '../balances';
import { multicall3Address } from './multicall.wire';

let anvil: Anvil;
let local: LocalChain;
let chain: Chain;
/** Forwards to the node and records its requests. */
let proxy: HttpServer;
let balances: Balances;

const [logo, maxAmountAtomic] = ['/logos/tokens/usdc.svg', String(2n ** 256n - 1n)];
const token = (symbol: string, address: string | null): Token => ({
  symbol,
  name: symbol,
  decimals: 6,
  address,
  logo,
  maxAmountAtomic,
});

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  local = await deployLocalChain(anvil);
  const tokens = [token('ETH', null), token('USDC', local.usdc.address), token('DAI', local.dai.address)];
  chain = { ...findChain('eip155:8453')!, tokens };
  proxy = await startHttpServer(async ({ body }) => {
    const reply = await fetch(anvil.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    return { body: await reply.text() };
  });
});
afterAll(async () => {
  await proxy?.close();
  await anvil?.stop();
});
beforeEach(() => {
  proxy.requests.length = 0;
  balances = new Balances([{ chain: 'base', urls: [proxy.url] }]);
});

async function funded(amountAtomic: bigint): Promise<HDNodeWallet> {
  const wallet = Wallet.createRandom().connect(anvil.provider);
  await anvil.send('anvil_setBalance', [wallet.address, `0x${amountAtomic.toString(16)}`]);
  return wallet;
}

const methods = () => proxy.requests.map(({ body }) => (JSON.parse(body) as { method: string }).method);

it('skips the wallet with a reason if Multicall3 is missing', async () => {
  const code = await anvil.provider.getCode(multicall3Address);
  await anvil.send('anvil_setCode', [multicall3Address, '0x']);
  const { found, skipped } = await balances.read([{ chain, address: local.payer.address }]);
  expect(found).toEqual([]);
  expect(skipped[0]!.reason).toMatch(/^Multicall3 is not at 0xcA11/);
  await anvil.send('anvil_setCode', [multicall3Address, code]);
});

describe('with Multicall3', () => {
  it('reads the coin and all tokens in one call', async () => {
    const wallet = await funded(123_456_789_012_345_678_901n);
    await local.usdc.mint(wallet.address, 77_000_001n);
    const { found } = await balances.read([{ chain, address: wallet.address }]);
    expect(found[0]!.holdings).toEqual([
      { token: chain.tokens[0], amountAtomic: 123_456_789_012_345_678_901n, lockedAtomic: 0n },
      { token: chain.tokens[1], amountAtomic: 77_000_001n, lockedAtomic: 0n },
      { token: chain.tokens[2], amountAtomic: 0n, lockedAtomic: 0n },
    ]);
    expect(methods()).toEqual(['eth_chainId', 'eth_call']);
  });

  it.each([
    ['has no contract', () => '0x00000000000000000000000000000000000dead1'],
    // A contract without balanceOf that rejects coins.
    ['is not a token', () => local.payContract],
  ])('omits only the token with an address that %s', async (_name, address) => {
    const odd = { ...chain, tokens: [...chain.tokens, token('ODD', address())] };
    const { found } = await balances.read([{ chain: odd, address: local.payer.address }]);
    expect(found[0]!.holdings.map((holding) => holding.token.symbol)).toEqual(['ETH', 'USDC', 'DAI']);
  });

  it('skips the wallet if the node serves another chain', async () => {
    const other = new Balances([{ chain: 'op', urls: [proxy.url] }]);
    const { skipped } = await other.read([{ chain: findChain('op')!, address: local.payer.address }]);
    expect(skipped[0]!.reason).toMatch(/serves chain 8453, not 10/);
  });

  it('reserves nothing for a token', async () => {
    const { found } = await balances.read([{ chain, address: local.payer.address }]);
    await expect(balances.reserveOf(chain, found[0]!.holdings[1]!, 'contractCall')).resolves.toBe(0n);
  });

  it('allows a transfer of the balance less the reserve', async () => {
    const wallet = await funded(10n ** 18n);
    const { found } = await balances.read([{ chain, address: wallet.address }]);
    const [coin] = found[0]!.holdings;
    const value = coin!.amountAtomic - (await balances.reserveOf(chain, coin!, 'transfer'));
    const transaction = await wallet.sendTransaction({ to: local.stranger.address, value });
    await expect(mined(transaction)).resolves.toMatchObject({ status: 1 });
  });

  it('allows a contract payment of the balance less the reserve', async () => {
    const wallet = await funded(10n ** 18n);
    const { found } = await balances.read([{ chain, address: wallet.address }]);
    const [coin] = found[0]!.holdings;
    const amount = coin!.amountAtomic - (await balances.reserveOf(chain, coin!, 'contractCall'));
    const [merchant, feeReceiver] = [Wallet.createRandom().address, Wallet.createRandom().address];
    const fee = amount / 100n;
    const hash = await local.pay(
      {
        order_id: '0192f0c1-2345-7abc-8def-0123456789ab',
        token_in: 'ETH',
        token_out: 'ETH',
        token_in_address: ZeroAddress,
        amount_in: String(amount),
        merchant,
        merchant_amount: String(amount - fee),
        fee_receiver: feeReceiver,
        fee_amount: String(fee),
        deadline: (await anvil.time()) + 3_600,
      },
      { from: wallet },
    );
    await expect(anvil.provider.getTransactionReceipt(hash)).resolves.toMatchObject({ status: 1 });
  });

  it('reads the gas price once for all callers within some seconds', async () => {
    const fees = await Promise.all([
      balances.coinFeeAtomic(chain, 'transfer'),
      balances.coinFeeAtomic(chain, 'contractCall'),
    ]);
    expect(fees[1]).toBeGreaterThan(fees[0]!);
    expect(methods().filter((method) => method === 'eth_gasPrice')).toHaveLength(1);
  });
});
