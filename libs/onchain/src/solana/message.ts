import { ed25519 } from '@noble/curves/ed25519';
import { concatBytes } from '@noble/hashes/utils';
import { addressFromBytes, addressToBytes } from './keys';
import type { Instruction } from './instructions';

/** The maximum size of a transaction. */
export const maxTransactionBytes = 1232;

interface MessageAccount {
  readonly address: string;
  isSigner: boolean;
  isWritable: boolean;
}

/**
 * Encodes a message of the legacy format, which every wallet can sign.
 * @param blockhash a recent blockhash; the cluster accepts the transaction for about a minute after it
 */
export function compileMessage(
  payer: string,
  instructions: readonly Instruction[],
  blockhash: string,
): Uint8Array {
  const accounts = sortedAccounts(payer, instructions);
  const signers = accounts.filter(({ isSigner }) => isSigner);
  const count = (wanted: (account: MessageAccount) => boolean) => accounts.filter(wanted).length;
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]));
  const indexOf = (address: string) => indexes.get(address)!;
  return concatBytes(
    Uint8Array.of(
      signers.length,
      count(({ isSigner, isWritable }) => isSigner && !isWritable),
      count(({ isSigner, isWritable }) => !isSigner && !isWritable),
    ),
    list(accounts.map(({ address }) => addressToBytes(address))),
    addressToBytes(blockhash),
    list(
      instructions.map(({ programId, accounts: used, data }) =>
        concatBytes(
          Uint8Array.of(indexOf(programId)),
          list(used.map(({ address }) => Uint8Array.of(indexOf(address)))),
          length(data.length),
          data,
        ),
      ),
    ),
  );
}

/** The transaction with an empty signature in each place. Wallets expect this form. */
export function unsignedTransaction(message: Uint8Array): Uint8Array {
  const count = message[0]!;
  return concatBytes(length(count), new Uint8Array(64 * count), message);
}

/**
 * Returns the transaction signed by the payer, who must be the only signer of the message.
 * @param secretKey 32 bytes
 */
export function signTransaction(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  if (message[0] !== 1) throw new Error(`The message needs ${message[0]} signatures, not one`);
  return concatBytes(length(1), ed25519.sign(message, secretKey), message);
}

/** Returns the message of a transaction. `wire` is a transaction that `parseTransaction` accepts. */
export const messageOf = (wire: Uint8Array): Uint8Array => wire.subarray(1 + 64 * wire[0]!);

/**
 * Adds the fee payer's signature to a transaction that the other signers have signed. The fee payer is the first
 * signer.
 * @param wire a transaction that `parseTransaction` accepts
 * @param secretKey 32 bytes
 */
export function signAsFeePayer(
  wire: Uint8Array,
  secretKey: Uint8Array,
): { wire: Uint8Array; signature: Uint8Array } {
  const signature = ed25519.sign(messageOf(wire), secretKey);
  return { wire: concatBytes(wire.subarray(0, 1), signature, wire.subarray(65)), signature };
}

/** Returns the address of a 32-byte secret key. */
export const addressOfKey = (secretKey: Uint8Array): string =>
  addressFromBytes(ed25519.getPublicKey(secretKey));

/**
 * Lists each account once with the combined rights of all instructions. Signers come first, and writable accounts
 * before read-only ones.
 */
function sortedAccounts(payer: string, instructions: readonly Instruction[]): MessageAccount[] {
  const found = new Map<string, MessageAccount>([
    [payer, { address: payer, isSigner: true, isWritable: true }],
  ]);
  for (const { programId, accounts } of instructions)
    for (const wanted of [...accounts, { address: programId, isSigner: false, isWritable: false }]) {
      const known = found.get(wanted.address);
      if (known) {
        known.isSigner ||= wanted.isSigner;
        known.isWritable ||= wanted.isWritable;
      } else {
        found.set(wanted.address, { ...wanted });
      }
    }
  const rank = ({ isSigner, isWritable }: MessageAccount) => (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
  return [...found.values()].sort((one, other) => rank(one) - rank(other));
}

const list = (items: readonly Uint8Array[]) => concatBytes(length(items.length), ...items);

/** Encodes a length in Solana's compact form: seven bits per byte, lowest bits first. */
function length(value: number): Uint8Array {
  const bytes = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
