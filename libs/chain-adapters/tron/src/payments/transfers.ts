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

// `transfer(address,uint256)`: the only call that moves the caller's own tokens.
const transferSelector = 'a9059cbb';

/** The transfers of a token to one receiver among the logs of a transaction. Addresses are base58. */
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

/** The transfers of other tokens to the receiver, and of the coin where a token is wanted. */
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

/** The transaction's own value. Tokens of Tron's older kind (TRC-10) are of another kind of transaction. */
export function coinTransfers(
  { action }: SignedTransaction,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  if (action?.to !== receiver) return [];
  return [{ txHash, logIndex: ownValue, from: action.owner, amountAtomic: action.valueAtomic }];
}

/**
 * Only a `transfer` of the token, or of the coin to the receiver, names an id. Then the account that signed the memo is
 * the payer. Calls of `transferFrom` may come from any account.
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
