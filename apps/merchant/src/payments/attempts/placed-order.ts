/**
 * The payment details of an order, stored as JSON with its payment. The names are separate from the API's reply, so
 * that a change of the reply does not change stored rows.
 */
export interface OrderToPay {
  order_id: string;
  method: 'Direct' | 'CrossChain';
  direct: ContractPayment | null;
  cross_chain: DepositPayment | null;
  /** ISO 8601. */
  expires_at: string;
}

/** A call of the payment contract. Amounts are in the smallest unit. */
export interface ContractPayment {
  contract_address: string;
  chain: string;
  payment_order: {
    order_id: string;
    token_in: string;
    token_out: string;
    amount_in: string;
    token_in_address: string;
    merchant: string;
    merchant_amount: string;
    fee_receiver: string;
    fee_amount: string;
    /** Unix seconds. */
    deadline: number;
  };
}

/** A transfer to a deposit address. The amount is in the smallest unit. */
export interface DepositPayment {
  deposit_address: string;
  deposit_memo: string | null;
  deposit_blockchain: string;
  deposit_token: string;
  deposit_amount: string;
  deposit_amount_formatted: string;
  estimated_time: number;
}
