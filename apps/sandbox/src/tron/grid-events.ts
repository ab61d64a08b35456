import { orderPaidTopic, tollbridgePayAbi } from '@tollbridge/onchain';
import { evmToTronAddress, type ExactJsonObject } from '@tollbridge/onchain/tron';
import { Interface, type LogDescription } from 'ethers';
import type { EvmLog } from './anvil-node';
import { blockTimeMs } from './blocks';
import { countIn, type Params } from './params';
import type { TronTransaction } from './transactions';
import type { TronChain } from './tron-chain';

const payments = new Interface(tollbridgePayAbi);
const tokenEvents = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);

export interface LoggedEvent {
  log: EvmLog;
  index: number;
  transaction: TronTransaction;
}

/** Returns an event in the format of TronGrid. @param solid height of the newest solid block */
export async function eventJson(
  chain: TronChain,
  { log, index, transaction }: LoggedEvent,
  solid: number,
): Promise<ExactJsonObject> {
  const block = await chain.node.block(transaction.height);
  const described = await describe(chain, log);
  const entries = described?.fragment.inputs.map((input, at) => ({
    input,
    value: valueJson(described.args[at]),
  }));
  const contract = evmToTronAddress(log.address);
  return {
    block_number: transaction.height,
    block_timestamp: blockTimeMs(block!),
    caller_contract_address: contract,
    contract_address: contract,
    event_index: index,
    event_name: described?.name,
    event: described && signatureOf(described),
    result:
      entries &&
      Object.fromEntries(
        entries.flatMap(({ input, value }, at) => [
          [String(at), value],
          [input.name, value],
        ]),
      ),
    result_type: entries && Object.fromEntries(entries.map(({ input }) => [input.name, input.type])),
    transaction_id: transaction.id,
    _unconfirmed: transaction.height > solid ? true : undefined,
  };
}

/** Parses a log with the ABI of the deployment, or else as an event of a payment or a token. */
async function describe(chain: TronChain, log: EvmLog): Promise<LogDescription | undefined> {
  const deployment = await chain.transactions.deploymentOf(evmToTronAddress(log.address));
  const known = log.topics[0] === orderPaidTopic ? payments : tokenEvents;
  for (const contract of [interfaceOf(deployment?.abi), known]) {
    const described = contract && readLog(contract, log);
    if (described) return described;
  }
  return undefined;
}

/** Whether an event matches the filters of a request. */
export function isWanted(event: ExactJsonObject, params: Params): boolean {
  const name = params['event_name'];
  const time = Number(event['block_timestamp']);
  const isConfirmed = event['_unconfirmed'] === undefined;
  return (
    (name === undefined || event['event_name'] === name) &&
    time >= countIn(params, 'min_block_timestamp', 0) &&
    time <= countIn(params, 'max_block_timestamp', Number.MAX_SAFE_INTEGER) &&
    countIn(params, 'block_number', Number(event['block_number'])) === event['block_number'] &&
    (String(params['only_confirmed']) !== 'true' || isConfirmed) &&
    (String(params['only_unconfirmed']) !== 'true' || !isConfirmed)
  );
}

/** Returns undefined without an ABI that ethers can parse. */
function interfaceOf(abi: unknown): Interface | undefined {
  const entries = Array.isArray(abi) ? abi : (abi as { entrys?: unknown[] } | null | undefined)?.entrys;
  if (!Array.isArray(entries)) return undefined;
  const lowerCase = (it: { type?: string }) => ({ ...it, type: String(it.type).toLowerCase() });
  return new Interface(entries.map(lowerCase).filter(({ type }) => type === 'event') as never[]);
}

function readLog(contract: Interface, log: EvmLog): LogDescription | undefined {
  try {
    return contract.parseLog(log) ?? undefined;
  } catch {
    return undefined;
  }
}

const signatureOf = ({ fragment }: LogDescription): string =>
  `${fragment.name}(${fragment.inputs.map(({ type, indexed, name }) => `${type}${indexed ? ' indexed' : ''} ${name}`).join(', ')})`;

/** Returns numbers as decimal text, bytes without `0x`, and addresses as `0x` and 20 bytes. */
function valueJson(value: unknown): string {
  const text = String(value);
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : text.replace(/^0x/, '');
}
