import { accountBytes, readNetwork } from '@tollbridge/nanopay-protocol';
import { createHash } from 'node:crypto';

/** The parts that a quote proves: key, deployment and nonce. */
export interface ReportDataParts {
  /** 64 hexadecimal digits. */
  teePublicKey: string;
  /** Any accepted notation of the network. */
  network: string;
  /** Raw form of the account: `workchain:hash`. */
  verifyingContract: string;
  keyEpoch: number;
  /** Hexadecimal digits of at most 64 bytes; null without a nonce. */
  nonce: string | null;
}

export const reportDataLength = 64;

const domain = Buffer.from('ton-nanopay-rd/1');

/** The 64 bytes of report data that the hardware signs together with its measurements. */
export function reportData(parts: ReportDataParts): Buffer {
  const network = readNetwork(parts.network);
  if (!network) throw new RangeError('not a network of TON');
  const globalId = Buffer.alloc(4);
  globalId.writeInt32BE(network.globalId);
  const epoch = Buffer.alloc(8);
  epoch.writeBigUInt64BE(BigInt(parts.keyEpoch));
  const identity = createHash('sha256')
    .update(domain)
    .update(Buffer.from(parts.teePublicKey, 'hex'))
    .update(globalId)
    .update(accountBytes(parts.verifyingContract))
    .update(epoch)
    .digest();
  const asked = parts.nonce === null ? Buffer.alloc(32) : hashOf(Buffer.from(parts.nonce, 'hex'));
  return Buffer.concat([identity, asked], reportDataLength);
}

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
