/** Codes of a node's rejections. */
export type RejectionCode =
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'CONTRACT_EXE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'
  | 'OTHER_ERROR';

/** A transaction that the node rejects, or a call that it does not simulate. */
export class TronRejection extends Error {
  constructor(
    readonly code: RejectionCode,
    message: string,
  ) {
    super(message);
  }
}

/** A request that the node cannot read. Its reply has status 200 and a field `Error`. */
export class BadRequest extends Error {}

export const invalidContract = (message: string): TronRejection =>
  new TronRejection('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`);
