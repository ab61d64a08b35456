import {
  buildSwap,
  executeSwap,
  getSwapStatus,
  quoteSwap,
  type SandboxChain,
  type WalletCall,
} from '@tollbridge/sdk';
import { randomBytes } from 'node:crypto';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { approveCall, sendCalls, transferCall, transferFromCall } from '../pay/evm-chain';
import { localChain } from '../pay/pay-order';
import { sandboxPayer } from '../pay/sandbox-payer';
import { eventually } from './eventually';
import { chainId } from './make';

type Hex = `0x${string}`;

const input = 10_000_000n;
const gasWei = 10n ** 17n;

/**
 * Swaps on a local chain from a new wallet, which the demo payer funds. Resolves to the id of the transactions.
 * @param fails whether the wallet loses its tokens before its signed transactions are sent
 */
export async function swap(context: CommandContext, { fails }: { fails: boolean }): Promise<string> {
  const { client, terminal } = context;
  const payer = await sandboxPayer(client);
  const chain = localChain(payer, chainId);
  const [usdc, usdt] = ['USDC', 'USDT'].map((symbol) => addressOf(chain, symbol));
  const key: Hex = `0x${randomBytes(32).toString('hex')}`;
  const { privateKeyToAccount } = await import('../pay/evm-signer');
  const account = privateKeyToAccount(key);
  const send = (privateKey: Hex, calls: WalletCall[]) => sendCalls(chain, privateKey, calls);
  const coins = { to: account.address, data: '0x', value: String(gasWei) };
  await send(payer.privateKey, [coins, await transferCall(usdc!, account.address, input)]);
  if (fails) await send(key, [await approveCall(usdc!, payer.address, input)]);
  const { chainId: number } = chain;
  const { quoteId } = await quoteSwap(client, {
    inputToken: { address: usdc!, chainId: number },
    outputToken: { address: usdt!, chainId: number },
    inputAmount: String(input),
  });
  const built = await buildSwap(client, { quoteId, userAddress: account.address });
  const signatures = await Promise.all(
    built.transactions.map((it) =>
      account.signTransaction({
        type: 'eip1559',
        chainId: it.chainId,
        nonce: it.nonce,
        to: it.to as Hex,
        data: it.data as Hex,
        value: BigInt(it.value),
        gas: BigInt(it.gas),
        maxFeePerGas: BigInt(it.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(it.maxPriorityFeePerGas),
      }),
    ),
  );
  const { transactionId } = built;
  if (fails)
    await send(payer.privateKey, [await transferFromCall(usdc!, account.address, payer.address, input)]);
  await executeSwap(client, { transactionId, signatures });
  const ended = async () => {
    const { status } = await getSwapStatus(client, { transactionId });
    return status === 'completed' || status === 'failed' ? status : undefined;
  };
  const status = await eventually(ended, `Swap ${transactionId} has not ended`, terminal.signal);
  if (status !== (fails ? 'failed' : 'completed'))
    throw new CommandError(`Swap ${transactionId} is ${status}.`);
  return transactionId;
}

const addressOf = ({ tokens }: SandboxChain, symbol: string): string =>
  tokens.find((token) => token.symbol === symbol)!.address!;
