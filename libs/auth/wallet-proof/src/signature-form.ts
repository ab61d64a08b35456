import type { SignInScheme } from './wallet';

const forms = {
  eip4361: [/^0x([0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hexadecimal digits'],
  solana: [/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'must be base58 of 64 bytes'],
} as const;

/** Returns why a text cannot be a signature of a scheme that signs a message; undefined for a possible signature. */
export function signatureProblem(
  scheme: Exclude<SignInScheme, 'ton_proof'>,
  signature: string,
): string | undefined {
  const [form, message] = forms[scheme];
  return form.test(signature) ? undefined : message;
}
