import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairFromBytes,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Address,
  type Instruction,
} from '@solana/kit';
import { callOf, type NetworkAccount, type NetworkToken, type NetworkWallet } from './network-wallet';

const systemProgram = address('11111111111111111111111111111111');
const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const accountsProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

type Transaction = Parameters<typeof signTransaction>[1];

export async function openSolanaWallet({
  rpcUrl,
  privateKey,
  ...account
}: NetworkAccount): Promise<NetworkWallet> {
  const keys = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey));
  const rpc = createSolanaRpc(rpcUrl);
  const own = address(account.address);
  const send = async (transaction: Transaction): Promise<string> => {
    const wire = getBase64EncodedWireTransaction(await signTransaction([keys], transaction));
    return rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
  };
  return {
    pay: (call) => {
      const { transaction } = callOf(call, 'solana');
      return send(getTransactionDecoder().decode(getBase64Encoder().encode(transaction)));
    },
    transfer: async (token, to, amountAtomic) => {
      const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      const instructions = await transferInstructions(own, token, address(to), amountAtomic);
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (it) => setTransactionMessageFeePayer(own, it),
        (it) => setTransactionMessageLifetimeUsingBlockhash(lifetime, it),
        (it) => appendTransactionMessageInstructions(instructions, it),
      );
      return send(compileTransaction(message));
    },
  };
}

/** Returns a signer for payments of the x402 scheme `exact`. */
export const solanaSigner = ({ privateKey }: NetworkAccount) =>
  createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey));

async function transferInstructions(
  from: Address,
  { address: mint, decimals }: NetworkToken,
  to: Address,
  amount: bigint,
): Promise<Instruction[]> {
  if (mint === null)
    return [
      {
        programAddress: systemProgram,
        accounts: [
          { address: from, role: AccountRole.WRITABLE_SIGNER },
          { address: to, role: AccountRole.WRITABLE },
        ],
        data: bytes([2, 4], [amount, 8]),
      },
    ];
  const [source, destination] = await Promise.all([from, to].map((owner) => accountOf(owner, address(mint))));
  return [
    {
      // Creates the receiver's token account if it does not exist.
      programAddress: accountsProgram,
      accounts: [
        { address: from, role: AccountRole.WRITABLE_SIGNER },
        { address: destination!, role: AccountRole.WRITABLE },
        { address: to, role: AccountRole.READONLY },
        { address: address(mint), role: AccountRole.READONLY },
        { address: systemProgram, role: AccountRole.READONLY },
        { address: tokenProgram, role: AccountRole.READONLY },
      ],
      data: bytes([1, 1]),
    },
    {
      // The instruction TransferChecked.
      programAddress: tokenProgram,
      accounts: [
        { address: source!, role: AccountRole.WRITABLE },
        { address: address(mint), role: AccountRole.READONLY },
        { address: destination!, role: AccountRole.WRITABLE },
        { address: from, role: AccountRole.READONLY_SIGNER },
      ],
      data: bytes([12, 1], [amount, 8], [decimals, 1]),
    },
  ];
}

/** Returns the token account of a wallet. */
async function accountOf(owner: Address, mint: Address): Promise<Address> {
  const encoder = getAddressEncoder();
  const seeds = [owner, tokenProgram, mint].map((each) => encoder.encode(each));
  const [found] = await getProgramDerivedAddress({ programAddress: accountsProgram, seeds });
  return found;
}

/** Encodes little-endian numbers, each with its length in bytes. */
function bytes(...numbers: [value: number | bigint, length: number][]): Uint8Array {
  const parts = numbers.map(([value, length]) => {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    return part.subarray(0, length);
  });
  return Uint8Array.from(Buffer.concat(parts));
}
