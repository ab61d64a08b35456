import { getSandbox, toResult, type Client, type SandboxReply } from '@tollbridge/sdk';
import { CommandError, exitCodes } from '../exit-codes';

export interface SandboxPayer {
  address: string;
  privateKey: `0x${string}`;
  sandbox: SandboxReply;
}

/** Returns the funded payer account of the sandbox. @throws CommandError outside the sandbox */
export async function sandboxPayer(client: Client): Promise<SandboxPayer> {
  const result = await toResult(getSandbox(client));
  if (!result.ok && result.error.status === 404)
    throw new CommandError(
      `${client.baseUrl} is not a sandbox: this command pays with money of the sandbox only.`,
      exitCodes.failed,
      'Name a sandbox: --api-url http://127.0.0.1:3000',
    );
  if (!result.ok) throw result.error;
  const { address, privateKey } = result.value.accounts.find(({ role }) => role === 'payer')!;
  return { address, privateKey: privateKey as `0x${string}`, sandbox: result.value };
}
