// The contract of the scheme `batch-settlement`: its calls, events and state.
import type { EvmLog, EvmReceipt, EvmRpc } from '@tollbridge/evm';
import { x402BatchSettlementAddress } from '@tollbridge/onchain';
import { Interface, TypedDataEncoder, type Result } from 'ethers';

export interface ChannelConfig {
  payer: string;
  payerAuthorizer: string;
  receiver: string;
  receiverAuthorizer: string;
  token: string;
  withdrawDelay: number;
  salt: string;
}

/** With the field names of the official packages in `extra`. Amounts are in the smallest unit. */
export interface ChannelState {
  channelId: string;
  balance: string;
  totalClaimed: string;
  /** In Unix seconds; 0 without a withdrawal by the payer. */
  withdrawRequestedAt: number;
  refundNonce: string;
}

const config =
  '(address payer, address payerAuthorizer, address receiver, address receiverAuthorizer, address token, uint40 withdrawDelay, bytes32 salt)';
const claims = `((${config} channel, uint128 maxClaimableAmount) voucher, bytes signature, uint128 totalClaimed)[]`;
const contract = new Interface([
  `function deposit(${config} config, uint128 amount, address collector, bytes collectorData)`,
  `function claimWithSignature(${claims} voucherClaims, bytes authorizerSignature)`,
  'function settle(address receiver, address token)',
  `function refundWithSignature(${config} config, uint128 amount, uint256 nonce, bytes signature)`,
  'function multicall(bytes[] data) returns (bytes[])',
  'function channels(bytes32) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32) view returns (uint256)',
  'function receivers(address, address) view returns (uint128 totalClaimed, uint128 totalSettled)',
  'event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance)',
  'event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount)',
  'event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount)',
]);

const address = x402BatchSettlementAddress;
const configTypes = {
  ChannelConfig: [
    { name: 'payer', type: 'address' },
    { name: 'payerAuthorizer', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'receiverAuthorizer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'withdrawDelay', type: 'uint40' },
    { name: 'salt', type: 'bytes32' },
  ],
};

/** @param network CAIP-2, on an EVM chain */
export function channelIdOf(network: string, channel: ChannelConfig): string {
  const chainId = network.slice('eip155:'.length);
  const domain = { name: 'x402 Batch Settlement', version: '1', chainId, verifyingContract: address };
  const lower = Object.fromEntries(
    Object.entries(channel).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toLowerCase() : (value as number),
    ]),
  );
  return TypedDataEncoder.hash(domain, configTypes, lower);
}

const unknownCall = (): Error => new Error('the call of a settlement is unknown');

/** The transaction of a settlement. */
export type ChannelCall =
  | { name: 'deposit' | 'refund'; channelId: string; payer: string }
  | { name: 'claim' }
  | { name: 'settle'; receiver: string; token: string };

/** @throws Error for a call that this deployment does not send */
export function readChannelCall(network: string, data: string): ChannelCall {
  const call = contract.parseTransaction({ data });
  if (!call) throw unknownCall();
  switch (call.name) {
    case 'deposit':
    case 'refundWithSignature': {
      const channel = (call.args[0] as Result).toObject() as unknown as ChannelConfig;
      const channelId = channelIdOf(network, { ...channel, withdrawDelay: Number(channel.withdrawDelay) });
      return {
        name: call.name === 'deposit' ? 'deposit' : 'refund',
        channelId,
        payer: channel.payer.toLowerCase(),
      };
    }
    case 'claimWithSignature':
      return { name: 'claim' };
    case 'settle':
      return { name: 'settle', receiver: call.args[0] as string, token: call.args[1] as string };
    // A claim, followed by the refund of the rest.
    case 'multicall':
      return readChannelCall(network, (call.args[0] as string[])[1]!);
    default:
      throw unknownCall();
  }
}

const topicOf = (event: string): string => contract.getEvent(event)!.topicHash;
const depositedTopic = topicOf('Deposited');
const refundedTopic = topicOf('Refunded');
const settledTopic = topicOf('Settled');

const eventTopics = { deposit: depositedTopic, refund: refundedTopic } as const;

/** The event filter for a deposit or refund. */
export const channelEvents = ({ name, channelId }: Extract<ChannelCall, { channelId: string }>) => ({
  address,
  topics: [eventTopics[name], channelId],
});

/** The amounts that a transaction has moved by equal calls. */
export function movedBy(call: ChannelCall, { logs }: EvmReceipt): bigint[] {
  if (call.name === 'claim') return [];
  const wanted =
    call.name === 'settle'
      ? [settledTopic, wordOf(call.receiver), wordOf(call.token)]
      : [eventTopics[call.name], call.channelId];
  return logs.filter((log) => isEvent(log, wanted)).map(({ data }) => BigInt(data.slice(0, 66)));
}

const isEvent = (log: EvmLog, wanted: readonly string[]): boolean =>
  log.address.toLowerCase() === address.toLowerCase() &&
  wanted.every((topic, at) => log.topics[at]?.toLowerCase() === topic);

const wordOf = (account: string): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`;

/** @param at the height; by default the newest block. @throws RpcError */
export async function readChannelState(rpc: EvmRpc, channelId: string, at?: number): Promise<ChannelState> {
  const read = (name: string) => readView(rpc, name, [channelId], at);
  const [funds, withdrawal, nonce] = await Promise.all(
    ['channels', 'pendingWithdrawals', 'refundNonce'].map(read),
  );
  return {
    channelId,
    balance: String(funds![0]),
    totalClaimed: String(funds![1]),
    withdrawRequestedAt: Number(withdrawal![1]),
    refundNonce: String(nonce![0]),
  };
}

/** Reads the claimed total of each channel from the chain. @throws RpcError */
export async function readClaimedTotals(rpc: EvmRpc, channelIds: readonly string[]): Promise<bigint[]> {
  const states = await Promise.all(channelIds.map((id) => readView(rpc, 'channels', [id])));
  return states.map(([, totalClaimed]) => totalClaimed as bigint);
}

/** Reads the amount that a seller has claimed and not settled yet. @throws RpcError */
export async function readOwed(
  rpc: EvmRpc,
  receiver: string,
  token: string,
): Promise<{ owedAtomic: bigint; settledAtomic: bigint }> {
  const [claimed, settled] = (await readView(rpc, 'receivers', [receiver, token])) as unknown as [
    bigint,
    bigint,
  ];
  return { owedAtomic: claimed - settled, settledAtomic: settled };
}

async function readView(rpc: EvmRpc, name: string, args: readonly string[], at?: number): Promise<Result> {
  const data = contract.encodeFunctionData(name, args);
  const returned = await rpc.ethCall({ to: address, data }, at);
  return contract.decodeFunctionResult(name, returned);
}
