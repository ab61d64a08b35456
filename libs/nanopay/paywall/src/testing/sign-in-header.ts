import { createSIWxMessage, encodeSIWxHeader, type CompleteSIWxInfo } from '@x402/extensions/sign-in-with-x';
import { readHeader } from './samples';

export interface SigningWallet {
  address: string;
  signMessage(parameters: { message: string }): Promise<string>;
}

export type SignInChanges = Partial<CompleteSIWxInfo> & { signature?: string; address?: string };

/**
 * The header of an official client for the `sign-in-with-x` extension of a 402. Changes to signed fields are signed
 * too.
 */
export async function signInHeaderFor(
  required: string,
  wallet: SigningWallet,
  changes: SignInChanges = {},
): Promise<string> {
  const { extensions } = readHeader<any>(required);
  const { info, supportedChains } = extensions['sign-in-with-x'];
  const [{ chainId, type }] = supportedChains;
  const signed = { ...info, chainId, type, ...changes } as CompleteSIWxInfo;
  const signature = await wallet.signMessage({ message: createSIWxMessage(signed, wallet.address) });
  return encodeSIWxHeader({ ...signed, address: wallet.address, signature, ...changes } as never);
}
