import type { Cell } from '@ton/core';
import { tonPaymentCodeHash } from '../generated/ton-pay';
import { loadTonCore } from './load';
import { tonPayAddress, tonPayStateInit, type TonStateInit } from './pay';

export interface TonDeployment {
  /** Raw. */
  address: string;
  /** The form for wallets and explorers. */
  friendlyAddress: string;
  /** Hash of the contract's code, as explorers show it. */
  codeHash: string;
  init: TonStateInit;
  /** Nanotons that stay as the contract's rent; payments fill it up later. */
  valueNano: bigint;
  body: Cell;
  /** A link that wallets open: the wallet that approves it deploys the contract. */
  link: string;
}

// Twice what a payment fills it up to.
const deploymentNano = 100_000_000n;
const topUpOp = 0xd372158c;

/**
 * What deploys the payment contract: one message with its code, from any account. The address follows from the code, so
 * who sends it does not matter, and a second one only adds to the rent.
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
