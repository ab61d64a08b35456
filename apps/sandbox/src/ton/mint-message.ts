import { jettonOps } from '@tollbridge/ton';
import type { Address, MessageRelaxed } from '@ton/core';

export interface Minted {
  minter: Address;
  admin: Address;
  to: Address;
  amountAtomic: bigint;
  /** The sender in the notification of the recipient; null for a mint without a notification. */
  sender: Address | null;
}

// Covers the fees of minting, deployment and notification. The remainder is returned.
const [mintNano, deliveredNano, forwardNano] = [300_000_000n, 200_000_000n, 50_000_000n];
const mintOp = 21;

/** Returns the admin's message to the minter that mints jettons. */
export function mintMessage(
  { beginCell, internal }: typeof import('@ton/core'),
  { minter, admin, to, amountAtomic, sender }: Minted,
): MessageRelaxed {
  const transfer = beginCell()
    .storeUint(jettonOps.internalTransfer, 32)
    .storeUint(0, 64)
    .storeCoins(amountAtomic)
    .storeAddress(sender)
    .storeAddress(admin)
    .storeCoins(sender ? forwardNano : 0n)
    .storeBit(false)
    .endCell();
  const body = beginCell()
    .storeUint(mintOp, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(deliveredNano)
    .storeRef(transfer)
    .endCell();
  return internal({ to: minter, value: mintNano, body });
}
