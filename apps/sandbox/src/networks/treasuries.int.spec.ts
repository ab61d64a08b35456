import { findToken, loadChains, type ChainWithNodes } from '@tollbridge/chains';
import type { ReceivedTransfer, TransferReader } from '@tollbridge/chain-port';
import { openSolanaReader } from '@tollbridge/solana';
import { openSuiReader } from '@tollbridge/sui';
import { eventually, freshDatabase, startAnvil, type Anvil, type FreshDatabase } from '@tollbridge/testing';
import { openTonReader } from '@tollbridge/ton/payments';
import { openTronReader } from '@tollbridge/tron';
import { Wallet } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkNames, type NetworkName } from '../config';
import { generateAddress } from '../oneclick/deposit-address';
import { TransferRejected } from '../oneclick/evm-node';
import type { ExecutionStatus, QuoteResponse } from '../oneclick/wire';
import { openSimulators, type OpenedSimulators } from '../simulators/open-simulators';
import { networkEntries, networkTokens } from './networks';
import { migrateSandbox } from '../simulators/open-simulators';

const tronChainId = 728_126_428;
const openers = {
  ton: openTonReader,
  solana: openSolanaReader,
  tron: openTronReader,
  sui: openSuiReader,
};
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

let database: FreshDatabase;
let anvil: Anvil;
let opened: OpenedSimulators;
let readers: Record<NetworkName, TransferReader & { chain: ChainWithNodes }>;
const problems: unknown[] = [];

beforeAll(async () => {
  [database, anvil] = await Promise.all([
    freshDatabase('sandbox', migrateSandbox),
    startAnvil({ chainId: tronChainId }),
  ]);
  const { address, privateKey } = Wallet.createRandom();
  opened = await openSimulators({
    database,
    chains: [],
    networks: await networkTokens(networkNames, 'http://127.0.0.1'),
    tronNodeUrl: anvil.url,
    solver: { address, privateKey },
    onError: (error) => problems.push(error),
  });
  readers = await openReaders(opened.address);
});
afterAll(async () => {
  await opened?.close();
  await Promise.all([anvil?.stop(), database?.drop()]);
});
afterEach(() => expect(problems).toEqual([]));

describe('The simulated route provider on a local network', () => {
  it.each([
    ['ton', 'USDT', 'TON'],
    ['solana', 'USDC', 'SOL'],
    ['tron', 'USDT', 'TRX'],
    ['sui', 'USDC', 'SUI'],
  ] as const)(
    "delivers on %s with transactions that the family's reader can read",
    async (network, token, coin) => {
      await Promise.all([token, coin].map((symbol) => delivers(network, symbol)));
    },
  );

  it('refunds on a local network by a transaction on that network', async () => {
    const { chain } = readers.ton;
    const refundTo = generateAddress(chain);
    const usdt = findToken(chain, 'USDT')!;
    const quoted = await quote({
      originAsset: assetOf('ton', 'USDT'),
      destinationAsset: assetOf('btc', 'BTC'),
      // The swap fails after the deposit.
      swapType: 'EXACT_INPUT',
      amount: '20006403',
      refundTo,
      recipient: bitcoin,
    });
    await pay(quoted);
    await until(quoted, 'REFUNDED');

    const [refund] = await database.query(
      `SELECT tx_hash, amount FROM swap_payments WHERE purpose = 'refund'`,
    );

    const { tx_hash: txHash, amount } = refund as { tx_hash: string; amount: string };
    const transfers = await read('ton', txHash, usdt.address, refundTo);
    expect(transfers).toEqual([expect.objectContaining({ txHash, amountAtomic: BigInt(amount) })]);
  });

  it('refunds a delivery that the network rejects', async () => {
    const quoted = await quote({
      originAsset: assetOf('btc', 'BTC'),
      destinationAsset: assetOf('tron', 'TRX'),
      // The recipient is a contract, which cannot receive coins.
      recipient: findToken(readers.tron.chain, 'USDT')!.address!,
    });
    await pay(quoted);

    const { swapDetails } = await until(quoted, 'REFUNDED');

    expect(swapDetails).toMatchObject({ refundReason: 'INTENT_SUBMIT_FAILED' });
  });
});

