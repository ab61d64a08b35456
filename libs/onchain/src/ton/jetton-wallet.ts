import type { Builder } from '@ton/core';
import { createHash } from 'node:crypto';
import { loadTonCore } from './load';
import type { TonJetton } from './order';

/**
 * Returns the raw address of the owner's wallet, computed like in the payment contract. Before a jetton is accepted,
 * compare it once with the master's own `get_wallet_address`, because the jetton's description may be wrong.
 */
export async function jettonWalletAddress(jetton: TonJetton, owner: string): Promise<string> {
  const { Address, beginCell } = await loadTonCore();
  const content = beginCell()
    .storeUint(0, jetton.leadingZeroBits)
    .storeAddress(Address.parseRaw(owner))
    .storeAddress(Address.parseRaw(jetton.master));
  const codeHash = Buffer.from(jetton.walletCodeHash, 'hex');
  const dataHash = jetton.hasCodeRef
    ? hashWithRef(content, codeHash, jetton.walletCodeDepth)
    : content.endCell().hash();
  const dataDepth = jetton.hasCodeRef ? jetton.walletCodeDepth + 1 : 0;
  // Representation of a StateInit with code and data: two references, and five bits with their completion tag.
  const stateInit = Buffer.concat([
    Buffer.from([2, 1, 0x34]),
    twoBytes(jetton.walletCodeDepth),
    twoBytes(dataDepth),
    codeHash,
    dataHash,
  ]);
  return `0:${sha256(stateInit).toString('hex')}`;
}

/** Hash of a cell with this content and one reference. */
function hashWithRef(content: Builder, refHash: Buffer, refDepth: number): Buffer {
  const { bits } = content;
  const descriptor = Buffer.from([1, Math.floor(bits / 8) + Math.ceil(bits / 8)]);
  // A partial last byte is completed by a one and zeros.
  if (bits % 8 !== 0) content.storeUint(1 << (7 - (bits % 8)), 8 - (bits % 8));
  const bytes = content.asSlice().loadBuffer(Math.ceil(bits / 8));
  return sha256(Buffer.concat([descriptor, bytes, twoBytes(refDepth), refHash]));
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
