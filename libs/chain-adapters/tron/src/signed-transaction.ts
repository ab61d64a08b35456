import { UnreadableReply, readFields } from '@tollbridge/http';
import {
  bytesField,
  decodeMessage,
  hexToTronAddress,
  numberField,
  tronTxId,
  type ProtobufMessage,
} from '@tollbridge/onchain/tron';

// A signed transaction has at most 500 KB.
const maxHexDigits = 1_024 * 1_024;
const kinds: Readonly<Record<string, 'transfer' | 'call'>> = { '1': 'transfer', '31': 'call' };

/** A transfer of coins to an account, or a call of a contract. Addresses are base58. */
export interface SignedAction {
  kind: 'transfer' | 'call';
  owner: string;
  to: string;
  /** In sun. */
  valueAtomic: bigint;
  /** Calldata without `0x`; empty for a transfer. */
  data: string;
}

export interface SignedTransaction {
  /** Null for other kinds of transactions. */
  action: SignedAction | null;
  /** The memo, decoded as UTF-8. */
  memo: string;
}

/**
 * Parses the answer of `wallet/gettransactionbyid`; null if the node does not have the transaction. Only the signed
 * bytes are parsed. Their hash is the id, so a node cannot invent their content.
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

/** Parses the signed bytes. Anything can be signed, so unsupported bytes have no action. */
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
