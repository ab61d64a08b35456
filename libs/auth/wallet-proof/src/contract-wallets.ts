import type { EvmRpc } from '@tollbridge/evm';
import { walletSignatureCheckCreationCode } from '@tollbridge/onchain';
import { AbiCoder, dataLength, dataSlice, id, ZeroAddress } from 'ethers';

export interface ContractProof {
  wallet: string;
  chainId: number;
  digest: string;
  signature: string;
}

/** The chain could not be read, so the proof is neither valid nor invalid. */
export class ProofUncheckable extends Error {}

// ERC-6492: a signature of a wallet that may not be deployed ends with these bytes.
const undeployedMark = '0x6492649264926492649264926492649264926492649264926492649264926492';
const markLength = 32;
// The deployment of a wallet uses half a million gas. A passkey verification without a precompile uses about one
// million.
const gasLimit = '0x989680';
// An unused address. Some wallets treat calls from address 0, the default, as simulations, and accept every signature
// then.
const caller = dataSlice(id('tollbridge wallet signature check'), 12);
const mostAtOnce = 16;
const timeoutMs = 8_000;
const verdicts: Readonly<Record<string, boolean>> = { 0: false, 1: false, 2: true };

/** Verifies signatures of contract wallets with a read-only call, whether deployed (ERC-1271) or not (ERC-6492). */
export class ContractWallets {
  private running = 0;

  /** @param rpcs RPC clients by chain id */
  constructor(private readonly rpcs: ReadonlyMap<number, Pick<EvmRpc, 'call'>>) {}

  knows(chainId: number): boolean {
    return this.rpcs.has(chainId);
  }

  /** Whether the wallet accepts the signature. @throws ProofUncheckable when the chain cannot be read at present */
  async accepts({ wallet, chainId, digest, signature }: ContractProof): Promise<boolean> {
    const parts = unwrap(signature);
    if (!parts) return false;
    const question = AbiCoder.defaultAbiCoder().encode(
      ['address', 'bytes32', 'bytes', 'address', 'bytes'],
      [wallet, digest, parts.signature, parts.factory, parts.factoryCall],
    );
    const data = walletSignatureCheckCreationCode + question.slice(2);
    if (this.running >= mostAtOnce) throw new ProofUncheckable('too many contract wallets are being checked');
    this.running++;
    try {
      return await this.ask(chainId, data);
    } finally {
      this.running--;
    }
  }

  private async ask(chainId: number, data: string): Promise<boolean> {
    const call = this.rpcs.get(chainId)!.call('eth_call', [{ from: caller, data, gas: gasLimit }, 'latest']);
    const answer = await within(timeoutMs, call).catch((cause: unknown) => {
      throw new ProofUncheckable('the chain did not answer', { cause });
    });
    const [, digit = ''] = /^0x0{63}([0-2])$/.exec(String(answer)) ?? [];
    const verdict = verdicts[digit];
    if (verdict === undefined)
      throw new ProofUncheckable('the node returned a result that the check never returns');
    return verdict;
  }
}

interface Unwrapped {
  signature: string;
  factory: string;
  factoryCall: string;
}

/** Decodes an ERC-6492 signature; undefined for a malformed one. */
function unwrap(signature: string): Unwrapped | undefined {
  if (!isMarked(signature)) return { signature, factory: ZeroAddress, factoryCall: '0x' };
  try {
    const wrapped = dataSlice(signature, 0, dataLength(signature) - markLength);
    const [factory, factoryCall, inner] = AbiCoder.defaultAbiCoder().decode(
      ['address', 'bytes', 'bytes'],
      wrapped,
    ) as unknown as [string, string, string];
    return { signature: inner, factory, factoryCall };
  } catch {
    return undefined;
  }
}

function isMarked(signature: string): boolean {
  const length = dataLength(signature);
  return length >= markLength && dataSlice(signature, length - markLength).toLowerCase() === undeployedMark;
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
