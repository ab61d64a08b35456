import {
  coinSenderAbi,
  coinSenderCode,
  describeChainAdapter,
  type ChainHarness,
} from '@tollbridge/chain-conformance';
import type { ChainAdapter, DirectOrder } from '@tollbridge/chain-port';
import { loadDeployments } from '@tollbridge/chains';
import { deployLocalChain, type LocalChain, type PayTerms } from '@tollbridge/local-chain';
import { startAnvil } from '@tollbridge/testing';
import { getCreateAddress, Interface, Wallet } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evmRpcOf } from '../chain-rpc';
import { EvmPaymentAdapter } from './evm-payment.adapter';

const erc20 = new Interface(['function transfer(address to, uint256 amount) returns (bool)']);

const quiet = { warn: () => undefined };

describeChainAdapter('EVM', openAnvil);

async function openAnvil(): Promise<ChainHarness> {
  const anvil = await startAnvil({ chainId: 8453 });
  const local = await deployLocalChain(anvil);
  const lookAlike = await local.deployLookAlike();
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-conformance-'));
  const path = join(folder, 'chains.json');
  writeFileSync(path, JSON.stringify({ chains: [local.deployment({ confirmations: 3 })] }));
  const [chain] = loadDeployments(path);
  const adapter = new EvmPaymentAdapter(chain!, evmRpcOf(chain!, console));
  const token = (symbol: string) => chain!.tokens.find((it) => it.symbol === symbol)!;
  const terms = (order: DirectOrder) => payTerms(adapter, order);
  return {
    adapter,
    token: token('USDC'),
    coin: token('ETH'),
    payer: local.payer.address,
    newReceiver: () => Wallet.createRandom().address,
    unknownHash: `0x${'66'.repeat(32)}`,
    pay: (order) => local.pay(terms(order)),
    payAndFail: (order) => local.pay({ ...terms(order), deadline: 1 }, { isForced: true }),
    payLookAlike: (order) => local.pay(terms(order), { contract: lookAlike }),
    transfer: (receiver, amountAtomic, { address }, reference) =>
      reference === undefined
        ? local.transfer(receiver, amountAtomic, address ?? undefined)
        : transferWith(reference, local, { receiver, amountAtomic, address }),
    transferByContract: (receiver, amountAtomic) => transferByContract(local, receiver, amountAtomic),
    mine: (blocks) => anvil.mine(blocks),
    nodeUrl: anvil.url,
    adapterOver: (url) => {
      const behind = { ...chain!, rpcUrls: [url] };
      return new EvmPaymentAdapter(behind, evmRpcOf(behind, quiet));
    },
    reorganise: (blocks) => anvil.reorg(blocks),
    close: async () => {
      rmSync(folder, { recursive: true });
      await anvil.stop();
    },
  };
}

/** A transfer from a contract wallet that owns the coins, so the transaction itself has no value. */
async function transferByContract(
  local: LocalChain,
  receiver: string,
  amountAtomic: bigint,
): Promise<string> {
  const deployed = await local.payer.sendTransaction({ data: coinSenderCode, value: amountAtomic });
  await local.mined(deployed.hash);
  const to = getCreateAddress(deployed);
  const data = new Interface(coinSenderAbi).encodeFunctionData('send', [receiver]);
  const { hash } = await local.payer.sendTransaction({ to, data });
  await local.mined(hash);
  return hash;
}

/** A plain transfer with a reference at the end of its data. */
async function transferWith(
  reference: string,
  local: LocalChain,
  { receiver, amountAtomic, address }: { receiver: string; amountAtomic: bigint; address: string | null },
): Promise<string> {
  const data = erc20.encodeFunctionData('transfer', [receiver, amountAtomic]);
  const { hash } = await local.payer.sendTransaction(
    address === null
      ? { to: receiver, value: amountAtomic, data: reference }
      : { to: address, data: data + reference.slice(2) },
  );
  await local.mined(hash);
  return hash;
}

/** The argument of the contract's `pay`. */
function payTerms(adapter: ChainAdapter, order: DirectOrder): PayTerms {
  const { token, merchantAmountAtomic, feeAmountAtomic } = order;
  return {
    order_id: order.id,
    token_in: token.symbol,
    token_out: token.symbol,
    amount_in: String(merchantAmountAtomic + feeAmountAtomic),
    token_in_address: adapter.instructions(order).tokenAddress,
    merchant: order.merchantAddress,
    merchant_amount: String(merchantAmountAtomic),
    fee_receiver: order.feeReceiver,
    fee_amount: String(feeAmountAtomic),
    deadline: order.expiresAtMs / 1_000,
  };
}
