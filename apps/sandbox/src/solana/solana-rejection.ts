/** An error in the JSON-RPC format of a node. */
export class SolanaRejection extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

// The codes are from Agave: rpc-client-api/src/custom_error.rs
export const rpcCodes = {
  preflightFailure: -32_002,
  signatureFailure: -32_003,
  blockNotAvailable: -32_004,
  slotSkipped: -32_007,
  unsupportedTransactionVersion: -32_015,
  minContextSlotNotReached: -32_016,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

export const invalidParams = (message: string): SolanaRejection =>
  new SolanaRejection(rpcCodes.invalidParams, message);
