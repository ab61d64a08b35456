import { createHash } from 'node:crypto';
import { loadTonCore } from './load';
import type { TonJetton } from './order';

/**
 * Raw address of the owner's wallet, computed as the payment contract computes it. Compare it once with the master's own
 * `get_wallet_address` before a jetton is accepted: the description of the jetton may be wrong.
 */
export async function jettonWalletAddress(jetton: TonJetton, owner: string): Promise<string> {
  const { Address, beginCell } = await loadTonCore();
  const content = beginCell()
    .storeUint(0, jetton.leadingZeroBits)
    .storeAddress(Address.parseRaw(owner))
    .storeAddress(Address.parseRaw(jetton.master));
  const codeHash = Buffer.from(jetton.walletCodeHash, 'hex');
  const cell = content.endCell();
  const dataHash = jetton.hasCodeRef
    ? hashWithRef(cell.bits.toString(), cell.bits.length, codeHash, jetton.walletCodeDepth)
    : cell.hash();
  const dataDepth = jetton.hasCodeRef ? jetton.walletCodeDepth + 1 : 0;
  // Representation of a StateInit of code and data: two references, five bits with their completion tag.
  const stateInit = Buffer.concat([
    Buffer.from([2, 1, 0x34]),
    twoBytes(jetton.walletCodeDepth),
    twoBytes(dataDepth),
    codeHash,
    dataHash,
  ]);
  return `0:${sha256(stateInit).toString('hex')}`;
}

/** Hash of a cell with these bits (in TON's text form, completion tag included) and one reference. */
function hashWithRef(bits: string, length: number, refHash: Buffer, refDepth: number): Buffer {
  const text = bits.replace('_', '');
  const bytes = Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex');
  const descriptor = Buffer.from([1, Math.floor(length / 8) + Math.ceil(length / 8)]);
  return sha256(Buffer.concat([descriptor, bytes, twoBytes(refDepth), refHash]));
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
