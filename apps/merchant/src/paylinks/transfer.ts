import type { EvmLog, EvmReceipt, EvmTransaction } from '@tollbridge/evm';
import { formatUnits } from '@tollbridge/money';
import { tollbridgePayAbi } from '@tollbridge/onchain';
import { getAddress, Interface } from 'ethers';
import { leastAmount, type PayLink } from './paylink';

/** A transfer of a transaction to the receiver of a link. */
export interface Transfer {
  /** The index of its log in the block; -1 for the value of the transaction itself. */
  logIndex: number;
  amount: bigint;
  /** Null for payments that no node has verified. */
  payer: string | null;
}

/** The log index of a transaction's own value, which has no log. */
export const ownValue = -1;

export interface MinedTransaction {
  receipt: EvmReceipt;
  transaction: EvmTransaction;
  /** The time of its block. */
  minedAtMs: number;
}

// 64 digits without 0x are a hash of Bitcoin, Tron and others.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;

/** Hexadecimal hashes are case-insensitive, base58 and base64 are not. */
export const canonicalHash = (text: string): string => (hexadecimal.test(text) ? text.toLowerCase() : text);

export const paysAnOrder = 'The transaction pays an order; nothing is paid twice by one transfer.';

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The event of every deployment of the payment contract: a transaction with it pays an order. */
const orderPaidTopic = new Interface(tollbridgePayAbi).getEvent('OrderPaid')!.topicHash;

type Terms = Pick<
  PayLink,
  'amount' | 'minAmount' | 'token' | 'tokenAddress' | 'decimals' | 'receiveAddress' | 'createdAtMs'
>;

/** The transfers of a transaction that pay the link, or why none does. */
export function transfersTo(
  link: Terms,
  mined: MinedTransaction,
  blockTimeMs: number,
): Transfer[] | { wrong: string } {
  if (!mined.receipt.succeeded) return { wrong: 'The transaction was reverted: nothing was paid.' };
  if (mined.receipt.logs.some(({ topics }) => topics[0] === orderPaidTopic)) return { wrong: paysAnOrder };
  const found = link.tokenAddress === null ? ofCoin(link, mined) : ofToken(link, link.tokenAddress, mined);
  if ('wrong' in found) return found;
  const enough = found.filter(({ amount }) => amount >= leastAmount(link));
  if (enough.length === 0) return { wrong: tooLittle(link, found) };
  // A block's timestamp is when it was begun; it includes transactions until the next block.
  const isOlder = mined.minedAtMs + blockTimeMs + 999 < link.createdAtMs;
  return isOlder ? { wrong: 'The transaction is older than the PayLink.' } : enough;
}

function ofCoin(link: Terms, { transaction }: MinedTransaction): Transfer[] | { wrong: string } {
  const receiver = link.receiveAddress.toLowerCase();
  if (transaction.to !== receiver)
    return {
      wrong: `The transaction does not send ${link.token} to the receiver by itself; what a contract sends cannot be verified, so pay from a wallet.`,
    };
  if (transaction.from === receiver || transaction.valueAtomic === 0n) return { wrong: paysNothing };
  return [{ logIndex: ownValue, amount: transaction.valueAtomic, payer: getAddress(transaction.from) }];
}

const paysNothing = 'The transaction pays nothing to the receiver.';

function ofToken(
  link: Terms,
  tokenAddress: string,
  { receipt }: MinedTransaction,
): Transfer[] | { wrong: string } {
  const receiver = topicOf(link.receiveAddress);
  const incoming = receipt.logs.filter(
    ({ topics }) => topics[0] === transferTopic && topics[2] === receiver && topics[1] !== receiver,
  );
  // By address: anyone can deploy a contract that calls itself USDC.
  const genuine = incoming.filter(({ address }) => address === tokenAddress.toLowerCase());
  const transfers = genuine.flatMap((log) => readTransfer(log) ?? []);
  if (transfers.length > 0) return transfers;
  return {
    wrong:
      incoming.length > genuine.length
        ? `The transaction pays the receiver in another token than ${link.token}.`
        : paysNothing,
  };
}

/** Undefined for a transfer of zero, which anyone can make in any name, and for malformed logs. */
function readTransfer({ topics, data, logIndex }: EvmLog): Transfer | undefined {
  if (topics.length !== 3 || !/^0x[0-9a-f]{64}$/.test(data)) return undefined;
  const amount = BigInt(data);
  return amount === 0n ? undefined : { logIndex, amount, payer: getAddress(`0x${topics[1]!.slice(26)}`) };
}

const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

function tooLittle(link: Terms, found: Transfer[]): string {
  const shown = (amount: bigint): string => `${formatUnits(amount, link.decimals)} ${link.token}`;
  const most = found.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  return `The transaction pays ${shown(most)}; the PayLink asks for ${shown(leastAmount(link))}.`;
}
