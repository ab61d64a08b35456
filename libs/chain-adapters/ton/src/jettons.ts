import { ProviderError } from '@tollbridge/http';
import type { Cell } from '@ton/core';
import type { TonAccountReader } from './account-reader';
import { addressAt, numberAt } from './get-method-stack';
import { loadTonCore } from './load';

/** Operation codes of the jetton standard (TEP-74). */
export const jettonOps = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
} as const;

export interface JettonWallet {
  /** Raw address. */
  address: string;
  /** False until the first jettons arrive. Only a deployed wallet confirms its own data. */
  isDeployed: boolean;
  balanceAtomic: bigint;
}

/** The wallet has another owner or another jetton than expected. */
export class ForeignJettonWallet extends Error {
  override readonly name = 'ForeignJettonWallet';
}

// Exit code of toncenter and the TVM for an account without code.
const noCode = -13;

/**
 * Returns the address of an owner's jetton wallet, computed by the jetton's master. The wallet need not exist.
 * @throws ProviderError
 */
export async function jettonWalletAddressOf(
  reader: Pick<TonAccountReader, 'runGetMethod'>,
  { master, owner }: { master: string; owner: string },
): Promise<string> {
  const { Address, beginCell } = await loadTonCore();
  const slice = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
  const computed = await reader.runGetMethod(master, 'get_wallet_address', [{ slice }]);
  if (computed.exitCode !== 0) throw noAnswer('the master computes no wallet');
  return validReply(() => addressAt(computed, 0));
}

/**
 * Returns the jetton wallet of an owner with its balance. The jetton's master computes its address, and a deployed
 * wallet confirms owner and master. The configuration pins the master, because an imitation of the jetton has another
 * master.
 * @throws ForeignJettonWallet, ProviderError
 */
export async function jettonWalletOf(
  reader: Pick<TonAccountReader, 'runGetMethod'>,
  { master, owner }: { master: string; owner: string },
): Promise<JettonWallet> {
  const address = await jettonWalletAddressOf(reader, { master, owner });
  const data = await reader.runGetMethod(address, 'get_wallet_data');
  if (data.exitCode === noCode) return { address, isDeployed: false, balanceAtomic: 0n };
  if (data.exitCode !== 0) throw noAnswer('the wallet says nothing of itself');
  const [balanceAtomic, itsOwner, itsMaster] = validReply(
    () => [numberAt(data, 0), addressAt(data, 1), addressAt(data, 2)] as const,
  );
  if (itsOwner !== owner || itsMaster !== master)
    throw new ForeignJettonWallet(`The wallet ${address} belongs to another owner or jetton.`);
  return { address, isDeployed: true, balanceAtomic };
}

function validReply<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw noAnswer((error as Error).message);
  }
}

const noAnswer = (message: string): ProviderError =>
  new ProviderError('toncenter', { kind: 'badReply', message });

export interface JettonTransfer {
  /** Identifies the transfer in its notification and in the excess message. */
  queryId: bigint;
  amountAtomic: bigint;
  /** Raw address of the owner that receives the jettons. It is never a jetton wallet. */
  destination: string;
  /** Raw address of the account that receives the remaining nanotons. */
  responseDestination: string;
  /** Nanotons to forward to the destination with a notification. With 0, no notification is sent. */
  forwardNano?: bigint;
  forwardPayload?: Cell;
}

/**
 * Nanotons for a jetton transfer without forwarded coins, including the deployment of the recipient's wallet. The rest
 * is returned to the response destination.
 */
export const jettonTransferNano = 100_000_000n;

/** Builds the message body that transfers jettons from the owner's jetton wallet. */
export async function jettonTransferBody(transfer: JettonTransfer): Promise<Cell> {
  const { Address, beginCell } = await loadTonCore();
  const { queryId, amountAtomic, destination, responseDestination, forwardNano = 0n } = transfer;
  const body = beginCell()
    .storeUint(jettonOps.transfer, 32)
    .storeUint(queryId, 64)
    .storeCoins(amountAtomic)
    .storeAddress(Address.parseRaw(destination))
    .storeAddress(Address.parseRaw(responseDestination))
    // No custom payload.
    .storeBit(false)
    .storeCoins(forwardNano);
  return body.storeMaybeRef(transfer.forwardPayload ?? null).endCell();
}
