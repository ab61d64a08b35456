/** Codes of rejections by a node. */
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

/** A transaction that the node does not take, or a call that it does not simulate. */
export class TronRejection extends Error {
  constructor(
    readonly code: RejectionCode,
    message: string,
  ) {
    super(message);
  }
}

/** As a node answers a request that it cannot read: status 200 and a field `Error`. */
export class BadRequest extends Error {}

export const invalidContract = (message: string): TronRejection =>
  new TronRejection('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`);
