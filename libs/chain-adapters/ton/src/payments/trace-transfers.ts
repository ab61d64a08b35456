// Reads the transfers of a trace to a receiver. A trace is all transactions that one message caused.
import { idNamedInMemo, type Chain } from '@tollbridge/chains';
import { maxOtherTransfers, type OtherTransfer, type ReceivedTransfer } from '@tollbridge/chain-port';
import { jettonWalletAddress, tonPayOps, type TonJetton } from '@tollbridge/onchain/ton';
import type { AccountTransaction } from '../account-reader';
import { jettonOps } from '../jettons';
import { canonicalOf } from './addresses';
import type { ChainJetton } from './chain-jettons';
import type { IndexedTransaction, Trace } from './indexed';
import { readComment, readJettonReceipt } from './jetton-receipt';
import type { TonNode } from './ton-node';

type Node = Pick<TonNode, 'chain'>;

/** The transfers to read in a trace. */
export interface WantedInTrace {
  /** Hash of the trace's first transaction. */
  readonly txHash: string;
  /** Null for the coin. */
  readonly jetton: TonJetton | null;
  /** Raw address. */
  readonly receiver: string;
}

export interface TraceTransfers {
  readonly transfers: ReceivedTransfer[];
  readonly otherTransfers: OtherTransfer[];
  readonly reference: string | null;
}

interface Read {
  /** Raw address of the sender. */
  from: string;
  amountAtomic: bigint;
  comment: string | null;
  at: number;
}

// A transaction with more transfers to one receiver is not a payment.
const maxTransfers = 64;

/**
 * Whether the trace paid an order, through any payment contract. The record of jettons may be in another trace, if
 * another account confirmed them. The claim is in the payer's trace.
 */
export const paysOrder = ({ transactions }: Trace): boolean =>
  transactions.some(({ opcode, isFailed }) => !isFailed && ofPayments.has(opcode));

const ofPayments: ReadonlySet<number | null> = new Set([tonPayOps.claim, tonPayOps.orderPaid]);

/** Whether the first transaction failed, or a message of the trace was returned. */
export const isReturned = ({ transactions }: Trace): boolean =>
  transactions[0]!.isFailed ||
  transactions.some(({ opcode, isBounced }) => isBounced || opcode === tonPayOps.returned);

/**
 * Returns the transfers of a complete trace. The amounts are read from the cells of the receiver's own transactions.
 */
export async function readTraceTransfers(
  node: Node,
  trace: Trace,
  wanted: WantedInTrace,
  { chain, jettons }: { chain: Chain; jettons: readonly ChainJetton[] },
): Promise<TraceTransfers> {
  const { jetton, receiver, txHash } = wanted;
  const wallet = jetton && (await jettonWalletAddress(jetton, receiver));
  const read = await readAt(node, trace, wallet ?? receiver, { isJetton: wallet !== null });
  const toTransfer = ({ from, amountAtomic, at }: Read): ReceivedTransfer => ({
    txHash,
    logIndex: at,
    from: canonicalOf(chain, from),
    amountAtomic,
  });
  const others = await readOthers(node, trace, { receiver, wallet, jettons });
  return {
    transfers: read.map(toTransfer),
    otherTransfers: others.map(({ tokenAddress, ...it }) => ({ ...toTransfer(it), tokenAddress })),
    reference: referenceIn(read, trace.transactions[0]!.account),
  };
}

/** Whether the account kept coins of any message except jetton notifications. */
export async function receivesCoins(node: Node, trace: Trace, account: string): Promise<boolean> {
  const isCandidate = (it: IndexedTransaction): boolean =>
    it.account === account && it.source !== null && it.opcode !== jettonOps.transferNotification;
  for (const indexed of trace.transactions.filter(isCandidate).slice(0, maxTransfers)) {
    const [transaction] = await node.chain(account, indexed, 1);
    if (transaction && (keptMessage(transaction)?.info.value.coins ?? 0n) > 0n) return true;
  }
  return false;
}

