import { ownValue, type OtherTransfer, type ReceivedTransfer } from '@tollbridge/chain-port';
import { idNamedInMemo } from '@tollbridge/chains';
import {
  otherTransfers as evmOtherTransfers,
  tokenTransfers as evmTokenTransfers,
  type EvmLog,
} from '@tollbridge/evm';
import { evmToTronAddress } from '@tollbridge/onchain/tron';
import type { SignedTransaction } from '../signed-transaction';
import { logAddress } from './conversions';

// Selector of `transfer(address,uint256)`, the only call that transfers the caller's own tokens.
const transferSelector = 'a9059cbb';

/** Returns the transfers of a token to one receiver from the logs of a transaction. Addresses are base58. */
export function tokenTransfers(
  logs: readonly EvmLog[],
  token: string,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  return evmTokenTransfers(logs, logAddress(token), logAddress(receiver), txHash).map((transfer) => ({
    ...transfer,
    from: evmToTronAddress(transfer.from),
  }));
}

/** Returns the transfers of other tokens to the receiver. Includes transfers of the coin if a token is wanted. */
export function otherTransfers(
  logs: readonly EvmLog[],
  coins: readonly ReceivedTransfer[],
  { token, receiver, txHash }: { token: string | null; receiver: string; txHash: string },
): OtherTransfer[] {
  const wanted = {
    contract: token === null ? null : logAddress(token),
    receiver: logAddress(receiver),
    txHash,
  };
  const sent = coins.filter(({ from }) => from !== receiver);
  return evmOtherTransfers(logs, sent, wanted).map((transfer) =>
    transfer.tokenAddress === null
      ? transfer
      : {
          ...transfer,
          from: evmToTronAddress(transfer.from),
          tokenAddress: evmToTronAddress(transfer.tokenAddress),
        },
  );
}

/** Returns the transaction's own value. TRC-10 tokens use another kind of transaction. */
export function coinTransfers(
  { action }: SignedTransaction,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  if (action?.to !== receiver) return [];
  return [{ txHash, logIndex: ownValue, from: action.owner, amountAtomic: action.valueAtomic }];
}

/**
 * Returns the reference in a `transfer` of the token, or in a transfer of the coin to the receiver. The account that
 * signed the memo is then the payer. Calls of `transferFrom` are excluded, because any account can send them.
 */
export function referenceIn(
  { action, memo }: SignedTransaction,
  token: string | null,
  receiver: string,
): string | null {
  if (action?.to !== (token ?? receiver)) return null;
  if (token !== null && !action.data.startsWith(transferSelector)) return null;
  return idNamedInMemo(memo) ?? null;
}
