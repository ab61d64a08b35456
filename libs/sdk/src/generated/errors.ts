// Generated from libs/contracts: npm run docs

/** Every code that the API declares for an operation. */
export type ErrorCode =
  /** The request is not valid. details names each bad field. */
  | 'VALIDATION_ERROR'
  /** Credentials are missing or not valid. */
  | 'UNAUTHORIZED'
  /** Too many requests. Retry after retryAfter seconds. */
  | 'RATE_LIMIT_EXCEEDED'
  /** Internal error. Quote request_id when you report it. */
  | 'INTERNAL_ERROR'
  /** The service is not reachable at present. Retry after retryAfter seconds. */
  | 'SERVICE_UNAVAILABLE'
  /** The service did not answer in time, so the outcome is unknown. Read the resource before you repeat the call, or repeat it with the same Idempotency-Key. */
  | 'OUTCOME_UNKNOWN'
  /** No provider returns a quote for this pair at present. Retry later, or choose another pair. */
  | 'QUOTE_UNAVAILABLE'
  /** The body is not valid JSON. */
  | 'MALFORMED_JSON'
  /** The body is larger than 256 KiB. Send less at once. */
  | 'PAYLOAD_TOO_LARGE'
  /** The Content-Type of the body is not supported. Send the body as application/json. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** A request with this Idempotency-Key is still being processed. Repeat it after retryAfter seconds. */
  | 'IDEMPOTENCY_IN_PROGRESS'
  /** This Idempotency-Key was used for another request. Use a new key for each new request. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The amount exceeds what is left of the monthly budget of the API key. Raise monthlyBudget, or wait for next month. */
  | 'BUDGET_EXCEEDED'
  /** The amount exceeds maxPerTx of the API key. Send less, or raise maxPerTx. */
  | 'MAX_PER_TX_EXCEEDED'
  /** No provider supports this pair of tokens. Choose another pay token or chain. */
  | 'ROUTE_UNAVAILABLE'
  /** A provider that this operation needs does not answer. Retry later. */
  | 'UPSTREAM_UNAVAILABLE'
  /** The order does not exist or is not waiting for a payment. */
  | 'ORDER_NOT_WAITING'
  /** The transaction has already been reported for another order. Check tx_hash. */
  | 'TX_ALREADY_REPORTED'
  /** The URL or a parameter in it is too long. */
  | 'URI_TOO_LONG'
  /** The resource does not exist. Check its id. */
  | 'NOT_FOUND'
  /** The API key or wallet does not have permission for this operation. */
  | 'FORBIDDEN'
  /** The quote does not exist. Request a new quote. */
  | 'INVALID_QUOTE'
  /** The quote has expired. Request a new quote. */
  | 'QUOTE_EXPIRED'
  /** The balance is too low. Deposit first, or withdraw less. details has what is needed and what is available. */
  | 'INSUFFICIENT_BALANCE'
  /** The token allowance is too low. Raise it, or send the approval that build returns. */
  | 'INSUFFICIENT_ALLOWANCE'
  /** The transaction needs more gas than gasLimit allows. Raise gasLimit, or build again. */
  | 'GAS_LIMIT_EXCEEDED'
  /** The deadline has passed. Build again, with a later deadline. */
  | 'DEADLINE_EXCEEDED'
  /** The transaction fails on the chain. details has the reason. */
  | 'TRANSACTION_FAILED'
  /** The signature does not match the built transaction and its userAddress. Sign exactly what build returned. */
  | 'INVALID_SIGNATURE'
  /** The request conflicts with the current state of the resource. Read the resource first. */
  | 'CONFLICT'
  /** The API key that submitted the payout cannot approve it. Use another key of the same wallet. */
  | 'SECOND_KEY_REQUIRED'
  /** The provider declined the purchase. details has its reason. */
  | 'PURCHASE_REFUSED'
  /** The socket has the maximum number of subscriptions. Unsubscribe from one first. */
  | 'TOO_MANY_SUBSCRIPTIONS';

