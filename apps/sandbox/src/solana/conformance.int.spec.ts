import { describeChainAdapter, type ChainHarness } from '@tollbridge/chain-conformance';
import type { DirectOrder } from '@tollbridge/chain-port';
import { loadDirectChains, type Token } from '@tollbridge/chains';
import {
  compileMessage,
  createTokenAccountInstruction,
  signTransaction,
  splTokenProgram,
  systemProgram,
  tokenAccountAddress,
  type Instruction,
} from '@tollbridge/onchain/solana';
import { memoProgram, openSolanaAdapter, paymentInstructions, toSolanaOrder } from '@tollbridge/solana';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { payProgram, sandboxSolanaKey } from './genesis';
import { openSolanaHarness, SlotClock } from './testing/open-solana-harness';

const { address: payer, secretKey } = sandboxSolanaKey('payer');
const lookAlike = sandboxSolanaKey('look-alike').address;
// The rent-exempt minimum of an account without data, in lamports.
const newReceiverCoin = 890_880n;

const quiet = { warn: () => undefined };

describeChainAdapter('Solana', openLocalSolana);

async function openLocalSolana(): Promise<ChainHarness> {
  const clock = new SlotClock();
  const node = await openSolanaHarness(clock);
  const network = node.simulator.chain;
  const { adapter } = openSolanaAdapter(chainOf(node.rpcUrl, payProgram.address), console);
  // The code of the payment program at another address.
  const owner = 'BPFLoader2111111111111111111111111111111111';
  const { code: data, address } = payProgram;
  await network.setAccount(lookAlike, { lamports: 10n ** 9n, owner, data, executable: true });
  const { chain } = adapter;
  const mine = async (blocks: number): Promise<void> => {
    const slots = await network.slots();
    const last = slots.height(slots.at(clock.now())) + blocks;
    while (slots.height(slots.at(clock.now())) < last) clock.passSlot();
  };
  const send = async (wire: Uint8Array, skipsPreflight = false): Promise<string> => {
    const signature = await network.send(wire, skipsPreflight);
    await mine(1);
    return signature;
  };
  const sendAll = async (instructions: Instruction[], skipsPreflight = false): Promise<string> => {
    const slots = await network.slots();
    const { blockhash } = slots.block(await network.slot('confirmed'));
    return send(signTransaction(compileMessage(payer, instructions, blockhash), secretKey), skipsPreflight);
  };
  await mine(40);
  const pay = (order: DirectOrder, program = address) =>
    paymentInstructions(
      program,
      toSolanaOrder(order),
      payer,
      order.token.address === null ? null : splTokenProgram,
    );
  return {
    adapter,
    token: tokenOf(chain.tokens, 'USDC'),
    coin: tokenOf(chain.tokens, 'SOL'),
    payer,
    newReceiverCoin,
    newReceiver() {
      const receiver = Keypair.generate().publicKey.toBase58();
      // The network executes requests in order, so the receiver is funded before the next transaction.
      network.fund(receiver, newReceiverCoin).catch((error: unknown) => node.problems.push(error));
      return receiver;
    },
    unknownHash: '5'.repeat(87),
    pay: (order) => sendAll(pay(order)),
    sendCall: (call) => {
      if (call.family !== 'solana') throw new Error('a call of another family');
      const transaction = VersionedTransaction.deserialize(Buffer.from(call.transaction, 'base64'));
      transaction.sign([Keypair.fromSeed(secretKey)]);
      return send(transaction.serialize());
    },
    payAndFail: (order) => sendAll(pay({ ...order, expiresAtMs: 1_000 }), true),
    payLookAlike: (order) => sendAll(pay(order, lookAlike)),
    transfer: (receiver, amountAtomic, token, reference) =>
      sendAll(transferTo(receiver, amountAtomic, token, reference)),
    mine,
    nodeUrl: node.rpcUrl,
    adapterOver: (url) => openSolanaAdapter(chainOf(url, payProgram.address), quiet).adapter,
    async close() {
      expect(node.problems).toEqual([]);
      await node.close();
    },
  };
}

function chainOf(rpcUrl: string, payContract: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-conformance-'));
  const path = join(folder, 'chains.json');
  writeFileSync(path, JSON.stringify({ chains: [{ chain: 'solana', rpcUrls: [rpcUrl], payContract }] }));
  const [chain] = loadDirectChains(path, 'solana');
  rmSync(folder, { recursive: true });
  return chain!;
}

const tokenOf = (tokens: readonly Token[], symbol: string) => tokens.find((it) => it.symbol === symbol)!;

/** Returns a plain transfer as a wallet builds it, with a memo if a reference is given. */
function transferTo(
  receiver: string,
  amount: bigint,
  { address: mint }: Token,
  reference: string | undefined,
): Instruction[] {
  const memo = { programId: memoProgram, accounts: [], data: Buffer.from(reference ?? '') };
  const transfer = mint === null ? [coinTransfer(receiver, amount)] : tokenTransfer(receiver, amount, mint);
  return reference === undefined ? transfer : [memo, ...transfer];
}

const writable = (address: string, isSigner = false) => ({ address, isSigner, isWritable: true });

function coinTransfer(receiver: string, amount: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(amount, 4);
  return { programId: systemProgram, accounts: [writable(payer, true), writable(receiver)], data };
}

function tokenTransfer(receiver: string, amount: bigint, mint: string): Instruction[] {
  const accountOf = (owner: string) => tokenAccountAddress(owner, mint, splTokenProgram);
  const data = Buffer.alloc(10);
  data[0] = 12; // TransferChecked
  data.writeBigUInt64LE(amount, 1);
  data[9] = 6;
  const accounts = [
    writable(accountOf(payer)),
    { address: mint, isSigner: false, isWritable: false },
    writable(accountOf(receiver)),
    writable(payer, true),
  ];
  return [
    createTokenAccountInstruction(payer, receiver, mint),
    { programId: splTokenProgram, accounts, data },
  ];
}