describe('NetworkTreasury', () => {
  it.each(networkNames)(
    'executes a signed transfer on %s once, however often it is sent',
    async (network) => {
      const treasury = opened.simulators.treasuries.get(network)!;
      const recipient = generateAddress(readers[network].chain);
      const transfer = { id: '7', recipient, token: null, amountAtomic: 5_000_000n };
      // Both are signed in the same state, as after a crash. The transfer that is not executed must be signed again.
      const [first, second] = [await treasury.sign(transfer), await treasury.sign({ ...transfer, id: '8' })];

      const txHash = await treasury.send(first);
      const again = await treasury.send(first);
      const other = (await treasury.send(second)) ?? (await treasury.send(await treasury.sign(transfer)));

      expect(again).toBe(txHash);
      expect(other).not.toBe(txHash);
      for (const hash of [txHash!, other!])
        expect(await read(network, hash, null, recipient)).toMatchObject([{ amountAtomic: 5_000_000n }]);
    },
  );

  it.each(networkNames)('rejects a transfer on %s above the balance of the treasury', async (network) => {
    const treasury = opened.simulators.treasuries.get(network)!;
    const recipient = generateAddress(readers[network].chain);
    const signed = await treasury.sign({ id: '9', recipient, token: null, amountAtomic: 10n ** 18n });

    await expect(treasury.send(signed)).rejects.toThrow(TransferRejected);
  });
});

async function delivers(network: NetworkName, symbol: string): Promise<void> {
  const { chain } = readers[network];
  const recipient = generateAddress(chain);
  const quoted = await quote({
    originAsset: assetOf('btc', 'BTC'),
    destinationAsset: assetOf(network, symbol),
    recipient,
  });
  await pay(quoted);
  const { swapDetails } = await until(quoted, 'SUCCESS');
  const txHash = swapDetails.destinationChainTxHashes[0]!.hash;
  const transfers = await read(network, txHash, findToken(chain, symbol)!.address, recipient);
  const amountAtomic = BigInt(quoted.quote.amountOut);
  expect(transfers).toEqual([expect.objectContaining({ txHash, amountAtomic })]);
}

/** Returns the transfers of a transaction when the network shows it. */
function read(
  network: NetworkName,
  txHash: string,
  token: string | null,
  receiver: string,
): Promise<readonly ReceivedTransfer[]> {
  const wanted = { txHash, token: { address: token }, receiver, seenIn: null };
  return eventually(async () => {
    const [found] = await readers[network].readTransfers([wanted]);
    if (found?.kind !== 'mined') throw new Error(`the transaction is ${found?.kind}`);
    expect(found.isSuccessful).toBe(true);
    return found.transfers;
  });
}

async function openReaders(simulatorsUrl: string): Promise<typeof readers> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-networks-'));
  try {
    const path = join(folder, 'chains.json');
    writeFileSync(path, JSON.stringify({ chains: await networkEntries(networkNames, simulatorsUrl) }));
    const entries = networkNames.map((name) => {
      const [chain] = loadChains(path, name);
      const { reader } = openers[name](chain!, console);
      return [name, reader];
    });
    return Object.fromEntries(entries) as typeof readers;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function assetOf(chainId: string, symbol: string): string {
  return opened.simulators.assets.on(chainId, symbol).assetId;
}

/** Quotes a swap of about 20 dollars. */
async function quote(terms: {
  originAsset: string;
  destinationAsset: string;
  recipient: string;
  refundTo?: string;
  swapType?: string;
  amount?: string;
}): Promise<QuoteResponse> {
  const reply = await fetch(`${opened.address}/oneclick/v0/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      dry: false,
      swapType: 'EXACT_INPUT',
      slippageTolerance: 100,
      depositType: 'ORIGIN_CHAIN',
      amount: '40000',
      refundTo: bitcoin,
      refundType: 'ORIGIN_CHAIN',
      recipientType: 'DESTINATION_CHAIN',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      ...terms,
    }),
  });
  const body = (await reply.json()) as QuoteResponse;
  expect({ status: reply.status, body }).toMatchObject({ status: 201 });
  return body;
}

/** Records the payer's transfer in the ledger of the simulator. */
async function pay({ quote: { depositAddress, amountIn } }: QuoteResponse): Promise<void> {
  const { swaps } = opened.simulators;
  const swap = await swaps.find(depositAddress!, '');
  await swaps.addToLedger(swap!.id, BigInt(amountIn), 'ab'.repeat(32), Date.now());
}

function until({ quote: { depositAddress } }: QuoteResponse, status: string): Promise<ExecutionStatus> {
  return eventually(async () => {
    const reply = await fetch(`${opened.address}/oneclick/v0/status?depositAddress=${depositAddress}`);
    const found = (await reply.json()) as ExecutionStatus;
    expect(found.status).toBe(status);
    return found;
  });
}
