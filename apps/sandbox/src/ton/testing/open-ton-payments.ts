import type { ChainAdapter, DirectOrder, WalletCall } from '@tollbridge/chain-port';
import { loadDirectChains, type DirectChain } from '@tollbridge/chains';
import { tonCoinPayment, tonPayStateInit, type TonOrder } from '@tollbridge/onchain/ton';
import { ManualClock } from '@tollbridge/testing';
import { openTonAdapter } from '@tollbridge/ton/payments';
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  SendMode,
  type MessageRelaxed,
} from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tonAccounts } from '../accounts';
import { localTon } from '../local-ton';
import { openTonHarness, type TonHarness } from './open-ton-harness';

export interface TonPayments {
  harness: TonHarness;
  clock: ManualClock;
  chain: DirectChain;
  adapter: ChainAdapter;
  /** In canonical form. */
  payer: string;
  newReceiver(): string;
  /** Signs with the payer's wallet v4R2, and sends. Resolves with the hash of the transaction when it is in a block. */
  send(messages: readonly MessageRelaxed[]): Promise<string>;
  sendCall(call: WalletCall): Promise<string>;
  pay(order: DirectOrder): Promise<string>;
  transfer(
    receiver: string,
    amountAtomic: bigint,
    token: { address: string | null },
    text?: string,
  ): Promise<string>;
  /** Pays by another contract with the code of the payment contract. */
  payLookAlike(order: TonOrder): Promise<string>;
  mine(blocks: number): void;
  close(): Promise<void>;
}

/**
 * Opens the local network with the adapter on it and the payer's wallet of `@ton/ton`. Blocks are added only by `mine`.
 */
export async function openTonPayments(): Promise<TonPayments> {
  const clock = new ManualClock(Date.now());
  const harness = await openTonHarness(clock);
  const chain = await readChain(harness.rpcUrl);
  const { adapter } = openTonAdapter(chain, console);
  const client = new TonClient({ endpoint: harness.rpcUrl });
  const { publicKey, secretKey } = await mnemonicToPrivateKey(tonAccounts[0]!.mnemonic.split(' '));
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const mine = (blocks: number): void => void clock.advance(blocks * 1_000);

  const send = async (messages: readonly MessageRelaxed[]): Promise<string> => {
    const seqno = await wallet.getSeqno();
    const timeout = Math.floor(clock.now() / 1_000) + 60;
    await wallet.sendTransfer({
      seqno,
      secretKey,
      timeout,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [...messages],
    });
    await harness.simulator.chain.idle();
    mine(1);
    const newest = await client.getTransactions(wallet.address, { limit: 20 });
    return newest
      .find(({ inMessage }) => inMessage?.info.type === 'external-in')!
      .hash()
      .toString('hex');
  };
  const sendCall = (call: WalletCall): Promise<string> => {
    if (call.family !== 'ton') throw new Error('not a call of TON');
    return send(
      call.messages.map(({ address, amount, payload }) =>
        internal({
          to: Address.parse(address),
          // In TON Connect, the form of the address determines whether the message bounces.
          bounce: Address.parseFriendly(address).isBounceable,
          value: BigInt(amount),
          body: Cell.fromBase64(payload),
        }),
      ),
    );
  };
  const payer = wallet.address.toString({ bounceable: false });
  return {
    harness,
    clock,
    chain,
    adapter,
    payer,
    newReceiver: () => new Address(0, randomBytes(32)).toString({ bounceable: false }),
    send,
    sendCall,
    pay: async (order) => sendCall((await adapter.walletCall(order, payer))!),
    async transfer(receiver, amountAtomic, token, text) {
      const to = Address.parse(receiver);
      const body = text === undefined ? undefined : comment(text);
      if (token.address === null) return send([internal({ to, value: amountAtomic, bounce: false, body })]);
      const master = client.open(JettonMaster.create(Address.parse(token.address)));
      const jettonWallet = await master.getWalletAddress(wallet.address);
      const transfer = jettonTransfer({ to, amountAtomic, payload: body, response: wallet.address });
      return send([internal({ to: jettonWallet, value: 100_000_000n, body: transfer })]);
    },
    async payLookAlike(order) {
      const { code, data } = await tonPayStateInit();
      // An unreachable instruction changes the address, but not the behaviour.
      const init = { code: beginCell().storeSlice(code.beginParse()).storeUint(0, 8).endCell(), data };
      const { valueNano, body } = await tonCoinPayment(order);
      return send([internal({ to: contractAddress(0, init), value: valueNano, body, init })]);
    },
    mine,
    close: () => harness.close(),
  };
}

function jettonTransfer(terms: {
  to: Address;
  amountAtomic: bigint;
  payload: Cell | undefined;
  response: Address;
}): Cell {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(terms.amountAtomic)
    .storeAddress(terms.to)
    .storeAddress(terms.response)
    .storeBit(false)
    .storeCoins(1n)
    .storeMaybeRef(terms.payload ?? null)
    .endCell();
}

/** Returns the chain as services read it from `CHAINS_FILE`. */
async function readChain(rpcUrl: string): Promise<DirectChain> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-ton-'));
  try {
    const path = join(folder, 'chains.json');
    const entry = await localTon.entry(rpcUrl.replace('/toncenter/api/v2/jsonRPC', ''));
    writeFileSync(path, JSON.stringify({ chains: [entry] }));
    const [chain] = loadDirectChains(path, 'ton');
    return chain!;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