/** HTTP status of each code. */
export interface ErrorStatus {
  VALIDATION_ERROR: 400;
  UNAUTHORIZED: 401;
  RATE_LIMIT_EXCEEDED: 429;
  INTERNAL_ERROR: 500;
  SERVICE_UNAVAILABLE: 503;
  OUTCOME_UNKNOWN: 504;
  QUOTE_UNAVAILABLE: 502;
  MALFORMED_JSON: 400;
  PAYLOAD_TOO_LARGE: 413;
  UNSUPPORTED_MEDIA_TYPE: 415;
  IDEMPOTENCY_IN_PROGRESS: 409;
  IDEMPOTENCY_KEY_REUSED: 422;
  BUDGET_EXCEEDED: 403;
  MAX_PER_TX_EXCEEDED: 403;
  ROUTE_UNAVAILABLE: 422;
  UPSTREAM_UNAVAILABLE: 502;
  ORDER_NOT_WAITING: 409;
  TX_ALREADY_REPORTED: 409;
  URI_TOO_LONG: 414;
  NOT_FOUND: 404;
  FORBIDDEN: 403;
  INVALID_QUOTE: 404;
  QUOTE_EXPIRED: 410;
  INSUFFICIENT_BALANCE: 422;
  INSUFFICIENT_ALLOWANCE: 422;
  GAS_LIMIT_EXCEEDED: 422;
  DEADLINE_EXCEEDED: 422;
  TRANSACTION_FAILED: 422;
  INVALID_SIGNATURE: 400;
  CONFLICT: 409;
  SECOND_KEY_REQUIRED: 403;
  PURCHASE_REFUSED: 422;
  TOO_MANY_SUBSCRIPTIONS: 429;
}

