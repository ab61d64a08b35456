// What a swap does when it is tried on the chain, held against what it promises. Pure.
import type { SimulatedLog } from '@tollbridge/evm';
import type { RouteToken } from '@tollbridge/routing';
import { id, ZeroAddress } from 'ethers';
import { depositTopic, transferTopic } from '../chains/erc20';
import type { GroupItem } from './plan-group';

/** Under this address simulations tell of coins that move, in the form of a token's transfers. */
const coinLogs = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const approvalTopic = id('Approval(address,address,uint256)');
const approvalForAllTopic = id('ApprovalForAll(address,address,bool)');
const transferSingleTopic = id('TransferSingle(address,address,address,uint256,uint256)');
const transferBatchTopic = id('TransferBatch(address,address,address,uint256[],uint256[])');

interface Move {
  token: string;
  from: string;
  to: string;
  amountAtomic: bigint;
}

/**
 * Why the signer should not sign a swap that succeeds when it is tried: it takes what he did not offer, lets others take
 * it later, or, where it ends on this chain, brings less than was promised. Its call data is written by others, and
 * whether it does what they say shows nowhere else.
 */
export function brokenPromise(
  item: GroupItem,
  user: string,
  logs: readonly SimulatedLog[],
): string | undefined {
  const signer = user.toLowerCase();
  const moves = logs.flatMap(moveOf);
  return (
    takenBeyond(item, signer, moves) ??
    (logs.some((log) => givesAway(log, item, signer))
      ? 'it would let others take what was not offered'
      : undefined) ??
    missing(item, moves, logs)
  );
}

function takenBeyond(item: GroupItem, signer: string, moves: readonly Move[]): string | undefined {
  const offered = keyOf(item.from);
  const taken = new Map<string, bigint>();
  for (const { token, from, to, amountAtomic } of moves) {
    if (from === signer) taken.set(token, (taken.get(token) ?? 0n) + amountAtomic);
    if (to === signer) taken.set(token, (taken.get(token) ?? 0n) - amountAtomic);
  }
  for (const [token, amountAtomic] of taken) {
    const most = token === offered ? item.amountInAtomic : 0n;
    if (amountAtomic > most) return `it would take ${amountAtomic} of ${token}, and ${most} were offered`;
  }
  return undefined;
}

/** Tokens that cannot be counted in amounts, and allowances: none of them is part of a swap. */
function givesAway(
  { address, topics, data }: SimulatedLog,
  { from, swap }: GroupItem,
  signer: string,
): boolean {
  const [topic, first, second, third] = topics;
  const isOfSigner = addressIn(first) === signer;
  // What comes one by one, and has a number for that.
  if (topic === transferTopic) return isOfSigner && third !== undefined;
  if (topic === transferSingleTopic || topic === transferBatchTopic) return addressIn(second) === signer;
  if (topic === approvalForAllTopic) return isOfSigner && !isZero(data);
  if (topic !== approvalTopic || !isOfSigner) return false;
  // Many tokens tell what is left of an allowance whenever some of it is used.
  const isUsedUp = address.toLowerCase() === keyOf(from) && addressIn(second) === swap.spender?.toLowerCase();
  const isNothing = third === undefined ? isZero(data) : addressIn(second) === ZeroAddress;
  return !isUsedUp && !isNothing;
}

function missing(
  { from, to, recipient, swap }: GroupItem,
  moves: readonly Move[],
  logs: readonly SimulatedLog[],
): string | undefined {
  if (from.chain !== to.chain) return undefined;
  const [wanted, receiver] = [keyOf(to), recipient.toLowerCase()];
  const ofWanted = moves.filter(({ token }) => token === wanted);
  const sum = (part: readonly Move[]) => part.reduce((total, { amountAtomic }) => total + amountAtomic, 0n);
  const got =
    sum(ofWanted.filter((move) => move.to === receiver)) -
    sum(ofWanted.filter((move) => move.from === receiver));
  const brought = ofWanted.length > 0 ? got : wrapped(to, receiver, logs);
  const { minAmountOutAtomic } = swap.quote;
  if (brought >= minAmountOutAtomic) return undefined;
  return `it would deliver ${brought} of ${to.symbol}, less than the promised ${minAmountOutAtomic}`;
}

/** Most wrapped coins tell of no transfer when they are made. */
function wrapped(to: RouteToken, receiver: string, logs: readonly SimulatedLog[]): bigint {
  return logs
    .filter(({ address, topics }) => address.toLowerCase() === keyOf(to) && topics[0] === depositTopic)
    .filter(({ topics }) => addressIn(topics[1]) === receiver)
    .reduce((total, { data }) => total + amountIn(data), 0n);
}

function moveOf({ address, topics, data }: SimulatedLog): Move[] {
  const [topic, from, to, more] = topics;
  if (topic !== transferTopic || from === undefined || to === undefined || more !== undefined) return [];
  return [
    { token: address.toLowerCase(), from: addressIn(from), to: addressIn(to), amountAtomic: amountIn(data) },
  ];
}

const keyOf = ({ address }: RouteToken): string => address?.toLowerCase() ?? coinLogs;
const addressIn = (topic = ''): string => `0x${topic.slice(-40).toLowerCase()}`;
const isZero = (data: string): boolean => /^0x0*$/.test(data);
const amountIn = (data: string): bigint => (data.length === 66 ? BigInt(data) : 0n);