/** Returns the transfers of the trace to an account: a jetton wallet, or the receiver of coins. */
async function readAt(
  node: Node,
  trace: Trace,
  account: string,
  { isJetton, limit = maxTransfers }: { isJetton: boolean; limit?: number },
): Promise<Read[]> {
  const read: Read[] = [];
  const places = [...trace.transactions.entries()].filter(
    ([, indexed]) => indexed.account === account && mayTransfer(indexed, isJetton),
  );
  for (const [at, indexed] of places.slice(0, limit)) {
    const [transaction] = await node.chain(account, indexed, 1);
    const transfer = transaction && (isJetton ? readJettons(transaction) : readCoins(transaction));
    if (transfer) read.push({ ...transfer, at });
  }
  return read;
}

/**
 * Returns transfers of other jettons of the chain, and of coins if a jetton is wanted. Notifications from unknown
 * contracts are ignored, because they may be invented.
 */
async function readOthers(
  node: Node,
  trace: Trace,
  { receiver, wallet, jettons }: { receiver: string; wallet: string | null; jettons: readonly ChainJetton[] },
): Promise<(Read & { tokenAddress: string | null })[]> {
  const wallets = await Promise.all(
    jettons.map(async ({ token, jetton }) => ({
      account: await jettonWalletAddress(jetton, receiver),
      tokenAddress: token.address,
    })),
  );
  const coins = wallet === null ? [] : [{ account: receiver, tokenAddress: null }];
  const found: (Read & { tokenAddress: string | null })[] = [];
  for (const { account, tokenAddress } of [...coins, ...wallets.filter((it) => it.account !== wallet)]) {
    const limit = maxOtherTransfers - found.length;
    const read = await readAt(node, trace, account, { isJetton: tokenAddress !== null, limit });
    found.push(
      ...read
        .filter(({ from, amountAtomic }) => from !== receiver && amountAtomic > 0n)
        .map((it) => ({ ...it, tokenAddress })),
    );
  }
  return found;
}

function mayTransfer(
  { opcode, isFailed, isBounced, source }: IndexedTransaction,
  isJetton: boolean,
): boolean {
  if (isBounced || source === null) return false;
  // The transaction of an account without code fails, but the account keeps the coins.
  return isJetton ? opcode === jettonOps.internalTransfer && !isFailed : opcode === null || opcode === 0;
}

/** Returns an internal message with coins that did not bounce. */
function keptMessage({ parsed }: AccountTransaction) {
  const { inMessage, description } = parsed;
  if (inMessage?.info.type !== 'internal' || inMessage.info.bounced || description.type !== 'generic')
    return undefined;
  return description.bouncePhase?.type === 'ok' ? undefined : { info: inMessage.info, body: inMessage.body };
}

/** Returns coins without an operation. Coins that accompany a message of a contract do not count as a transfer. */
function readCoins(transaction: AccountTransaction): Omit<Read, 'at'> | undefined {
  const message = keptMessage(transaction);
  if (!message) return undefined;
  const body = message.body.beginParse();
  const comment = readComment(body.clone());
  if (body.remainingBits > 0 && comment === null) return undefined;
  return { from: message.info.src.toRawString(), amountAtomic: message.info.value.coins, comment };
}

function readJettons(transaction: AccountTransaction): Omit<Read, 'at'> | undefined {
  const receipt = readJettonReceipt(transaction);
  return receipt?.from ? { ...receipt, from: receipt.from } : undefined;
}

/**
 * Returns the id in the payer's comments. Only transfers of the signer count, and all of them must have the same id.
 */
function referenceIn(transfers: readonly Read[], signer: string): string | null {
  const named = new Set(
    transfers.map(({ from, comment }) => (from === signer && comment ? idNamedInMemo(comment) : undefined)),
  );
  const [only] = named;
  return named.size === 1 ? (only ?? null) : null;
}
