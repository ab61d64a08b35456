import { solanaPayCode, solanaPayCodeHash } from '../../generated/solana-pay';
import { addressOfKey, compileMessage, signTransaction } from '../message';
import { deploymentAddresses, nextTransactions } from './deployment';
import type { SolanaNode } from './json-rpc';
import { bufferHeader, programBytes } from './loader';

export const program = { code: Buffer.from(solanaPayCode, 'base64'), codeHash: solanaPayCodeHash };

// One round each for buffer, code and program, with reserve for a deployment that was interrupted with an authority.
const mostRounds = 5;

export interface SolanaDeployment {
  readonly address: string;
  /** False if the program existed before. */
  readonly deployed: boolean;
}

/**
 * Deploys the payment program without an upgrade authority, unless it exists. Equal code of one deployer has the same
 * address on every cluster. Idempotent: after an error, call it again.
 * @param secretKey the deployer's secret key, 32 bytes
 */
export async function deploySolanaPay(node: SolanaNode, secretKey: Uint8Array): Promise<SolanaDeployment> {
  const deployer = addressOfKey(secretKey);
  const addresses = deploymentAddresses(deployer, program.codeHash);
  const sizes = [bufferHeader + program.code.length, programBytes];
  const rents = new Map(
    await Promise.all(sizes.map(async (bytes) => [bytes, await node.rent(bytes)] as const)),
  );
  const rent = (bytes: number) => rents.get(bytes)!;

  for (let round = 0; round < mostRounds; round++) {
    const accounts = await node.accounts([addresses.program, addresses.code, addresses.buffer]);
    const transactions = nextTransactions(deployer, program, accounts, rent);
    if (transactions.length === 0) return { address: addresses.program, deployed: round > 0 };
    const { blockhash, lastValidBlockHeight } = await node.recentBlock();
    await Promise.all(
      transactions.map((instructions) => {
        const message = compileMessage(deployer, instructions, blockhash);
        return node.confirm(signTransaction(message, secretKey), lastValidBlockHeight);
      }),
    );
  }
  throw new Error(
    `The program at ${addresses.program} is not complete. Run the command again: it continues.`,
  );
}