/** What each code says beside its message. */
export interface ErrorDetails {
  VALIDATION_ERROR: {
    /** Path of the field; nested fields as `a.b[0]` */
    field: string;
    /** Why the field is invalid */
    message: string;
  }[];
  UNAUTHORIZED: {
    /** Stable reason; clients can switch over it */
    reason?: 'missing' | 'malformed' | 'unknown' | 'disabled' | 'deleted' | 'foreign_environment' | 'session_unknown' | 'session_expired' | 'session_revoked' | 'wallet_missing' | 'wallet_malformed' | 'wallet_mismatch' | 'wallet_unproven' | 'nonce_unknown' | 'nonce_used' | 'challenge_expired' | 'challenge_not_yet_valid' | 'wrong_domain' | 'wrong_wallet' | 'wrong_uri' | 'wrong_chain' | 'wrong_nonce' | 'message_changed' | 'wrong_time' | 'wrong_state_init' | 'unknown_wallet_contract' | 'wrong_signature' | 'chain_without_node' | 'other_chain' | 'email_token';
  };
  RATE_LIMIT_EXCEEDED: {
    /** Stable reason */
    reason?: 'bodies_of_caller';
  };
  INTERNAL_ERROR: undefined;
  SERVICE_UNAVAILABLE: undefined;
  OUTCOME_UNKNOWN: undefined;
  QUOTE_UNAVAILABLE: {
    /** Stable reason */
    reason?: string;
    /** Smallest payable amount, in US dollars; a JSON number */
    min_amount_usd?: number;
  };
  MALFORMED_JSON: undefined;
  PAYLOAD_TOO_LARGE: undefined;
  UNSUPPORTED_MEDIA_TYPE: undefined;
  IDEMPOTENCY_IN_PROGRESS: undefined;
  IDEMPOTENCY_KEY_REUSED: undefined;
  BUDGET_EXCEEDED: {
    /** The limit, in US dollars */
    limit: string;
    /** Spent and reserved this month, in US dollars */
    used: string;
    /** Value of this call, in US dollars */
    requested: string;
  };
  MAX_PER_TX_EXCEEDED: {
    /** The limit, in US dollars */
    limit: string;
    /** Spent and reserved this month, in US dollars */
    used: string;
    /** Value of this call, in US dollars */
    requested: string;
  };
  ROUTE_UNAVAILABLE: {
    /** Stable reason */
    reason?: string;
  };
  UPSTREAM_UNAVAILABLE: {
    /** Stable reason */
    reason?: 'price_unknown';
  };
  ORDER_NOT_WAITING: undefined;
  TX_ALREADY_REPORTED: undefined;
  URI_TOO_LONG: undefined;
  NOT_FOUND: undefined;
  FORBIDDEN: {
    /** Stable reason; clients can switch over it */
    reason?: 'permission_missing' | 'wallet_required' | 'secret_required' | 'key_required' | 'ton_wallet_required';
    /** With `permission_missing`: the permission that the key lacks */
    permission?: string;
  };
  INVALID_QUOTE: undefined;
  QUOTE_EXPIRED: {
    /** Expiry of the quote, Unix seconds */
    expiresAt: number;
  };
  INSUFFICIENT_BALANCE: {
    /** Chain id */
    chainId?: number;
    /** Token contract; for payouts its symbol */
    token?: string;
    /** Needed, in the smallest unit of the token */
    required?: string;
    /** Available, in the smallest unit of the token */
    available?: string;
    /** Needed by the payout, in the smallest unit of the token */
    neededAtomic?: string;
    /** Held by the wallet, in the smallest unit of the token */
    heldAtomic?: string;
  };
  INSUFFICIENT_ALLOWANCE: {
    /** Chain id */
    chainId?: number;
    /** Token contract; for payouts its symbol */
    token?: string;
    /** The contract that needs the allowance */
    spender?: string;
    /** Needed, in the smallest unit of the token */
    required?: string;
    /** Allowed, in the smallest unit of the token */
    available?: string;
    /** Needed by the payout, in the smallest unit of the token */
    neededAtomic?: string;
    /** Current allowance of Permit2, in the smallest unit of the token */
    allowedAtomic?: string;
  };
  GAS_LIMIT_EXCEEDED: {
    /** Your limit in gas units */
    gasLimit?: string;
    /** Sufficient gas limit, gas units */
    required?: string;
    /** The transaction that needs this gas */
    transaction?: string;
    /** Your price, wei per gas */
    gasPrice?: string;
    /** Your price, wei per gas */
    maxFeePerGas?: string;
    /** Base fee of the chain, wei per gas */
    baseFeePerGas?: string;
    /** Batch of the payout */
    batch?: number;
    /** Gas units of the batch */
    gasUnits?: string;
    /** Gas price of the chain, wei per gas */
    weiPerGas?: string;
    /** Gas price that the payout fee covers, wei per gas */
    coveredWeiPerGas?: string;
  };
  DEADLINE_EXCEEDED: {
    /** Deadline of the request, Unix seconds */
    deadline?: number;
    /** Server time, Unix seconds */
    now?: number;
    /** Deadline for executing the built set, Unix seconds */
    validUntil?: number;
  };
  TRANSACTION_FAILED: {
    /** Revert reason from the chain */
    reason: string;
    /** The step that failed */
    step?: 'approval' | 'originSwap' | 'bridge' | 'destinationSwap';
    /** Transaction hash; null when the transaction was not sent */
    txHash?: string | null;
    /** Gas units used */
    gasUsed?: string;
    /** Batch of the payout */
    batch?: number;
  };
  INVALID_SIGNATURE: {
    /** Path of the field; nested fields as `a.b[0]` */
    field: string;
    /** Why the field is invalid */
    message: string;
  }[] | {
    /** Stable reason; clients can switch over it */
    reason: 'nonce_unknown' | 'nonce_used' | 'challenge_expired' | 'challenge_not_yet_valid' | 'wrong_domain' | 'wrong_wallet' | 'wrong_uri' | 'wrong_chain' | 'wrong_nonce' | 'message_changed' | 'wrong_time' | 'wrong_state_init' | 'unknown_wallet_contract' | 'wrong_signature' | 'chain_without_node' | 'other_chain';
  };
  CONFLICT: {
    /** Stable reason; clients can switch over it */
    reason?: string;
    /** State of the resource */
    status?: string;
    /** The nonce that was already used */
    nonce?: number;
    /** Nonces that another transaction set reserves */
    nonces?: number[];
    /** Largest allowed number */
    limit?: number;
  };
  SECOND_KEY_REQUIRED: undefined;
  PURCHASE_REFUSED: {
    /** Stable reason */
    reason?: string;
  };
  TOO_MANY_SUBSCRIPTIONS: undefined;
}
