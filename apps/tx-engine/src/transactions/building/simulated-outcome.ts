// Verifies the simulated effects of a swap against its quote. Pure functions.
import type { SimulatedLog } from '@tollbridge/evm';
import type { RouteToken } from '@tollbridge/routing';
import { id, ZeroAddress } from 'ethers';
import { depositTopic, transferTopic } from '../../chains/erc20';
import type { GroupItem } from './plan-group';

/** The address that simulations use for logs of native coin transfers. */
const coinLogs = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const approvalTopic = id('Approval(address,address,uint256)');
const approvalForAllTopic = id('ApprovalForAll(address,address,bool)');
const transferSingleTopic = id('TransferSingle(address,address,address,uint256,uint256)');
const transferBatchTopic = id('TransferBatch(address,address,address,uint256[],uint256[])');

interface Transfer {
  token: string;
  from: string;
  to: string;
  amountAtomic: bigint;
}

/**
 * Returns the reason why the signer should not sign a swap that succeeds in simulation. The swap may spend more than
 * offered, leave an allowance, or deliver less than quoted on this chain. Only the simulation verifies the provider's
 * call data.
 */
export function brokenPromise(
  item: GroupItem,
  user: string,
  logs: readonly SimulatedLog[],
): string | undefined {
  const signer = user.toLowerCase();
  const transfers = logs.flatMap(transferOf);
  return (
    overtaken(item, signer, transfers) ??
    (logs.some((log) => leavesAllowance(log, item, signer))
      ? 'it would allow others to take tokens that were not offered'
      : undefined) ??
    missing(item, transfers, logs)
  );
}

function overtaken(item: GroupItem, signer: string, transfers: readonly Transfer[]): string | undefined {
  const offered = keyOf(item.from);
  const taken = new Map<string, bigint>();
  for (const { token, from, to, amountAtomic } of transfers) {
    if (from === signer) taken.set(token, (taken.get(token) ?? 0n) + amountAtomic);
    if (to === signer) taken.set(token, (taken.get(token) ?? 0n) - amountAtomic);
  }
  for (const [token, amountAtomic] of taken) {
    const most = token === offered ? item.amountInAtomic : 0n;
    if (amountAtomic > most) return `it would take ${amountAtomic} of ${token}, and ${most} were offered`;
  }
  return undefined;
}

/** Finds NFT transfers (ERC-721, ERC-1155) and allowances, which are not part of a swap. */
function leavesAllowance(
  { address, topics, data }: SimulatedLog,
  { from, swap }: GroupItem,
  signer: string,
): boolean {
  const [topic, first, second, third] = topics;
  const isOfSigner = addressIn(first) === signer;
  // ERC-721: the third topic is the token's id.
  if (topic === transferTopic) return isOfSigner && third !== undefined;
  if (topic === transferSingleTopic || topic === transferBatchTopic) return addressIn(second) === signer;
  if (topic === approvalForAllTopic) return isOfSigner && !isZero(data);
  if (topic !== approvalTopic || !isOfSigner) return false;
  // Many tokens log the remaining allowance after each use.
  const isUsedUp = address.toLowerCase() === keyOf(from) && addressIn(second) === swap.spender?.toLowerCase();
  const isNothing = third === undefined ? isZero(data) : addressIn(second) === ZeroAddress;
  return !isUsedUp && !isNothing;
}

function missing(
  { from, to, recipient, swap }: GroupItem,
  transfers: readonly Transfer[],
  logs: readonly SimulatedLog[],
): string | undefined {
  if (from.chain !== to.chain) return undefined;
  const [wanted, receiver] = [keyOf(to), recipient.toLowerCase()];
  const ofWanted = transfers.filter(({ token }) => token === wanted);
  const sum = (part: readonly Transfer[]) =>
    part.reduce((total, { amountAtomic }) => total + amountAtomic, 0n);
  const got =
    sum(ofWanted.filter((it) => it.to === receiver)) - sum(ofWanted.filter((it) => it.from === receiver));
  const brought = ofWanted.length > 0 ? got : wrapped(to, receiver, logs);
  const { minAmountOutAtomic } = swap.quote;
  if (brought >= minAmountOutAtomic) return undefined;
  return `it would deliver ${brought} of ${to.symbol}, less than the promised ${minAmountOutAtomic}`;
}

/** Sums wrapped coins. Most wrapped coins emit Deposit and no Transfer when they are minted. */
function wrapped(to: RouteToken, receiver: string, logs: readonly SimulatedLog[]): bigint {
  return logs
    .filter(({ address, topics }) => address.toLowerCase() === keyOf(to) && topics[0] === depositTopic)
    .filter(({ topics }) => addressIn(topics[1]) === receiver)
    .reduce((total, { data }) => total + amountIn(data), 0n);
}

function transferOf({ address, topics, data }: SimulatedLog): Transfer[] {
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
