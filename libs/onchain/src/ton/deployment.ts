import type { Cell } from '@ton/core';
import { tonPaymentCodeHash } from '../generated/ton-pay';
import { loadTonCore } from './load';
import { tonPayAddress, tonPayStateInit, type TonStateInit } from './pay';

export interface TonDeployment {
  /** Raw form. */
  address: string;
  /** Form for wallets and explorers. */
  friendlyAddress: string;
  /** Hash of the contract's code in the form that explorers show. */
  codeHash: string;
  init: TonStateInit;
  /** Nanotons that stay in the contract for its rent. Payments refill them later. */
  valueNano: bigint;
  body: Cell;
  /** A link for wallets. The wallet that approves it deploys the contract. */
  link: string;
}

// Twice the balance that a payment refills the contract to.
const deploymentNano = 100_000_000n;
const topUpOp = 0xd372158c;

/**
 * Returns the message that deploys the payment contract with its code. Any account may send it, because the address
 * depends only on the code. A second message only adds to the rent.
 */
export async function tonDeployment(): Promise<TonDeployment> {
  const { Address, beginCell, storeStateInit } = await loadTonCore();
  const [address, init] = [await tonPayAddress(), await tonPayStateInit()];
  const body = beginCell().storeUint(topUpOp, 32).storeUint(0, 64).endCell();
  const friendlyAddress = Address.parseRaw(address).toString();
  const boc = (cell: Cell): string => cell.toBoc().toString('base64url');
  const initCell = beginCell().store(storeStateInit(init)).endCell();
  const query = `amount=${deploymentNano}&bin=${boc(body)}&init=${boc(initCell)}`;
  return {
    address,
    friendlyAddress,
    codeHash: tonPaymentCodeHash,
    init,
    valueNano: deploymentNano,
    body,
    link: `ton://transfer/${friendlyAddress}?${query}`,
  };
}
