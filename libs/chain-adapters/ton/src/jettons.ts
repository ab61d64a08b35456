import { ProviderError } from '@tollbridge/http';
import type { Cell } from '@ton/core';
import type { TonAccountReader } from './account-reader';
import { addressAt, numberAt } from './get-method-stack';
import { loadTonCore } from './load';

/** Message numbers of the jetton standard (TEP-74). */
export const jettonOps = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
} as const;

export interface JettonWallet {
  /** Raw. */
  address: string;
  /** False until the first jettons arrive; what it would say of itself is then not confirmed yet. */
  isDeployed: boolean;
  balanceAtomic: bigint;
}

/** A wallet that says that it is another's, or of another jetton: nothing of it is believed. */
export class ForeignJettonWallet extends Error {
  override readonly name = 'ForeignJettonWallet';
}

// What toncenter and the TVM answer for an account without code.
const noCode = -13;

/**
 * Where an owner's wallet of a jetton is, as the jetton's master computes it: whether it exists or not.
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
  return believed(() => addressAt(computed, 0));
}

/**
 * The wallet in which an owner holds a jetton, as the jetton's master computes it, and as it is confirmed by the wallet
 * itself once it is deployed; with its balance. The master is pinned by configuration: a jetton that looks alike has
 * another.
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
  const [balanceAtomic, ...[itsOwner, itsMaster]] = believed(
    () => [numberAt(data, 0), addressAt(data, 1), addressAt(data, 2)] as const,
  );
  if (itsOwner !== owner || itsMaster !== master)
    throw new ForeignJettonWallet(`The wallet ${address} is of another owner or jetton.`);
  return { address, isDeployed: true, balanceAtomic };
}

function believed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw noAnswer((error as Error).message);
  }
}

const noAnswer = (message: string): ProviderError =>
  new ProviderError('toncenter', { kind: 'badReply', message });

export interface JettonTransfer {
  /** Comes back in the notification and in the excess: names the transfer. */
  queryId: bigint;
  amountAtomic: bigint;
  /** Who receives the jettons: the owner, never a jetton wallet. Raw. */
  destination: string;
  /** Who gets back what is left of the nanotons. Raw. */
  responseDestination: string;
  /** Sent on to the destination with a notification; none is sent for 0. */
  forwardNano?: bigint;
  forwardPayload?: Cell;
}

/**
 * Nanotons that are enough for a transfer of jettons, the deployment of the recipient's wallet included, as long as nothing
 * is forwarded. What is left of them comes back to the response destination.
 */
export const jettonTransferNano = 100_000_000n;

/** Body of the message that transfers jettons from the owner's jetton wallet. */
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
