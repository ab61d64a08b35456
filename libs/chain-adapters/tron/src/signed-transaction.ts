import { UnreadableReply, readFields } from '@tollbridge/http';
import {
  bytesField,
  decodeMessage,
  hexToTronAddress,
  numberField,
  tronTxId,
  type ProtobufMessage,
} from '@tollbridge/onchain/tron';

// A signed transaction has 500 KB at most.
const maxHexDigits = 1_024 * 1_024;
const kinds: Readonly<Record<string, 'transfer' | 'call'>> = { '1': 'transfer', '31': 'call' };

/** A transfer of coins to an account, or a call of a contract. Addresses are base58. */
export interface SignedAction {
  kind: 'transfer' | 'call';
  owner: string;
  to: string;
  /** Sun. */
  valueAtomic: bigint;
  /** Calldata without `0x`; empty for a transfer. */
  data: string;
}

export interface SignedTransaction {
  /** Null for the other kinds of transactions. */
  action: SignedAction | null;
  /** The memo, if it is text. */
  memo: string;
}

/**
 * The transaction of `wallet/gettransactionbyid`; null when the node does not have it. Only the bytes that were signed
 * are read: the id is their hash, so no node can show another content.
 * @throws UnreadableReply
 */
export function readSignedTransaction(reply: unknown, txId: string): SignedTransaction | null {
  const transaction = readFields(reply, 'transaction');
  if (transaction['txID'] === undefined && transaction['raw_data_hex'] === undefined) return null;
  const hex = transaction['raw_data_hex'];
  if (typeof hex !== 'string' || hex.length > maxHexDigits || !/^([0-9a-f]{2})+$/i.test(hex))
    throw new UnreadableReply('raw_data_hex is malformed');
  const bytes = Buffer.from(hex, 'hex');
  if (tronTxId(bytes) !== txId) throw new UnreadableReply('raw_data_hex is malformed');
  return readSignedBytes(bytes);
}

/** Anything can be signed: bytes that are not understood have no action. */
function readSignedBytes(bytes: Uint8Array): SignedTransaction {
  try {
    const raw = decodeMessage(bytes);
    return { action: readAction(raw), memo: Buffer.from(bytesField(raw, 10)).toString() };
  } catch {
    return { action: null, memo: '' };
  }
}

function readAction(raw: ProtobufMessage): SignedAction | null {
  if (raw.get(11)?.length !== 1) return null;
  const contract = decodeMessage(bytesField(raw, 11));
  const kind = kinds[String(numberField(contract, 1))];
  if (!kind) return null;
  const fields = decodeMessage(bytesField(decodeMessage(bytesField(contract, 2)), 2));
  const address = (field: number) => hexToTronAddress(Buffer.from(bytesField(fields, field)).toString('hex'));
  return {
    kind,
    owner: address(1),
    to: address(2),
    valueAtomic: numberField(fields, 3),
    data: kind === 'call' ? Buffer.from(bytesField(fields, 4)).toString('hex') : '',
  };
}
