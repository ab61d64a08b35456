import { UnreadableReply, readFields, readList } from '@tollbridge/http';
import { hexToTronAddress } from '@tollbridge/onchain/tron';

/**
 * Returns the accounts that received coins from contracts in a transaction, parsed from the answer of
 * `wallet/gettransactioninfobyid`. Returns null if the node lists no internal transactions, which many nodes do not
 * store. Addresses are base58.
 * @throws UnreadableReply
 */
export function readCoinReceivers(reply: unknown, txId: string): string[] | null {
  const info = readFields(reply, 'info');
  const { id, internal_transactions: list } = info;
  if (id === undefined || list === undefined) return null;
  if (id !== txId) throw new UnreadableReply('info.id is malformed');
  return readList(list, 'internal_transactions').flatMap(readReceiver);
}

function readReceiver(item: unknown): string[] {
  const fields = readFields(item, 'internal_transactions[]');
  const { rejected, transferTo_address: to, callValueInfo: values } = fields;
  const carriesCoins = readList(values ?? [], 'callValueInfo').some(isCoins);
  if (rejected === true || !carriesCoins) return [];
  if (typeof to !== 'string' || !/^41[0-9a-f]{40}$/i.test(to))
    throw new UnreadableReply('transferTo_address is malformed');
  return [hexToTronAddress(to)];
}

/** Excludes TRC-10 tokens, which have an id. */
function isCoins(value: unknown): boolean {
  const { callValue, tokenId } = readFields(value, 'callValueInfo[]');
  return typeof callValue === 'number' && callValue > 0 && tokenId === undefined;
}
