/**
 * Error codes of wallets for a declined request. Messages are ignored, because they may be in any language. 4001:
 * EIP-1193, TIP-1193, and wallets of Solana and Sui that use the same code. 5000: WalletConnect. 5750: EIP-5792, an
 * upgrade of the account. 300: TON Connect.
 */
const declinedCodes: readonly unknown[] = [4001, 5000, 5750, 300, 'ACTION_REJECTED'];

/** The code of a wallet's error, even if another error wraps it. */
export function codeOf(error: unknown): unknown {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  return data?.originalError?.code ?? code;
}

export const isDeclined = (error: unknown): boolean => declinedCodes.includes(codeOf(error));
