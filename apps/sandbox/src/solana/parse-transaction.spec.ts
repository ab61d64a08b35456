import {
  compileMessage,
  createTokenAccountInstruction,
  MalformedTransaction,
  parseTransaction,
  signTransaction,
} from '@tollbridge/onchain/solana';
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { genesisTokens, sandboxSolanaKey } from './genesis';
import { toErrorJson } from './runtime-error';
import { Slots } from './slots';
import { Svm } from './svm';

const payer = sandboxSolanaKey('payer');
const wallet = Keypair.fromSeed(payer.secretKey);
const blockhash = sandboxSolanaKey('blockhash').address;
const legacy = signTransaction(
  compileMessage(
    payer.address,
    [createTokenAccountInstruction(payer.address, payer.address, genesisTokens[0]!.mint)],
    blockhash,
  ),
  payer.secretKey,
);
const table = new PublicKey(sandboxSolanaKey('table').address);
const inTable = new PublicKey(sandboxSolanaKey('in the table').address);

function versioned(): Uint8Array {
  const lookup = new AddressLookupTableAccount({
    key: table,
    state: {
      addresses: [inTable],
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
    },
  });
  const instructions = [
    SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: inTable, lamports: 1 }),
  ];
  const message = new TransactionMessage({
    payerKey: wallet.publicKey,
    recentBlockhash: blockhash,
    instructions,
  });
  const transaction = new VersionedTransaction(message.compileToV0Message([lookup]));
  transaction.sign([wallet]);
  return transaction.serialize();
}

describe('parseTransaction', () => {
  it('reads a legacy transaction', () => {
    const parsed = parseTransaction(legacy);
    expect(parsed).toMatchObject({ version: 'legacy', numRequiredSignatures: 1, recentBlockhash: blockhash });
    expect(parsed.accountKeys[0]).toBe(payer.address);
    expect(parsed.instructions[0]!.data).toEqual(Uint8Array.of(1));
  });

  it('reads a versioned transaction with a lookup table', () => {
    expect(parseTransaction(versioned())).toMatchObject({
      version: 0,
      lookups: [{ accountKey: table.toBase58(), writableIndexes: [0], readonlyIndexes: [] }],
    });
  });

  it('rejects every truncation, and trailing bytes', () => {
    for (const wire of [legacy, versioned()]) {
      for (let length = 0; length < wire.length; length++)
        expect(() => parseTransaction(wire.subarray(0, length))).toThrow(MalformedTransaction);
      expect(() => parseTransaction(Uint8Array.from([...wire, 0]))).toThrow('bytes are left over');
    }
    expect(() => parseTransaction(new Uint8Array(1_233))).toThrow('too large');
  });

  it('accepts only transactions that the runtime can decode', () => {
    const svm = new Svm();
    let [seed, accepted] = [7, 0];
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 4_000; round++) {
      const wire = Uint8Array.from(round % 2 === 0 ? legacy : versionedOnce);
      for (let changes = 1 + random(3); changes > 0; changes--) {
        // After the signature and outside the keys, most bytes are lengths and indexes.
        const at = random(2) === 0 ? random(wire.length) : wire.length - 1 - random(60);
        wire[at] = random(4) === 0 ? 0x80 + random(4) : random(256);
      }
      try {
        parseTransaction(wire);
      } catch {
        continue;
      }
      accepted++;
      // The runtime ends the process when it cannot decode a transaction.
      expect(svm.simulate(wire, false).err).not.toBeNull();
    }
    expect(accepted).toBeGreaterThan(500);
  });
});

const versionedOnce = versioned();

describe('toErrorJson', () => {
  it.each([
    ['AccountNotFound', 'AccountNotFound'],
    ['InstructionError(0, Custom(1))', { InstructionError: [0, { Custom: 1 }] }],
    ['InstructionError(2, InvalidArgument)', { InstructionError: [2, 'InvalidArgument'] }],
    ['DuplicateInstruction(3)', { DuplicateInstruction: 3 }],
    ['InsufficientFundsForRent { account_index: 1 }', { InsufficientFundsForRent: { account_index: 1 } }],
  ])('converts %s to the JSON of a node', (debug, json) => {
    expect(toErrorJson(debug)).toEqual(json);
  });
});

describe('Slots', () => {
  const slots = new Slots(1_000_000);

  it('creates a block in 15 of 16 slots, each linked to the previous block', () => {
    let previous = slots.block(0);
    let height = 0;
    for (let slot = 1; slot < 200; slot++) {
      if (!slots.hasBlock(slot)) continue;
      const block = slots.block(slot);
      expect(block).toMatchObject({ previousBlockhash: previous.blockhash, parentSlot: previous.slot });
      expect(block.blockHeight).toBe(++height);
      previous = block;
    }
    expect(height).toBe(186);
  });

  it('finalizes a block with 31 slots after it', () => {
    for (let slot = 0; slot < 100; slot++) {
      const head = slots.lastBlockUpTo(slot);
      const final = slots.finalAt(head);
      expect(slots.hasBlock(final)).toBe(true);
      expect(final).toBeGreaterThanOrEqual(Math.max(0, head - 31));
      expect(final).toBeLessThanOrEqual(Math.max(0, head - 30));
    }
  });

  it('accepts a blockhash for 150 blocks', () => {
    const { blockhash: old } = slots.block(100);
    const atHeight = (height: number) => {
      let slot = 0;
      while (slots.height(slot) < height || !slots.hasBlock(slot)) slot++;
      return slot;
    };
    const last = slots.lastValidBlockHeight(100);
    expect(slots.isRecent(old, 100)).toBe(true);
    expect(slots.isRecent(old, atHeight(last))).toBe(true);
    expect(slots.isRecent(old, atHeight(last + 1))).toBe(false);
    expect(slots.isRecent(old, 99)).toBe(false);
  });
});
