// Generated from libs/contracts: npm run docs

export type OrderReply = DirectOrder | CrossChainOrder;

export interface LastReport {
  /** Reported transaction */
  tx_hash: string;
  /** `pending`: the chain has not decided. `paid`: it pays the order. `rejected`: it does not pay the order; the order goes on waiting, or was paid by another transaction */
  outcome: 'pending' | 'paid' | 'rejected';
  /** Why it does not pay the order: `CODE: sentence`; null unless rejected */
  reason: string | null;
  /** Time of the report */
  reported_at: string;
}

export interface OrderException {
  /** Id of the exception */
  id: string;
  /** `transfer`: a plain transfer to the address of the merchant, or a second payment by the contract (`PAID_TWICE`). `deposit`: the deposit address received more after the order had ended. `refund`: the route provider sent money back after the order had ended */
  kind: 'transfer' | 'deposit' | 'refund';
  /** Chain of the money */
  chain: string;
  /** Token of the money */
  token: string;
  /** Amount, smallest unit */
  amount: string;
  /** Transaction; null where the provider names none */
  tx_hash: string | null;
  /** Why it does not settle the order: `CODE: sentence` */
  reason: string;
  /** When it was found */
  seen_at: string;
}

export interface DirectOrder {
  /** Id of the order */
  order_id: string;
  /** Status */
  status: 'waiting_payment' | 'settling' | 'settled' | 'failed' | 'expired';
  /** Payment method */
  method: 'Direct';
  /** Transaction of the payer, submitted or found */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Amount that the merchant received */
  settled_amount: string | null;
  /** Chain that the payer pays on */
  pay_blockchain: string;
  /** Token that the payer pays with */
  pay_token: string;
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount owed to the merchant */
  merchant_amount: string;
  /** Fee amount */
  fee_amount: string;
  /** The caller's own name for the merchant */
  merchant_id: string;
  /** Why the order failed: `CODE: sentence` */
  failure_reason: string | null;
  /** Whether the payment arrived after the order failed or expired */
  late: boolean;
  /** The newest transaction that a client reported; null without a report */
  last_report: LastReport | null;
  /** Money that moved in another way than the status shows, newest first */
  exceptions: OrderException[];
  /** Confirmations of the payment, at most `required_confirmations` */
  confirmations: number;
  /** Confirmations after which the payment is settled */
  required_confirmations: number;
  /** Deposit of a cross-chain order; null for a direct one */
  cross_chain: null;
  /** Version of the order: increases with each event of the order, not with confirmations */
  version: number;
  /** Expiry of the order */
  expires_at: string;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface DepositView {
  /** Deposit address */
  deposit_address: string;
  /** Memo that the transfer must carry, otherwise the funds are lost; null when the chain needs none */
  deposit_memo: string | null;
  /** Chain of the deposit */
  deposit_blockchain: string;
  /** Token of the deposit */
  deposit_token: string;
  /** Amount of the deposit, smallest unit */
  deposit_amount: string;
  /** The same amount, formatted in whole tokens */
  deposit_amount_formatted: string;
  /** Seconds from deposit to settlement */
  estimated_time: number;
  /** Status of the deposit */
  deposit_status: 'waiting' | 'seen' | 'incomplete' | 'processing' | 'delivered' | 'refunded' | 'failed';
  /** Received amount, smallest unit */
  deposited_amount: string | null;
  /** Refunded amount, smallest unit */
  refunded_amount: string | null;
  /** Source of the settlement: read on the chain, or reported by the route provider when no node is configured */
  settlement_proof: 'chain' | 'provider' | null;
  /** Refunds that arrived in the operator's refund account, newest first; empty for an order with a payer, which the route provider refunds directly */
  forwarded_refunds: ForwardedRefund[];
}

export interface ForwardedRefund {
  /** `pending`: being forwarded to the sender of the deposit. `manual`: an operator has to decide. `sent`: final on the chain. `closed`: an operator resolved it outside the system */
  state: 'pending' | 'manual' | 'sent' | 'closed';
  /** Forwarded amount, or the amount to forward, smallest unit of the pay token */
  amount: string;
  /** Sender of the deposit; null while unknown */
  recipient: string | null;
  /** Forwarding transaction; null before */
  tx_hash: string | null;
}

export interface CrossChainOrder {
  /** Id of the order */
  order_id: string;
  /** Status */
  status: 'waiting_payment' | 'settling' | 'settled' | 'failed' | 'expired';
  /** Payment method */
  method: 'CrossChain';
  /** Transaction of the payer, submitted or found */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Amount that the merchant received */
  settled_amount: string | null;
  /** Chain that the payer pays on */
  pay_blockchain: string;
  /** Token that the payer pays with */
  pay_token: string;
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount owed to the merchant */
  merchant_amount: string;
  /** Fee amount */
  fee_amount: string;
  /** The caller's own name for the merchant */
  merchant_id: string;
  /** Why the order failed: `CODE: sentence` */
  failure_reason: string | null;
  /** Whether the payment arrived after the order failed or expired */
  late: boolean;
  /** The newest transaction that a client reported; null without a report */
  last_report: LastReport | null;
  /** Money that moved in another way than the status shows, newest first */
  exceptions: OrderException[];
  /** Confirmations of the payment, at most `required_confirmations` */
  confirmations: number;
  /** Confirmations after which the payment is settled */
  required_confirmations: number;
  /** Deposit of a cross-chain order; null for a direct one */
  cross_chain: DepositView;
  /** Version of the order: increases with each event of the order, not with confirmations */
  version: number;
  /** Expiry of the order */
  expires_at: string;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface FollowedPayment {
  /** Id of the payment */
  payment_id: string;
  /** Id of the payment request */
  payment_request_id: string;
  /** Status */
  status: 'executing' | 'completed' | 'failed' | 'expired';
  /** Payment request that the payment belongs to */
  payment_request: PublicPaymentRequest;
  /** Steps of the payment */
  steps: PaymentStep[];
  /** Progress from 0 to 100; decreases only when a chain drops a block */
  progress: number;
  /** Token that the payer pays with */
  from_token: string;
  /** Chain that the payer pays on */
  from_chain: string;
  /** Payment route */
  execution_strategy: 'direct' | 'swap' | 'bridge' | 'swap_and_bridge';
  /** Id of the order */
  order_id: string;
  /** The contract call or deposit to make */
  order: CreateOrderReply;
  /** Payment instructions; null when no payment is awaited any more. They remain until the chain shows the payment, whatever hash was submitted: do not pay while `payment_request.attempt` is `asking` or `sent` */
  instructions: PaymentInstructions | null;
  /** Transaction of the payer */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Why the payment failed */
  failure_reason: string | null;
  /** Version of the payment's order that this reply shows; 0 before the first event of the order */
  version: number;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
  /** Blocks that confirm a direct payment, while it lacks some */
  confirmations?: number;
  /** Confirmations that the payment needs, beside `confirmations` */
  required_confirmations?: number;
}

export interface PublicPaymentRequest {
  /** Id of the payment request */
  id: string;
  /** Status */
  status: 'pending' | 'processing' | 'completed' | 'expired' | 'canceled';
  /** Amount that the merchant receives, smallest unit */
  amount: string;
  /** The same amount, formatted in whole tokens */
  amount_formatted: string;
  /** The token that the merchant receives */
  currency: string;
  /** Chain that the merchant is paid on */
  chain: string;
  /** Display name of that chain */
  chain_name: string;
  /** Description of the purchase */
  description: string;
  /** Wallet of the merchant */
  merchant: string;
  /** Name of the shop: `storeName` of the merchant's settings, one line of at most 64 characters; null without one. It is not verified */
  store_name: string | null;
  /** Colour of the buttons: `storeColor` of the merchant's settings; null without one */
  store_color: string | null;
  /** Path of the shop's logo on this server, from `storeLogo` of the merchant's settings; null without one */
  store_logo: string | null;
  /** Origins of pages that may show this page in a frame: `embedOrigins` of the merchant's settings */
  embed_origins: string[];
  /** Receiving address; empty while `receive_address_required` */
  receive_address: string;
  /** True while the merchant still has to name a receiving address on the chain. Until then the request has no payment options and cannot be executed */
  receive_address_required: boolean;
  /** Where the payer may continue after the payment */
  success_url: string | null;
  /** Where a payer who does not pay returns to */
  cancel_url: string | null;
  /** Expiry */
  expires_at: string | null;
  /** Most advanced payment that a payer began; null before the first */
  payment_id: string | null;
  /** Attempt to pay the request that the chain has not decided; null without one */
  attempt?: PaymentAttempt | null;
  /** PayLink that it is a checkout of; null for other requests */
  paylink_id: string | null;
}

export interface PaymentAttempt {
  /** Payment that it pays */
  payment_id: string;
  /** `asking`: a wallet was asked and has not answered. `sent`: it sent a transaction that no block shows yet. `failed`: the chain shows that the transaction failed. `unknown`: the wallet did not answer in time, or the network does not show the transaction. During `asking` and `sent` the request must not be paid again */
  state: 'asking' | 'sent' | 'failed' | 'unknown';
  /** Transaction, once known */
  tx_hash: string | null;
  /** When `asking` or `sent` ends without an answer */
  until: string | null;
}

export interface PaymentStep {
  /** Description of the step */
  step_type: 'swap' | 'bridge' | 'transfer';
  /** Status of the step */
  status: 'pending' | 'executing' | 'completed' | 'failed';
  /** Transaction of the step, once known */
  transaction_hash: string | null;
}

export type CreateOrderReply = DirectOrderCreated | CrossChainOrderCreated;

export interface DirectPayment {
  /** Payment contract to call */
  contract_address: string;
  /** Chain of the contract */
  chain: string;
  /** Argument of `pay` */
  payment_order: PaymentOrder;
  /** The payment as a call that the wallet of `payer_address` signs and sends. Null on EVM chains, where the wallet calls `pay` with `payment_order`, and while no node of the chain answers. Calls expire after a minute or so: `GET /api/v1/pay/order/{id}/wallet-call` makes a new one */
  wallet_call?: DirectWalletCall | null;
}

export interface PaymentOrder {
  /** Id of the order; the contract takes the uuid's 16 bytes */
  order_id: string;
  /** Symbol of the token that the payer pays with */
  token_in: string;
  /** Symbol of the token that the merchant receives */
  token_out: string;
  /** merchant_amount plus fee_amount */
  amount_in: string;
  /** Contract of the pay token; the zero address for the native coin */
  token_in_address: string;
  /** Receiving address of the merchant */
  merchant: string;
  /** Amount that the merchant receives */
  merchant_amount: string;
  /** Receives the fee; the zero address when no receiver was given and the fee is 0 */
  fee_receiver: string;
  /** Fee amount */
  fee_amount: string;
  /** Unix seconds; the contract rejects later payments */
  deadline: number;
}

export interface DirectWalletCall {
  /** Kind of chain; names the field that is set */
  family: 'ton' | 'solana' | 'tron' | 'sui';
  /** Parameters of TON Connect's `sendTransaction` */
  ton: TonCall | null;
  /** For wallets of Solana */
  solana: SolanaCall | null;
  /** For wallets of Tron */
  tron: TronCall | null;
  /** For wallets of Sui */
  sui: SuiCall | null;
}

export interface TonCall {
  /** Unix seconds after which wallets must not send it */
  validUntil: number;
  /** Messages, one to four */
  messages: TonMessage[];
}

export interface TonMessage {
  /** Contract that the wallet sends to */
  address: string;
  /** Nanotons, fees of the payment included; what is not used comes back */
  amount: string;
  /** Body, a BoC in base64 */
  payload: string;
  /** Code and data of a new contract, a BoC in base64; null for none */
  stateInit: string | null;
}

export interface SolanaCall {
  /** Message to sign, base64; the payer is the only signer */
  message: string;
  /** The same as a transaction with an empty signature, base64 */
  transaction: string;
  /** No block after this height includes it */
  last_valid_block_height: number;
}

export interface TronCall {
  /** Approval of the token, to send first; null for the coin */
  approval: TronTransaction | null;
  /** The payment */
  transaction: TronTransaction;
}

export interface TronTransaction {
  /** Hash of the transaction */
  txID: string;
  /** Bytes of the transaction, hexadecimal */
  raw_data_hex: string;
  /** The same as JSON text: `JSON.parse` gives `raw_data` of tronweb */
  raw_data: string;
}

export interface SuiCall {
  /** BCS of the transaction kind, base64; the wallet adds its gas */
  transaction_kind: string;
}

export interface DirectOrderCreated {
  /** Id of the order */
  order_id: string;
  /** Payment method */
  method: 'Direct';
  /** Contract call that pays the order; null unless method is Direct */
  direct: DirectPayment;
  /** Deposit that pays the order; null unless method is CrossChain */
  cross_chain: null;
  /** Expiry of the order */
  expires_at: string;
}

export interface CrossChainPayment {
  /** Deposit address */
  deposit_address: string;
  /** Memo that the transfer must carry, otherwise the funds are lost; null when the chain needs none */
  deposit_memo: string | null;
  /** Chain of the deposit */
  deposit_blockchain: string;
  /** Token of the deposit */
  deposit_token: string;
  /** Amount of the deposit, smallest unit */
  deposit_amount: string;
  /** The same amount, formatted in whole tokens */
  deposit_amount_formatted: string;
  /** Seconds from deposit to settlement */
  estimated_time: number;
  /** In the reply of create-order: where the fee is paid; null without a fee */
  fee?: CrossChainFee | null;
}

export interface CrossChainFee {
  /** The fee, smallest unit of the settle token; the provider rounds it up to basis points */
  amount: string;
  /** `fee_receiver`: the account that the key of `fee_receiver` controls. `operator`: the account of the deployment, since `fee_receiver` can have none */
  paid_to: 'fee_receiver' | 'operator';
  /** The account at the route provider */
  account: string;
  /** Why it is paid there, and what the receiver has to do */
  reason: string;
}

export interface CrossChainOrderCreated {
  /** Id of the order */
  order_id: string;
  /** Payment method */
  method: 'CrossChain';
  /** Contract call that pays the order; null unless method is Direct */
  direct: null;
  /** Deposit that pays the order; null unless method is CrossChain */
  cross_chain: CrossChainPayment;
  /** Expiry of the order */
  expires_at: string;
}

export interface PaymentInstructions {
  /** EIP-155 id of the chain to pay on; null on other chains */
  chain_id: number | null;
  /** Transaction to send first: it approves the payment contract for exactly the amount */
  approve: WalletCall | null;
  /** The payment transaction of a direct payment; null when the payer transfers to a deposit address */
  pay: WalletCall | null;
  /** The transfer to the deposit address on an EVM chain; null for direct payments and other chains */
  transfer?: WalletCall | null;
  /** Link that wallets open: the transfer to the deposit address, the approval (ERC-681 cannot express a call with a struct), or a transaction request of Solana Pay; null without such a link */
  uri: string | null;
  /** Where wallets of Solana, TON, Tron and Sui get the call of the payment or of the deposit: a URL of `GET /api/v1/pay/order/{id}/wallet-call`, to which `?payer=` and the address of the wallet are added. Null on other chains, and for deposits where this deployment takes no direct payments on the chain or its transfers cannot carry the memo */
  wallet_call_url?: string | null;
}

export interface WalletCall {
  /** Contract to call */
  to: string;
  /** Call data */
  data: string;
  /** Amount of the native coin to send along */
  value: string;
}

export interface TransactionUpdate {
  /** Id of the transaction set */
  transactionId: string;
  /** State of the transaction set */
  status: 'building' | 'built' | 'signing' | 'submitting' | 'submitted' | 'confirming' | 'completed' | 'failed' | 'expired';
  /** Current step */
  step: 'approval' | 'originSwap' | 'bridge' | 'destinationSwap';
  /** Transaction of the step; null before it is sent */
  txHash: string | null;
  /** Current confirmations */
  confirmations: number;
  /** Required confirmations */
  requiredConfirmations: number;
  /** Time of the change, Unix seconds */
  timestamp: number;
  /** Version of the set: increases with each change; ignore a lower one */
  version: number;
  /** True when the set failed after the swapped amount had left the wallet, and the amount was not returned; absent or false otherwise */
  spent?: boolean;
}

export interface PurchaseChanged {
  /** Id of the purchase */
  purchase_id: string;
  /** What was purchased */
  kind: string;
  /** Status after the change */
  status: 'buying' | 'unknown' | 'pending' | 'completed' | 'failed' | 'refunded' | 'refused';
  /** Wallet of the buyer */
  wallet_address: string;
  /** API key that made the purchase; null without one */
  key_id: string | null;
  /** Id of the purchase at the provider */
  provider_id: string | null;
  /** Price in US dollars; null when unknown */
  value_usd: string | null;
  /** Version of the purchase: increases with each change */
  version: number;
  /** Time of the change */
  updated_at: string;
}

export interface ChainsReply {
  /** Direct chains */
  direct_chains?: string[];
  /** Cross-chain chains */
  crosschain_chains?: string[];
  /** Number of all chains */
  total?: number;
  /** Direct chains, with `direct_only` */
  chains?: string[];
  /** Number of `chains`, with `direct_only` */
  count?: number;
  /** The same chains with their tokens */
  details: ChainView[];
}

export interface ChainView {
  /** Chain id for requests; CAIP-2 and short names are accepted too */
  id: string;
  /** CAIP-2 identifier */
  caip2: string;
  /** Short name */
  short_name: string;
  /** Display name */
  name: string;
  /** True: the payer calls the payment contract. False: the payer transfers to a deposit address */
  is_direct: boolean;
  /** Whether the chain is a test network */
  is_testnet: boolean;
  /** Whether this deployment currently accepts direct payments on the chain */
  is_available: boolean;
  /** Confirmations after which a payment counts as settled */
  confirmations: number;
  /** Path of the logo on this server */
  logo: string;
  /** Page of a transaction in a block explorer: `{tx}` stands for the hash; null without one. Operators set it by `explorerTxUrl` in `CHAINS_FILE` */
  explorer_tx_url?: string | null;
  /** Tokens that a payer can pay with */
  tokens: TokenView[];
}

export interface TokenView {
  /** Symbol, as in `pay_token` and `settle_token` */
  symbol: string;
  /** Full name */
  name: string;
  /** Decimals of the token */
  decimals: number;
  /** Contract address; null for the native coin */
  address: string | null;
  /** Path of the logo on this server */
  logo: string;
}

export interface QuoteRequest {
  /** Chain that the payer pays on */
  pay_blockchain: string;
  /** Token that the payer pays with */
  pay_token: string;
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455 */
  settle_amount: string;
}

export interface QuoteReply {
  /** Payment method */
  method: 'Direct' | 'CrossChain';
  /** Amount that the payer pays, smallest unit */
  pay_amount: string;
  /** The same amount, formatted in whole tokens */
  pay_amount_formatted: string;
  /** The same amount in US dollars; null without a recent price */
  pay_amount_usd: string | null;
  /** Amount that the merchant receives, smallest unit */
  receive_amount: string;
  /** The same amount, formatted in whole tokens */
  receive_amount_formatted: string;
  /** The same amount in US dollars; null without a recent price */
  receive_amount_usd: string | null;
  /** Seconds from payment to settlement */
  estimated_time: number;
  /** Settle tokens for one pay token */
  exchange_rate: string;
  /** Slippage in basis points; 0 for Direct */
  slippage_bps: number;
  /** Expiry of the quote */
  expires_at: string;
}

export interface BatchQuoteRequest {
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455 */
  settle_amount: string;
  /** Payment options to quote */
  pay_options: PayOption[];
}

export interface PayOption {
  /** Chain to pay on */
  blockchain: string;
  /** Token to pay with */
  token: string;
}

export interface BatchQuoteReply {
  /** In the order of `pay_options` */
  quotes: OptionQuote[];
}

export interface OptionQuote {
  /** Chain, as in the request */
  blockchain: string;
  /** Token, as in the request */
  token: string;
  /** `Ok` or `Error` */
  result: QuoteResult;
}

export type QuoteResult = QuoteOk | QuoteError;

export interface QuoteFound {
  /** The quote */
  quote: QuoteReply;
}

export interface QuoteOk {
  /** The quote */
  Ok: QuoteFound;
}

export interface QuoteFailed {
  /** Human-readable reason why there is no quote */
  error: string;
  /** Smallest payable amount in US dollars, where known; a JSON number */
  min_amount_usd?: number;
}

export interface QuoteError {
  /** Why there is no quote */
  Error: QuoteFailed;
}

export interface MinAmountsReply {
  /** Hints, not filters: the quote decides */
  min_amounts: MinAmount[];
  /** Number of `min_amounts` */
  count: number;
  /** Time of the latest measurement; null before the first */
  updated_at: string | null;
}

export interface MinAmount {
  /** Chain to pay on */
  blockchain: string;
  /** Token to pay with */
  token: string;
  /** Smallest amount that the merchant can be owed, in the smallest unit of `settle_token` */
  min_settle_amount: string;
  /** The same amount in US dollars; a JSON number */
  min_usd: number;
  /** Chain of the token in which `min_settle_amount` is given */
  settle_chain: string;
  /** Token in which `min_settle_amount` is given */
  settle_token: string;
  /** Time of the measurement */
  updated_at: string;
}

export interface BalancesRequest {
  /** Wallets to read: chain to address */
  wallets: { [name: string]: string };
}

export interface BalancesReply {
  /** Chains that responded within 5 seconds; others are left out */
  balances: WalletBalance[];
  /** Wallets that were not read: an unknown or repeated chain, an address that is not valid on it, or a chain that failed or was slow */
  skipped: SkippedChain[];
}

export interface WalletBalance {
  /** Chain */
  blockchain: string;
  /** Address in the chain's notation */
  address: string;
  /** Tokens with a balance above zero */
  tokens: TokenBalance[];
}

export interface TokenBalance {
  /** Symbol */
  symbol: string;
  /** Decimals of the token */
  decimals: number;
  /** Balance of the wallet, smallest unit */
  balance: string;
  /** The same amount, formatted in whole tokens */
  balance_formatted: string;
  /** The same amount in US dollars; null without a recent price */
  balance_usd: string | null;
  /** Price of one token in US dollars; null without a recent price; a JSON number */
  price_usd: number | null;
}

export interface SkippedChain {
  /** Chain, as the request names it */
  blockchain: string;
  /** Why it was skipped */
  reason: string;
  /** True where a repeated request may read it: the chain failed or was slow */
  can_retry?: boolean;
}

export interface CheckoutOptionsRequest {
  /** Wallets to read: chain to address */
  wallets: { [name: string]: string };
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455 */
  settle_amount: string;
}

export interface CheckoutOptionsReply {
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount that the merchant receives */
  settle_amount: string;
  /** Tokens that the wallets hold: sufficient ones first, then direct ones, then the fastest */
  options: CheckoutOption[];
  /** Chains that responded within 5 seconds: the wallet holds nothing of their tokens that are not among `options` */
  read_chains: string[];
  /** Wallets that were not read: an unknown or repeated chain, an address that is not valid on it, or a chain that failed or was slow */
  skipped: SkippedChain[];
}

export interface CheckoutOption {
  /** Chain */
  blockchain: string;
  /** Token */
  token: string;
  /** Display name of the chain */
  chain_name: string;
  /** Whether the payer calls the payment contract directly */
  is_direct: boolean;
  /** Balance of the wallet, formatted in whole tokens */
  balance: string;
  /** The same amount in US dollars; null without a recent price */
  balance_usd: string | null;
  /** Amount to pay, smallest unit; null without a quote */
  pay_amount: string | null;
  /** The same amount, formatted in whole tokens */
  pay_amount_formatted: string | null;
  /** The same amount in US dollars */
  pay_amount_usd: string | null;
  /** Whether the balance covers the amount and the chain's own fees */
  sufficient: boolean;
  /** Seconds from payment to settlement; null without a quote */
  estimated_time: number | null;
  /** Payment method */
  method: 'Direct' | 'CrossChain';
  /** Path of the token's logo */
  logo: string;
  /** Path of the chain's logo */
  chain_logo: string;
  /** Human-readable reason when there is no quote */
  error: string | null;
  /** Smallest payable amount in US dollars, where known; a JSON number */
  min_amount_usd: number | null;
}

export interface CreateOrderRequest {
  /** Chain that the payer pays on */
  pay_blockchain: string;
  /** Token that the payer pays with */
  pay_token: string;
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Receives the payment, on the settle chain */
  merchant_address: string;
  /** Exact amount that the merchant receives, smallest unit of the settle token; at most 340282366920938463463374607431768211455 */
  merchant_amount: string;
  /** Receives the fee, on the settle chain; may be empty or the zero address when `fee_amount` is 0 */
  fee_receiver: string;
  /** Fee on top of the merchant amount; at most the merchant amount; at most 340282366920938463463374607431768211455 */
  fee_amount: string;
  /** The caller's own name for the merchant */
  merchant_id: string;
  /** Address of the payer on the pay chain; receives refunds of cross-chain payments */
  payer_address: string;
}

export interface ReportTransactionRequest {
  /** Hash of the transaction that pays the order */
  tx_hash: string;
}

export interface ReportTransactionReply {
  /** Always true */
  ok: boolean;
  /** Status of the order */
  status: 'settling';
}

export interface WalletCallReply {
  /** Id of the order */
  order_id: string;
  /** Chain of the payment */
  chain: string;
  /** Contract that takes a direct payment; null for a deposit */
  contract_address: string | null;
  /** Deposit address that the transfer goes to; null for a direct payment */
  deposit_address?: string | null;
  /** The argument of `pay` of the contract, as in the reply of create-order, for wallets of EVM chains; null for a deposit */
  payment_order?: PaymentOrder | null;
  /** The payment as a call that this wallet signs and sends. Null on EVM chains, where the wallet calls `pay` with the `payment_order` of the order or transfers to the deposit address, and on Sui while the coins of the wallet do not cover the amount */
  wallet_call: DirectWalletCall | null;
}

export interface OrdersReply {
  /** Newest first */
  orders: OrderReply[];
  /** Number of `orders` in this reply */
  count: number;
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface SwapReply {
  /** Status */
  status: 'pending_deposit' | 'known_deposit_tx' | 'incomplete_deposit' | 'processing' | 'completed' | 'refunded' | 'failed';
  /** Deposit transaction */
  from_tx: string | null;
  /** Delivery transaction */
  to_tx: string | null;
  /** Amount that was swapped, smallest unit; before the swap, what was deposited */
  from_amount: string | null;
  /** Everything that arrived at the deposit address, also after the swap, smallest unit */
  deposited_amount: string | null;
  /** Delivered amount, smallest unit */
  to_amount: string | null;
  /** Refunded amount, also of what arrived after the swap, smallest unit */
  refunded_amount: string | null;
  /** Human-readable refund reason */
  refund_reason: string | null;
  /** Id of the order */
  order_id: string;
}

export type SwapQuoteRequest = SwapQuoteByInput | SwapQuoteByTokenIn;

export interface TokenRef {
  /** Contract address; the zero address means the native coin of the chain */
  address: string;
  /** Chain id */
  chainId: number;
  /** Decimals; rejected when the contract says otherwise */
  decimals?: number;
  /** For display only: the address decides */
  symbol?: string;
}

export interface SwapQuoteByInput {
  /** Input token; or send `tokenIn` */
  inputToken: TokenRef;
  /** Output token; or send `tokenOut` */
  outputToken: TokenRef;
  /** Input amount, smallest unit; or send `amountIn` */
  inputAmount: string;
  /** Largest accepted slippage until execution, in basis points */
  slippageBps?: number;
  /** Address of the signer, where known: some providers give better quotes with it */
  userAddress?: string;
}

export interface SwapQuoteByTokenIn {
  /** Alias of `inputToken` */
  tokenIn: TokenRef;
  /** Alias of `outputToken` */
  tokenOut: TokenRef;
  /** Alias of `inputAmount` */
  amountIn: string;
  /** Largest accepted slippage until execution, in basis points */
  slippageBps?: number;
  /** Address of the signer, where known: some providers give better quotes with it */
  userAddress?: string;
}

export interface SwapQuoteReply {
  /** Id to build with */
  quoteId: string;
  /** Input token */
  inputToken: SwapToken;
  /** Output token */
  outputToken: SwapToken;
  /** Input amount, smallest unit */
  inputAmount: string;
  /** Output amount, smallest unit */
  outputAmount: string;
  /** Guaranteed minimum output */
  minOutputAmount: string;
  /** Exchange rate: output tokens for one input token */
  exchangeRate: string;
  /** Price impact compared with a very small amount, in percent; null when unknown */
  priceImpact: string | null;
  /** Accepted slippage in basis points */
  slippageBps: number;
  /** Fees of the route */
  fees: QuoteFee[];
  /** Steps of the route */
  route: RouteStep[];
  /** Provider of the route */
  provider: string;
  /** Human-readable reason for choosing this route */
  reason: string;
  /** All providers that were asked */
  asked: AskedProvider[];
  /** Gas units of all transactions to sign */
  estimatedGas: string;
  /** Cost of that gas in US dollars; null without a recent price */
  estimatedGasUsd: string | null;
  /** Seconds until the output is delivered */
  estimatedTime: number;
  /** Expiry: until when transactions can be built from the quote, Unix seconds */
  expiresAt: number;
}

export interface SwapToken {
  /** Contract address; the zero address means the native coin */
  address: string;
  /** Symbol */
  symbol: string;
  /** Decimals */
  decimals: number;
  /** Chain id */
  chainId: number;
}

export interface QuoteFee {
  /** Purpose of the fee */
  name: string;
  /** Token of the fee */
  token: SwapToken;
  /** Amount, smallest unit */
  amount: string;
  /** The same amount in US dollars; null without a recent price */
  amountUsd: string | null;
  /** Whether `outputAmount` already excludes the fee */
  included: boolean;
}

export interface RouteStep {
  /** Type of the step */
  type: 'approval' | 'originSwap' | 'bridge' | 'destinationSwap';
  /** Provider or protocol of the step */
  venue: string;
  /** Input token */
  tokenIn: SwapToken;
  /** Output token */
  tokenOut: SwapToken;
  /** Input amount */
  amountIn: string;
  /** Quoted output amount */
  amountOut: string;
}

export interface AskedProvider {
  /** Name of the provider */
  provider: string;
  /** Quoted output; null when the provider gave no quote */
  outputAmount: string | null;
  /** Gas cost, in the smallest unit of the output token; null when unknown */
  gasInOutputToken: string | null;
  /** Why the provider gave no quote */
  problem: string | null;
}

export interface BuildRequest {
  /** Id of the quote to build */
  quoteId: string;
  /** Wallet that signs and pays; receives the output unless `recipient` is given */
  userAddress: string;
  /** Receives the output; by default `userAddress`. Contracts that would keep the output are rejected */
  recipient?: string;
  /** Deadline after which the chain rejects the swap, Unix seconds: within 24 hours, by default in 20 minutes */
  deadline?: number;
  /** Overrides of the chain's suggested gas */
  gasSettings?: GasSettings;
  /** Build no approvals: return INSUFFICIENT_ALLOWANCE when one is needed */
  skipApprovals?: boolean;
}

export interface GasSettings {
  /** Largest gas limit of each transaction; at most the chain's limit for a transaction, see EIP-7825 */
  gasLimit?: string;
  /** Wei per gas, including the tip */
  maxFeePerGas?: string;
  /** Tip for the block producer, wei per gas */
  maxPriorityFeePerGas?: string;
  /** Gas price of legacy transactions (type 0), wei per gas. Beside `maxFeePerGas` or `maxPriorityFeePerGas` it applies only on chains without EIP-1559 */
  gasPrice?: string;
}

export interface BuiltSet {
  /** Id of the transaction set */
  transactionId: string;
  /** State of the transaction set */
  status: 'building' | 'built' | 'signing' | 'submitting' | 'submitted' | 'confirming' | 'completed' | 'failed' | 'expired';
  /** Transactions to sign, in this order */
  transactions: BuiltTransaction[];
  /** Totals of all transactions */
  summary: BuiltSummary;
  /** Current expected output, smallest unit */
  outputAmount: string;
  /** Guaranteed minimum output */
  minOutputAmount: string;
  /** Deadline for the execution, Unix seconds */
  validUntil: number;
}

export interface BuiltTransaction {
  /** Chain id */
  chainId: number;
  /** Recipient of the transaction */
  to: string;
  /** Call data, hexadecimal */
  data: string;
  /** Wei to send along */
  value: string;
  /** Gas limit */
  gas: string;
  /** Wei per unit of gas */
  maxFeePerGas: string;
  /** Tip for the block producer, wei per gas */
  maxPriorityFeePerGas: string;
  /** Present for legacy transactions (type 0), which are signed with it alone */
  gasPrice?: string;
  /** Nonce of the signer */
  nonce: number;
  /** Type of the transaction */
  type: 'approval' | 'swap';
  /** Human-readable description */
  description: string;
}

export interface BuiltSummary {
  /** Gas units of all transactions, as simulated */
  totalGasEstimate: string;
  /** Cost of that gas in US dollars; empty without a recent price */
  totalGasCostUsd: string;
  /** Number of approvals among them */
  requiredApprovals: number;
  /** Seconds until the output is delivered */
  estimatedTime: number;
}

export interface ExecuteRequest {
  /** Id of the transaction set */
  transactionId: string;
  /** One for each built transaction, in order: its 65-byte signature or the whole signed transaction, hexadecimal */
  signatures: string[];
  /** false verifies and stores the signatures without sending */
  broadcast?: boolean;
}

export interface ExecutedSet {
  /** Id of the transaction set */
  transactionId: string;
  /** State of the transaction set */
  status: 'building' | 'built' | 'signing' | 'submitting' | 'submitted' | 'confirming' | 'completed' | 'failed' | 'expired';
  /** In the order of the built transactions */
  transactions: SentTransaction[];
  /** Progress */
  progress: Progress;
}

export interface SentTransaction {
  /** Transaction hash */
  hash: string;
  /** Chain id */
  chainId: number;
  /** Type of the transaction */
  type: 'approval' | 'swap';
  /** `waiting`: not sent yet, because the previous one is not mined */
  status: 'waiting' | 'pending' | 'confirmed' | 'failed' | 'replaced' | 'dropped';
  /** Block number, once mined */
  blockNumber?: number;
  /** Gas used, once mined */
  gasUsed?: string;
  /** Expected confirmation time */
  estimatedConfirmation?: number;
}

export interface Progress {
  /** Current step, from 1 */
  currentStep: number;
  /** Number of steps */
  totalSteps: number;
  /** Completed steps of all steps */
  percentage: number;
  /** Expected completion time */
  estimatedCompletion: number;
}

export interface TransactionStatus {
  /** Id of the transaction set */
  transactionId: string;
  /** State */
  status: 'building' | 'built' | 'signing' | 'submitting' | 'submitted' | 'confirming' | 'completed' | 'failed' | 'expired';
  /** Result once ended; null before */
  result: TransactionResult | null;
  /** Why the set failed; null unless it did */
  failure: TransactionFailure | null;
  /** All steps */
  timeline: TimelineItem[];
  /** Build time */
  createdAt: number;
  /** End time; null before */
  completedAt: number | null;
  /** Seconds from `createdAt` to `completedAt`; null before the end */
  totalTime: number | null;
  /** With `includeDetails=true` */
  details?: StatusDetails;
}

export interface TransactionResult {
  /** Whether the output token was delivered */
  success: boolean;
  /** Delivered amount, as read on the chain; 0 when nothing was delivered */
  finalAmountOut: string;
  /** Gas used by the transactions */
  actualGasUsed: string;
  /** Cost of that gas in US dollars; empty without a recent price */
  totalGasCostUsd: string;
}

export interface TransactionFailure {
  /** Error code */
  code: 'TRANSACTION_FAILED' | 'DEADLINE_EXCEEDED';
  /** Human-readable text */
  message: string;
  /** The failed step and transaction */
  details: FailureDetails | null;
}

export interface FailureDetails {
  /** The failed step */
  step: 'approval' | 'originSwap' | 'bridge' | 'destinationSwap';
  /** Transaction of the step; null when none was mined */
  txHash: string | null;
  /** Revert reason of the contract, when it gives one */
  reason: string;
  /** Gas used */
  gasUsed: string;
}

export interface TimelineItem {
  /** Step */
  step: 'approval' | 'originSwap' | 'bridge' | 'destinationSwap';
  /** State of the step */
  status: 'pending' | 'submitted' | 'confirming' | 'completed' | 'failed';
  /** Transaction of the step, once known */
  txHash?: string;
  /** Time of that state, Unix seconds */
  timestamp?: number;
  /** Gas that the signer's transactions used for the step; 0 where the route provider sends it */
  gasUsed?: string;
  /** Output of the step, smallest unit */
  amountOut?: string;
}

export interface StatusDetails {
  /** Transactions as built */
  built: BuiltTransaction[];
  /** Transactions as sent; empty before */
  sent: SentTransaction[];
  /** Totals as built */
  summary: BuiltSummary;
  /** Id of the quote */
  quoteId: string;
  /** Provider of the route */
  provider: string;
  /** Wallet that signs */
  userAddress: string;
  /** Wallet that receives the output */
  recipient: string;
  /** Input amount, smallest unit */
  inputAmount: string;
  /** Expected output at build time */
  outputAmount: string;
  /** Guaranteed minimum output */
  minOutputAmount: string;
  /** Deadline for the execution */
  validUntil: number;
  /** Confirmations of the current transaction */
  confirmations: number;
  /** Required confirmations */
  requiredConfirmations: number;
}

export interface BatchRequest {
  /** Items to build; those of one user on one chain get consecutive nonces in this order */
  transactions: BatchItem[];
  /** Gas settings of all items */
  gasSettings?: GasSettings;
}

export interface BatchItem {
  /** Your own name for the item, unique in the batch */
  id: string;
  /** Id of the quote to build */
  quoteId: string;
  /** Wallet that signs, pays and receives the output */
  userAddress: string;
}

export interface BatchReply {
  /** Id of the batch */
  batchId: string;
  /** In the order of the request */
  transactions: BatchItemResult[];
  /** Totals of all items */
  summary: BatchSummary;
}

export interface BatchItemResult {
  /** Your own name for the item */
  id: string;
  /** Id of the built set; null when it failed. GET …/status?includeDetails=true returns its transactions */
  transactionId: string | null;
  /** Whether the item was built */
  status: 'built' | 'failed';
  /** Gas units of its transactions; null when it failed */
  gasEstimate: string | null;
  /** Why the item was not built */
  error?: BatchError;
}

export interface BatchError {
  /** Error code */
  code: string;
  /** Human-readable text */
  message: string;
  /** Details, as for a single build; an empty object without any */
  details: unknown;
}

export interface BatchSummary {
  /** Number of transactions to sign */
  totalTransactions: number;
  /** Gas units of all transactions */
  totalGasEstimate: string;
  /** Cost of that gas in US dollars; empty without a recent price */
  totalGasCostUsd: string;
  /** US dollars saved compared with separate builds: the gas of approvals that are not needed, because one approval covers all items of one user, token and spender; empty without a recent price */
  estimatedSavings: string;
}

export interface CreatePaymentRequest {
  /** Amount to receive, in the smallest unit of the currency; at most 340282366920938463463374607431768211455 */
  amount: string;
  /** Token to receive; `defaultToken` of the settings unless given */
  currency?: string;
  /** Chain to receive it on; `defaultChain` of the settings unless given */
  chain?: string;
  /** Description shown to the payer */
  description?: string;
  /** Private metadata: returned only to the merchant, in replies and webhooks; at most 4,096 bytes as JSON and 5 levels */
  metadata?: { [name: string]: unknown };
  /** Receiving address on the chain. Unless given: the address of this chain or its family in `receiveAddresses` of the settings; otherwise the wallet, when it belongs to that family and is not a contract of another chain; otherwise the only address that the wallet has proven on that family. Without any of them the request is created with `receive_address_required`, and cannot be paid before it has one */
  receive_address?: string;
  /** Expiry, at most one year ahead; without one, the request stays open until it is paid or canceled */
  expires_at?: string;
  /** Where the payer may continue after the payment: an https URL of the merchant */
  success_url?: string;
  /** Where a payer who does not pay returns to: an https URL of the merchant */
  cancel_url?: string;
}

export interface PaymentRequestReply {
  /** Id of the payment request */
  id: string;
  /** Status */
  status: 'pending' | 'processing' | 'completed' | 'expired' | 'canceled';
  /** Amount to receive, smallest unit */
  amount: string;
  /** Token to receive */
  currency: string;
  /** Chain to receive it on */
  chain: string;
  /** Description shown to the payer */
  description: string;
  /** Private metadata */
  metadata: { [name: string]: unknown } | null;
  /** PayLink that it is a checkout of; null for a request that you have created */
  paylink_id: string | null;
  /** Receiving address; empty while the merchant has named none on this chain, see `receive_address_required` */
  receive_address: string;
  /** True while the merchant still has to name a receiving address on the chain. Until then the request has no payment options and cannot be executed */
  receive_address_required: boolean;
  /** Where the payer may continue after the payment */
  success_url: string | null;
  /** Where a payer who does not pay returns to */
  cancel_url: string | null;
  /** URL of the checkout page */
  payment_link: string;
  /** URL of a QR code of that page, as PNG */
  qr_code_url: string;
  /** Number of completed payments */
  completed_payments: number;
  /** Whether the request was paid more than once */
  overpaid: boolean;
  /** Expiry */
  expires_at: string | null;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface PaymentRequestsReply {
  /** Newest first */
  payment_requests: PaymentRequestReply[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface SetReceiveAddressRequest {
  /** Receiving address on the chain of the request */
  receive_address: string;
}

export interface PaymentsReply {
  /** Newest first */
  payments: MerchantPayment[];
  /** Number of payments with these filters on all pages; counted up to 10000 */
  total: number;
  /** Whether more than `total` exist */
  total_is_capped: boolean;
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface MerchantPayment {
  /** Id of the payment */
  payment_id: string;
  /** Payment request that the payment belongs to */
  payment_request_id: string;
  /** Status */
  status: 'executing' | 'completed' | 'failed' | 'expired';
  /** Amount that the merchant receives, smallest unit */
  amount: string;
  /** Token that the merchant receives */
  currency: string;
  /** Chain that the merchant is paid on */
  chain: string;
  /** Description of the payment request */
  description: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Token that the payer pays with */
  from_token: string;
  /** Chain that the payer pays on */
  from_chain: string;
  /** Payment route */
  execution_strategy: 'direct' | 'swap' | 'bridge' | 'swap_and_bridge';
  /** Id of the order */
  order_id: string;
  /** Transaction of the payer */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Amount that the merchant received */
  settled_amount: string | null;
  /** The same amount in US dollars, at the time of payment */
  settled_value_usd: string | null;
  /** Why the payment failed */
  failure_reason: string | null;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface StatsReply {
  /** Since midnight, UTC */
  today: PeriodStats;
  /** Since Monday, UTC */
  this_week: PeriodStats;
  /** Since the first, UTC */
  this_month: PeriodStats;
}

export interface PeriodStats {
  /** Number of completed payments */
  total_payments: number;
  /** Total value, each payment valued at its time of payment; a JSON number */
  total_amount: number;
  /** Currency of `total_amount` */
  currency: 'USD';
  /** Payments without a price at their time of payment; `total_amount` excludes them */
  unpriced_payments: number;
  /** The same totals by received token and chain */
  by_currency: CurrencySum[];
}

export interface CurrencySum {
  /** Token */
  currency: string;
  /** Chain */
  chain: string;
  /** Number of payments */
  total_payments: number;
  /** Exact sum, smallest unit */
  total_amount: string;
}

export interface PaymentDetailsReply {
  /** The payment request */
  payment_request: PublicPaymentRequest;
  /** Payment options: direct ones first, then the fastest. An option without a quote in time is left out. Without `payer_address` in the query, each option is executed with `selected_option` alone. Empty when the request can no longer be executed */
  payment_options: PaymentOption[];
}

export interface PaymentOption {
  /** Token to pay with */
  from_token: string;
  /** Chain to pay on */
  from_chain: string;
  /** Amount to pay, smallest unit */
  from_amount: string;
  /** The same amount, formatted in whole tokens */
  from_amount_formatted: string;
  /** The same amount in US dollars; null without a recent price */
  from_amount_usd: string | null;
  /** Display name of that chain */
  from_chain_name: string;
  /** Payment route */
  execution_strategy: 'direct' | 'swap' | 'bridge' | 'swap_and_bridge';
  /** Human-readable time from payment to settlement */
  estimated_time: string;
  /** The same time in seconds */
  estimated_seconds: number;
  /** Whether executing the option needs a `payer_address` of its chain, to which the route provider refunds. The reply lists such options only when the query has a `payer_address`; all others are executed with `selected_option` alone */
  needs_payer_address: boolean;
  /** Path of the token's logo */
  logo: string;
}

export interface ExecutePaymentRequest {
  /** One of `payment_options` */
  selected_option: SelectedOption;
  /** Address of the payer on the chain to pay on, for refunds. Required for options with `needs_payer_address`. Without it, a refund of another option is forwarded to the sender of the deposit */
  payer_address?: string;
}

export interface SelectedOption {
  /** Token to pay with, from `payment_options` */
  from_token: string;
  /** Chain to pay on, from `payment_options` */
  from_chain: string;
}

export interface ExecutePaymentReply {
  /** Id of the payment */
  payment_id: string;
  /** Id of the payment request */
  payment_request_id: string;
  /** Status */
  status: 'executing' | 'completed' | 'failed' | 'expired';
  /** Expected settlement time if the payer pays now */
  estimated_completion: string;
  /** The order: the contract call or deposit to make */
  order: CreateOrderReply;
}

export interface PaymentStatusReply {
  /** Id of the payment */
  payment_id: string;
  /** Id of the payment request */
  payment_request_id: string;
  /** Status */
  status: 'executing' | 'completed' | 'failed' | 'expired';
  /** Payment request that the payment belongs to */
  payment_request: PublicPaymentRequest;
  /** Steps of the payment */
  steps: PaymentStep[];
  /** Progress from 0 to 100; decreases only when a chain drops a block */
  progress: number;
  /** Token that the payer pays with */
  from_token: string;
  /** Chain that the payer pays on */
  from_chain: string;
  /** Payment route */
  execution_strategy: 'direct' | 'swap' | 'bridge' | 'swap_and_bridge';
  /** Id of the order */
  order_id: string;
  /** The contract call or deposit to make */
  order: CreateOrderReply;
  /** Payment instructions; null when no payment is awaited any more. They remain until the chain shows the payment, whatever hash was submitted: do not pay while `payment_request.attempt` is `asking` or `sent` */
  instructions: PaymentInstructions | null;
  /** Transaction of the payer */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Why the payment failed */
  failure_reason: string | null;
  /** Version of the payment's order that this reply shows; 0 before the first event of the order */
  version: number;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface OverviewReply {
  /** Exact value of all completed payments in US dollars, each at its time of payment */
  totalVolumeUsd: string;
  /** Number of completed payments */
  totalPayments: number;
  /** Completed payments divided by all payments that are completed, failed or reversed: 0 to 1, four decimals; null before the first such payment. Expired payments are not counted: their payers left the checkout; a JSON number */
  successRate: number | null;
  /** Number of PayLinks that currently accept payments */
  activePaylinks: number;
  /** Completed payments without a dollar value; `volumeUsd` excludes them */
  unpricedPayments: number;
  /** Payments in `totalPayments` that the merchant confirmed, on networks that this deployment cannot verify. All sums include them */
  confirmedByMerchant: number;
  /** By token, largest value first */
  volumeByToken: TokenVolume[];
  /** By chain, largest value first */
  volumeByChain: ChainVolume[];
  /** The last 30 days, today last */
  daily: DailyVolume[];
}

export interface TokenVolume {
  /** Token */
  token: string;
  /** Amount received in this token on all chains, in whole tokens; null when its decimals are unknown */
  amount: string | null;
  /** The same amount in US dollars, valued at the time of payment */
  volumeUsd: string;
  /** Number of payments */
  payments: number;
}

export interface ChainVolume {
  /** Chain */
  network: string;
  /** Amount received on this chain, in US dollars */
  volumeUsd: string;
  /** Number of payments */
  payments: number;
}

export interface DailyVolume {
  /** Day (UTC) */
  date: string;
  /** Amount received on this day, in US dollars */
  volumeUsd: string;
  /** Number of payments */
  payments: number;
}

export interface TransactionRecord {
  /** Payment request that the payment belongs to; null for payments without one */
  payment_request_id: string | null;
  /** PayLink that the payment belongs to; null for payments without one */
  paylink_id: string | null;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Id of the record */
  id: string;
  /** Wallet of the merchant */
  wallet_address: string;
  /** Type of the record */
  tx_type: 'payment' | 'refund';
  /** Amount received or requested; for a refund the refunded amount; smallest unit */
  amount: string;
  /** Token */
  token: string;
  /** Chain */
  network: string;
  /** Status */
  status: 'pending' | 'completed' | 'failed' | 'expired' | 'reversed';
  /** Transaction hash on the chain; empty while unknown */
  tx_hash: string;
  /** Address of the payer, where known */
  counterparty: string | null;
  /** Description of the payment request, or what was bought where there is none */
  description: string;
  /** Id of the order; null for payments without one */
  order_id: string | null;
  /** Value in US dollars at the time of payment; null before, and without a price */
  value_usd: string | null;
  /** The fee, smallest unit */
  fee_amount: string;
  /** Paid after it had failed or expired */
  late: boolean;
  /** What a completed record is based on. `chain`: Tollbridge verified the transaction. `merchant`: the merchant confirmed it, on a network that this deployment cannot verify. Null while not completed. */
  confirmed_by: 'chain' | 'merchant' | null;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface LedgerProofReply {
  /** True when this check found no fault and the ledger is not halted */
  ok: boolean;
  /** Time since when posting is halted after a failed check; null while posting */
  halted_at: string | null;
  /** Faults found by this check */
  problems: LedgerProblem[];
  /** Sums of each asset */
  assets: LedgerAssetProof[];
  /** Transactions in the ledger */
  transactions: number;
  /** Changes that wait until posting resumes */
  waiting: number;
  /** Hash of the last transaction, chained over the previous one; zeros before the first */
  last_hash: string;
  /** Segments of the ledger, 5,000 transactions each */
  segments: number;
  /** Segments that this call checked entry by entry */
  checked: CheckedSegment[];
  /** Every segment was checked since this time; null while a segment was never checked */
  all_checked_since: string | null;
}

export interface LedgerProblem {
  /** `unbalanced`: the entries of a transaction do not sum to zero. `hash`: a transaction does not match its hash, or does not follow the previous one. `missing`: a transaction is missing. `sums`: the stored sums differ from the entries. `implausible`: an entry has an unsupported chain, an amount above any possible payment, or the wrong sign */
  code: 'unbalanced' | 'hash' | 'missing' | 'sums' | 'implausible';
  /** Segment of the ledger with the fault */
  segment: number;
  /** First faulty transaction; null when the fault concerns no single transaction */
  seq: number | null;
}

export interface LedgerAssetProof {
  /** Chain of the asset */
  chain: string;
  /** Token of the asset */
  token: string;
  /** Sum of all debits of payers, smallest unit */
  debits: string;
  /** Sum of all credits, smallest unit */
  credits: string;
  /** Credits minus debits; any value but 0 is a fault */
  sum: string;
  /** Balance of `merchant:received` */
  received: string;
  /** Balance of `fees` */
  fees: string;
  /** Balance of `refunds` */
  refunds: string;
  /** Entries in this asset */
  entries: number;
  /** Transactions in this asset */
  transactions: number;
}

export interface CheckedSegment {
  /** Segment */
  segment: number;
  /** First transaction of the segment */
  from_seq: number;
  /** Last transaction of the segment */
  to_seq: number;
}

export interface LedgerEntriesReply {
  /** Newest first */
  entries: LedgerEntry[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface LedgerEntry {
  /** Payment request that the payment belongs to; null for payments without one */
  payment_request_id: string | null;
  /** PayLink that the payment belongs to; null for payments without one */
  paylink_id: string | null;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Transaction number within the wallet's ledger */
  seq: number;
  /** Position of the entry in the transaction */
  position: number;
  /** Transaction number */
  transaction_id: string;
  /** Type of the transaction */
  kind: 'payment' | 'refund' | 'reversal' | 'correction';
  /** What the transaction concerns: `order:<id>` or `paylink:<id of the payment>` */
  reference: string;
  /** Version of that order or payment */
  version: number;
  /** Account */
  account: 'payer' | 'merchant:received' | 'fees' | 'refunds';
  /** Chain of the asset */
  chain: string;
  /** Token of the asset */
  token: string;
  /** Amount, smallest unit; negative for a debit */
  amount: string;
  /** Time of the transaction */
  occurred_at: string;
  /** Hash of the transaction, chained over the previous one */
  hash: string;
  /** Description of the payment request or PayLink; empty without one */
  description: string;
}

export interface PayLink {
  /** Id of the PayLink */
  id: string;
  /** Wallet that created the PayLink */
  wallet_address: string;
  /** Name of the product or purpose */
  name: string;
  /** Smallest payment, smallest unit; 0 when the payer chooses the amount; at most 340282366920938463463374607431768211455 */
  amount: string;
  /** Symbol of the token */
  token: string;
  /** CAIP-2 identifier of the network */
  network: string;
  /** Longer description; may be empty */
  description: string;
  /** Receiving address in canonical form */
  receive_address: string;
  /** Whether the wallet has proven `receive_address`: it is the wallet's own address, or it signed a challenge (`POST /api/receivers/challenge`). A payment that also pays a PayLink of a merchant who has proven the address counts for that merchant. */
  receiver_verified: boolean;
  /** URL of an image; absent without one */
  image_url?: string;
  /** Whether the PayLink accepts payments */
  active: boolean;
  /** Number of counted payments */
  payment_count: number;
  /** Counted payments that the merchant confirmed, because no node of the network is configured */
  unverified_count: number;
  /** Whether payments can be verified: a node of the network is configured. Without one, submitted payments are `unverifiable` and count only after the merchant confirms them. */
  verifiable: boolean;
  /** What a payer may add to the transfer, so that it counts for this PayLink only: on EVM networks bytes at the end of the transaction data, on Solana and Tron a memo, on TON a comment. Null on other networks. */
  reference: string | null;
  /** Whether the payer chooses the amount */
  open_amount: boolean;
  /** With an open amount: the smallest counted payment; null otherwise */
  min_amount: string | null;
  /** Expiry; null means never */
  expires_at: string | null;
  /** Largest number of counted payments; null means no limit */
  max_payments: number | null;
  /** Private metadata; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Where the page sends the payer after the payment; null without one */
  success_url: string | null;
  /** Where a payer who does not pay returns to */
  cancel_url: string | null;
  /** Creation time */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface CreatePayLinkRequest {
  /** Name of the product or purpose */
  name: string;
  /** Smallest payment, smallest unit; 0 when the payer chooses the amount; optional then; at most 340282366920938463463374607431768211455 */
  amount?: string;
  /** Token to pay with, supported on the network; `defaultToken` of the settings unless given */
  token?: string;
  /** Network to pay on: id, CAIP-2 or short name; `defaultChain` of the settings unless given */
  network?: string;
  /** Longer description; may be empty */
  description: string;
  /** Receiving address on the network */
  receiveAddress: string;
  /** URL of an image, for apps of the merchant. The page of the link loads no image of another site */
  imageUrl?: string;
  /** Expiry; later payments are not counted */
  expiresAt?: string;
  /** Largest number of counted payments */
  maxPayments?: number;
  /** Whether the payer chooses the amount */
  openAmount?: boolean;
  /** With openAmount: the smallest counted payment, smallest unit; 1 unless given; at most 340282366920938463463374607431768211455 */
  minAmount?: string;
  /** Private metadata, shown only to the merchant; at most 4,096 bytes as JSON and 5 levels */
  metadata?: { [name: string]: unknown };
  /** Where the page sends the payer after the payment */
  successUrl?: string;
  /** Where a payer who does not pay returns to */
  cancelUrl?: string;
}

export interface TogglePayLinkRequest {
  /** Whether the PayLink accepts payments from now on */
  active: boolean;
}

export interface PayLinkDeleted {
  /** Always true: the PayLink is deleted */
  ok: boolean;
}

export interface PublicPayLink {
  /** Id of the PayLink */
  id: string;
  /** Name of the product or purpose */
  name: string;
  /** Smallest payment, smallest unit; 0 when the payer chooses the amount; at most 340282366920938463463374607431768211455 */
  amount: string;
  /** Symbol of the token */
  token: string;
  /** CAIP-2 identifier of the network */
  network: string;
  /** Longer description; may be empty */
  description: string;
  /** Name of the shop: `storeName` of the merchant's settings, one line of at most 64 characters; null without one. It is not verified */
  storeName: string | null;
  /** Colour of the buttons: `storeColor` of the merchant's settings; null without one */
  storeColor: string | null;
  /** Path of the shop's logo on this server, from `storeLogo` of the merchant's settings; null without one */
  storeLogo: string | null;
  /** Origins of pages that may show this page in a frame: `embedOrigins` of the merchant's settings */
  embedOrigins: string[];
  /** Receiving address */
  receiveAddress: string;
  /** URL of an image; absent without one */
  imageUrl?: string;
  /** Expiry; null means never */
  expiresAt: string | null;
  /** Whether the payer chooses the amount */
  openAmount: boolean;
  /** With an open amount: the smallest counted payment; null otherwise */
  minAmount: string | null;
  /** Where to send the payer after the payment; null without one */
  successUrl: string | null;
  /** Where a payer who does not pay returns to */
  cancelUrl: string | null;
  /** Token contract; null for the native coin */
  tokenAddress: string | null;
  /** Decimals of the token */
  decimals: number;
  /** Whether the merchant has proven the receiving address; otherwise the page warns the payer */
  receiverVerified: boolean;
  /** What a payer may add to the transfer, so that it counts for this PayLink only: on EVM networks bytes at the end of the transaction data, on Solana and Tron a memo, on TON a comment; null on other networks. Payments without it count too. With the native coin of an EVM network, append it only when the receiver accepts data. */
  reference: string | null;
}

export interface PayLinkCheckoutRequest {
  /** What the payer wants to pay, smallest unit: where the payer chooses the amount; at most 340282366920938463463374607431768211455 */
  amount?: string;
  /** A random UUID: the same key and amount again return the same checkout */
  key?: string;
}

export interface PayLinkCheckout {
  /** Payment request of this checkout: read, execute and follow it by `/api/v1/payment/{id}` */
  payment_request_id: string;
  /** URL of the checkout page */
  payment_link: string;
  /** The checkout can be paid until then */
  expires_at: string;
}

export interface RecordPaymentRequest {
  /** Hash of the paying transaction */
  txHash: string;
}

export interface RecordPaymentReply {
  /** Whether the payment is counted */
  success: boolean;
  /** Whether Tollbridge verified the payment on the chain */
  verified: boolean;
  /** State of a payment that is neither counted nor rejected. `pending` counts once it has its confirmations. `unverifiable` waits until the merchant confirms or rejects it, since no node of the network is configured. `partial` is less than the amount: it counts together with the rest, once the same address has paid it and that transaction is submitted. The other states are real payments that arrived while the PayLink accepted none */
  status?: 'pending' | 'unverifiable' | 'partial' | 'excess' | 'late' | 'inactive';
  /** Why the payment is not counted */
  error?: string;
}

export interface PayLinkPayment {
  /** Id of the payment */
  id: string;
  /** Transaction hash */
  tx_hash: string;
  /** `counted` is part of `payment_count`. `unverifiable` waits for the merchant's decision. `partial` is less than the amount. `excess`, `late` and `inactive` are real payments that arrived while the PayLink accepted none */
  status: 'pending' | 'unverifiable' | 'counted' | 'partial' | 'excess' | 'late' | 'inactive' | 'rejected';
  /** Whether Tollbridge verified the payment on the chain */
  verified: boolean;
  /** Whether the merchant confirmed the payment */
  confirmed: boolean;
  /** Paid amount with all its parts, smallest unit */
  amount: string | null;
  /** Address of the payer */
  payer: string | null;
  /** Value in US dollars when counted; null without a price */
  value_usd: string | null;
  /** Order of a payment by the checkout; null for a submitted transaction */
  order_id: string | null;
  /** The counted payment that a `partial` one is a part of; null otherwise */
  part_of: string | null;
  /** Why the payment is not counted */
  reason: string | null;
  /** Block time */
  paid_at: string | null;
  /** Submission time */
  recorded_at: string;
  /** While the payment waits for the merchant's decision: the receiver's balance before and now, smallest unit. It is a hint, not a proof: other transfers change it too. Null otherwise. */
  receiver_balance: ReceiverBalance | null;
}

export interface ReceiverBalance {
  /** Balance when the payment was submitted; null when it was not read */
  at_report: string | null;
  /** Current balance; null when it was not read */
  now: string | null;
}

export interface ExceptionsReply {
  /** Newest first */
  exceptions: PaymentException[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface PaymentException {
  /** Id of the exception */
  id: string;
  /** What is different from the payment that was asked for */
  kind: 'partial' | 'overpaid' | 'excess' | 'late' | 'inactive' | 'other_token' | 'other_network' | 'plain_transfer' | 'second_payment' | 'refund';
  /** `open` until it is resolved */
  status: 'open' | 'resolved';
  /** `completed`: the payment counts now. `reverted`: the chain dropped the transaction. `returned`: the money was sent back. `merchant`: you closed it. Null while it is open */
  resolution: 'completed' | 'reverted' | 'returned' | 'merchant' | null;
  /** PayLink that was paid; null for orders */
  paylink_id: string | null;
  /** Order that was paid; null for PayLinks */
  order_id: string | null;
  /** Network on which the money arrived: CAIP-2 identifier or short name */
  network: string;
  /** Token that arrived: its symbol, or its contract where it is unknown */
  token: string;
  /** Amount that the exception is about, smallest unit */
  amount: string;
  /** Transaction */
  tx_hash: string | null;
  /** Sender; null where it is unknown */
  payer: string | null;
  /** What happened, in words */
  reason: string;
  /** When it was recorded */
  created_at: string;
  /** Time of the last change */
  updated_at: string;
}

export interface ReceiverChallengeRequest {
  /** Receiving address: EVM, Solana or TON */
  address: string;
  /** EVM only: the chain on which a contract is verified; 1 if absent */
  chainId?: number;
}

export interface ReceiverChallengeReply {
  /** Receiving address in canonical form */
  address: string;
  /** Wallet of the merchant */
  wallet: string;
  /** Method of the proof */
  scheme: 'eip4361' | 'ton_proof' | 'solana';
  /** Valid for one proof of this address within five minutes */
  nonce: string;
  /** EVM and Solana: the text to sign with the receiving address, unchanged, by `personal_sign` or `signMessage` */
  message?: string;
  /** TON: the payload of `ton_proof` */
  payload?: string;
  /** The signed domain */
  domain: string;
  /** EVM: the chain */
  chainId?: number;
  /** Issue time */
  issuedAt: string;
  /** Expiry time */
  expiresAt: string;
}

export interface VerifyReceiverRequest {
  /** Receiving address: EVM, Solana or TON */
  address: string;
  /** Valid for one proof of this address within five minutes */
  nonce: string;
  /** EVM and Solana: the message of the challenge, unchanged */
  message?: string;
  /** EVM: hexadecimal, including contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes */
  signature?: string;
  /** TON: `ton_proof` as TON Connect returns it */
  proof?: TonProofRequest;
}

export interface TonProofRequest {
  /** Unix seconds */
  timestamp: number;
  /** Domain and its length */
  domain: ProofDomain;
  /** Payload of the challenge */
  payload: string;
  /** Base64 of 64 bytes */
  signature: string;
  /** Base64 of the account's state-init: `walletStateInit` of TON Connect */
  stateInit: string;
}

export interface ProofDomain {
  /** Length in UTF-8 bytes */
  lengthBytes: number;
  /** The domain that the wallet showed */
  value: string;
}

export interface Receiver {
  /** Receiving address in canonical form */
  address: string;
  /** Method of the proof */
  scheme: 'eip4361' | 'ton_proof' | 'solana';
  /** Chain to which the proof is limited, because a contract signed there. Null: the proof is valid on all chains of the family */
  chainId: number | null;
  /** Time of the proof */
  verifiedAt: string;
}

export interface ReceiverDeleted {
  /** Always true: the proof is deleted */
  ok: boolean;
}

export interface KeyView {
  /** Id of the API key */
  id: string;
  /** Publishable half of the key. It may be public: without a signature it cannot call operations that move money */
  key: string;
  /** Label of the key */
  label: string;
  /** Permissions of the key */
  permissions: ('read' | 'pay' | 'write' | 'settings' | 'webhooks')[];
  /** Monthly budget (UTC months), US dollars; empty means no limit */
  monthlyBudget: string;
  /** Limit for one spend, US dollars; empty means no limit */
  maxPerTx: string;
  /** Whether the key is accepted */
  enabled: boolean;
  /** Spent and reserved this month, US dollars; a JSON number */
  usedBudget: number;
  /** Plan of the key: its rate limit */
  plan: 'free' | 'pro' | 'enterprise';
  /** Until when the previous secret is accepted; null when it is not */
  previousSecretValidUntil: string | null;
  /** Creation time */
  createdAt: string;
}

export interface CreateKeyRequest {
  /** Label of the key */
  label: string;
  /** Permissions: `read` reads all data of the wallet; `pay` pays; `write` creates, changes and buys; `settings` changes merchant settings, the webhook address included; `webhooks` creates and shows a webhook secret */
  permissions: ('read' | 'pay' | 'write' | 'settings' | 'webhooks')[];
  /** Monthly budget (UTC months), US dollars; empty means no limit */
  monthlyBudget?: string;
  /** Limit for one spend; at most `monthlyBudget`, US dollars; empty means no limit */
  maxPerTx?: string;
}

export interface CreateKeyReply {
  /** Id of the API key */
  id: string;
  /** Publishable half of the key. It may be public: without a signature it cannot call operations that move money */
  key: string;
  /** Secret half of the key. Shown only once; Tollbridge stores a hash of it */
  secret: string;
  /** Creation time */
  createdAt: string;
}

export interface ToggleKeyRequest {
  /** Whether the key is accepted from now on */
  enabled: boolean;
}

export interface RegenerateKeyRequest {
  /** How long the current secret stays valid; at most one week */
  gracePeriodSeconds?: number;
}

export interface RegenerateKeyReply {
  /** Secret half of the key. Shown only once; Tollbridge stores a hash of it */
  secret: string;
  /** Until when the previous secret is accepted; null when it is no longer accepted */
  previousSecretValidUntil: string | null;
}

export interface DeleteKeyReply {
  /** Always true */
  ok: boolean;
}

export interface SpendsReply {
  /** Newest first */
  spends: SpendView[];
  /** Number of `spends` in this reply */
  count: number;
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
  /** Same as `next_cursor` */
  nextCursor: string | null;
}

export interface SpendView {
  /** Id of the order or transaction set that was paid */
  reference: string;
  /** Kind of spend */
  kind: 'order' | 'swap' | 'purchase' | 'topup' | 'payout';
  /** Human-readable description */
  description: string;
  /** `reserved` and `captured` spends count against the month; `released` spends do not */
  status: 'reserved' | 'captured' | 'released';
  /** Value in US dollars; null when no price was available */
  valueUsd: string | null;
  /** Month (UTC) of the budget that the spend counts against */
  month: string;
  /** Whether the payment arrived after the reservation was released. It then counts even above the budget */
  late: boolean;
  /** Reservation time */
  reservedAt: string;
  /** Time of capture or release; null before */
  endedAt: string | null;
}

export interface ChallengeRequest {
  /** Wallet address: EVM, Solana or TON */
  wallet: string;
  /** EVM only: the chain on which a contract wallet is verified; 1 if absent */
  chainId?: number;
}

export interface ChallengeReply {
  /** Wallet address in canonical form */
  wallet: string;
  /** Method of the wallet proof */
  scheme: 'eip4361' | 'ton_proof' | 'solana';
  /** Valid for one sign-in of this wallet within five minutes */
  nonce: string;
  /** EVM and Solana: the text to sign unchanged, with `personal_sign` or `signMessage` */
  message?: string;
  /** TON: the payload of `ton_proof` */
  payload?: string;
  /** The signed domain */
  domain: string;
  /** EVM: the chain */
  chainId?: number;
  /** Issue time */
  issuedAt: string;
  /** Expiry time */
  expiresAt: string;
}

export interface VerifyRequest {
  /** Wallet address: EVM, Solana or TON */
  wallet: string;
  /** Valid for one sign-in of this wallet within five minutes */
  nonce: string;
  /** EVM and Solana: the message of the challenge, unchanged */
  message?: string;
  /** EVM: hexadecimal, including contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes */
  signature?: string;
  /** TON: `ton_proof` as TON Connect returns it */
  proof?: TonProofRequest;
}

export interface VerifyReply {
  /** Session token, shown only once. Send it as `Authorization: Bearer` together with `x-wallet` */
  token: string;
  /** Wallet address in canonical form */
  wallet: string;
  /** Id of the session, for revoking it */
  sessionId: string;
  /** Expiry time */
  expiresAt: string;
}

export interface SessionsReply {
  /** Active sessions, newest first */
  sessions: Session[];
}

export interface Session {
  /** Id of the session */
  id: string;
  /** Method of the wallet proof */
  scheme: 'eip4361' | 'ton_proof' | 'solana';
  /** EVM: the chain of the challenge */
  chainId: number | null;
  /** Sign-in time */
  createdAt: string;
  /** Expiry time */
  expiresAt: string;
}

export interface SessionRevokedReply {
  /** Always true */
  ok: boolean;
}

export interface SettingsDeleted {
  /** Always true: the settings are deleted */
  ok: boolean;
}

export interface WebhooksReply {
  /** Newest first */
  webhooks: WebhookMessage[];
  /** Number of `webhooks` in this reply */
  count: number;
  /** The limit that was used */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
  /** Same as `next_cursor` */
  nextCursor: string | null;
}

export interface WebhookMessage {
  /** Id of the message; the `webhook-id` of each attempt */
  id: string;
  /** Type of the message */
  type: 'order.created' | 'order.settling' | 'order.settled' | 'order.reopened' | 'order.failed' | 'order.exception' | 'order.expired' | 'order.reorged' | 'order.refunded' | 'payment.executing' | 'payment.completed' | 'payment.failed' | 'payment.expired' | 'paylink.paid' | 'paylink.payment_unverifiable' | 'paylink.payment_rejected' | 'paylink.payment_reverted' | 'payment.exception' | 'transaction.completed' | 'transaction.failed' | 'purchase.completed' | 'purchase.failed' | 'key.budget_warning' | 'key.budget_reached' | 'payout.updated' | 'webhook.test';
  /** Delivery state */
  status: 'pending' | 'delivered' | 'failing' | 'parked';
  /** Number of attempts */
  attempts: number;
  /** HTTP status of the response; null without a response */
  lastStatus: number | null;
  /** Error of the last attempt; null without one */
  lastError: string | null;
  /** Time of the next attempt, not before the end of a pause of the endpoint; null without one */
  nextAttemptAt: string | null;
  /** Creation time */
  createdAt: string;
}

export interface WebhookEndpointReply {
  /** Address that receives messages: `webhookUrl` of the settings; null without one */
  url: string | null;
  /** False without a URL, and after the endpoint responded 410 Gone */
  enabled: boolean;
  /** Circuit breaker. Open after five consecutive failures: one message at a time probes whether the endpoint has recovered */
  circuit: 'closed' | 'open';
  /** No message is sent before this time; null when nothing delays messages */
  pausedUntil: string | null;
  /** Creation time of the secret; null before the settings first contain a URL */
  secretCreatedAt: string | null;
  /** Until when messages are also signed with the previous secret; null when they are not */
  previousSecretUntil: string | null;
}

export interface WebhookTypesReply {
  /** All message types */
  types: WebhookTypeView[];
}

export interface WebhookTypeView {
  /** Type of the message */
  name: 'order.created' | 'order.settling' | 'order.settled' | 'order.reopened' | 'order.failed' | 'order.exception' | 'order.expired' | 'order.reorged' | 'order.refunded' | 'payment.executing' | 'payment.completed' | 'payment.failed' | 'payment.expired' | 'paylink.paid' | 'paylink.payment_unverifiable' | 'paylink.payment_rejected' | 'paylink.payment_reverted' | 'payment.exception' | 'transaction.completed' | 'transaction.failed' | 'purchase.completed' | 'purchase.failed' | 'key.budget_warning' | 'key.budget_reached' | 'payout.updated' | 'webhook.test';
  /** When the message is sent */
  description: string;
  /** JSON Schema of the message */
  schema: { [name: string]: unknown };
  /** Example of the message */
  example: { [name: string]: unknown };
}

export interface WebhookDetails {
  /** Id of the message; the `webhook-id` of each attempt */
  id: string;
  /** Type of the message */
  type: 'order.created' | 'order.settling' | 'order.settled' | 'order.reopened' | 'order.failed' | 'order.exception' | 'order.expired' | 'order.reorged' | 'order.refunded' | 'payment.executing' | 'payment.completed' | 'payment.failed' | 'payment.expired' | 'paylink.paid' | 'paylink.payment_unverifiable' | 'paylink.payment_rejected' | 'paylink.payment_reverted' | 'payment.exception' | 'transaction.completed' | 'transaction.failed' | 'purchase.completed' | 'purchase.failed' | 'key.budget_warning' | 'key.budget_reached' | 'payout.updated' | 'webhook.test';
  /** Delivery state */
  status: 'pending' | 'delivered' | 'failing' | 'parked';
  /** Number of attempts */
  attempts: number;
  /** HTTP status of the response; null without a response */
  lastStatus: number | null;
  /** Error of the last attempt; null without one */
  lastError: string | null;
  /** Time of the next attempt, not before the end of a pause of the endpoint; null without one */
  nextAttemptAt: string | null;
  /** Creation time */
  createdAt: string;
  /** Content of the message, as an object; see the type */
  payload: { [name: string]: unknown };
  /** The last 20 attempts, newest first */
  log: WebhookAttempt[];
}

export interface WebhookAttempt {
  /** Time of the attempt */
  at: string;
  /** Milliseconds until the response, or until the attempt was aborted */
  ms: number;
  /** HTTP status of the response; null without a response */
  status: number | null;
  /** Error of the attempt; null when it succeeded */
  error: string | null;
}

export interface ListenToWebhooksRequest {
  /** How long messages are recorded; call again before the time has passed */
  seconds?: number;
}

export interface ListenToWebhooksReply {
  /** Until when messages are recorded */
  until: string;
  /** Address that receives the messages too: `webhookUrl` of the settings; null without one */
  url: string | null;
}

export interface WebhookTestRequest {
  /** Type of the message; `webhook.test` unless given. Other types carry the example of the type as `data`, and exist in the sandbox only */
  type?: 'order.created' | 'order.settling' | 'order.settled' | 'order.reopened' | 'order.failed' | 'order.exception' | 'order.expired' | 'order.reorged' | 'order.refunded' | 'payment.executing' | 'payment.completed' | 'payment.failed' | 'payment.expired' | 'paylink.paid' | 'paylink.payment_unverifiable' | 'paylink.payment_rejected' | 'paylink.payment_reverted' | 'payment.exception' | 'transaction.completed' | 'transaction.failed' | 'purchase.completed' | 'purchase.failed' | 'key.budget_warning' | 'key.budget_reached' | 'payout.updated' | 'webhook.test';
}

export interface WebhookTestReply {
  /** Id of the message; the `webhook-id` of each attempt */
  id: string;
  /** Whether the endpoint accepted the message */
  delivered: boolean;
  /** HTTP status of the response; null without a response */
  status: number | null;
  /** Error of the attempt; null when it succeeded */
  error: string | null;
  /** Milliseconds until the response, or until the attempt was aborted */
  ms: number;
}

export interface RotateWebhookSecretRequest {
  /** How long messages are also signed with the previous secret; 0 when the previous secret has leaked */
  gracePeriodSeconds?: number;
}

export interface WebhookSecretReply {
  /** The new secret, shown only once. Pass it to the Standard Webhooks library of your language */
  secret: string;
  /** Creation time */
  createdAt: string;
  /** Until when messages are also signed with the previous secret; null when they are not */
  previousSecretUntil: string | null;
}

export interface CatalogReply {
  /** Services in catalog order */
  services: CatalogService[];
  /** Number of services in this reply */
  count: number;
}

export interface CatalogService {
  /** Id of the service */
  id: string;
  /** Display name */
  name: string;
  /** Category of the service */
  category: string;
  /** Description of the service */
  description: string;
  /** Price */
  price: ServicePrice;
  /** Method of the first route */
  method: 'GET' | 'POST';
  /** Path of the first route */
  route: string;
  /** Example input of the first route */
  request: { [name: string]: unknown };
  /** All routes, including the first one */
  routes: ServiceRoute[];
  /** Additional search terms */
  keywords: string[];
  /** Whether the service is currently available */
  available: boolean;
  /** `not_configured`: this deployment has no provider for it; calls return 503 */
  availability: 'available' | 'not_configured';
}

export interface ServicePrice {
  /** Pricing model: `free`, `face_value` (the purchase has its own price), `provider_price` (the provider's price for each item), `percentage` (a part of the amount) */
  model: 'free' | 'face_value' | 'provider_price' | 'percentage';
  /** Human-readable price */
  description: string;
}

export interface ServiceRoute {
  /** Method */
  method: 'GET' | 'POST';
  /** Path */
  route: string;
  /** Example of the input: the body with POST, path and query with GET */
  request: { [name: string]: unknown };
}

export interface CatalogSearchReply {
  /** Matching services, best match first */
  services: CatalogService[];
  /** Number of services in this reply */
  count: number;
}

export interface PayoutRequest {
  /** Paying wallet: the wallet of the API key. In previews on chains of another family: any address of the chain */
  wallet: string;
  /** Chain to pay on, any listed one: id, CAIP-2 or short name */
  chain: string;
  /** Token to pay with: symbol or contract address */
  token: string;
  /** Recipients and amounts: a list of up to 1000, or the JSON text of such a list */
  recipients: PayoutRecipient[] | string;
  /** Whether an address may occur more than once in the list; it is then paid each time */
  allowDuplicates?: boolean;
}

export interface PayoutRecipient {
  /** Recipient: an address of the chain */
  address: string;
  /** Amount in whole tokens: 12.5 is twelve and a half. Parsed exactly, with at most as many decimals as the token has; a JSON number with at most 15 digits */
  amount: number;
}

export interface PayoutPreview {
  /** Paying wallet, in canonical form */
  wallet: string;
  /** CAIP-2 identifier of the chain */
  chain: string;
  /** Symbol of the token */
  token: string;
  /** Number of transfers */
  recipientCount: number;
  /** Sum for all recipients in whole tokens, without the fee; a JSON number */
  totalAmount: number;
  /** The same amount, exact, in the smallest unit */
  totalAmountAtomic: string;
  /** Half a percent of the total, rounded up to the smallest unit; paid on top of the total; a JSON number */
  fee: number;
  /** The same amount, exact, in the smallest unit */
  feeAtomic: string;
  /** Gas of all transfers together: units of gas on EVM chains, elsewhere the usual fee in the coin's smallest unit */
  estimatedGas: string;
  /** `simulated`: every transfer was simulated on the newest block. `assumed`: some fail in the wallet's current state, or the chain has no node here; they count with a typical cost */
  gasSource: 'simulated' | 'assumed';
  /** Warnings to review before paying; the first 100 */
  warnings: PayoutWarning[];
  /** Number of all warnings */
  warningCount: number;
}

export interface PayoutWarning {
  /** Type of the warning */
  code: 'LOOK_ALIKE' | 'DUPLICATE' | 'OWN_WALLET' | 'INSUFFICIENT_BALANCE' | 'RECIPIENT_REFUSED' | 'NOT_SIMULATED';
  /** The field that the warning concerns */
  field: string;
  /** Human-readable text */
  message: string;
}

export interface PayoutReply {
  /** Paying wallet, in canonical form */
  wallet: string;
  /** CAIP-2 identifier of the chain */
  chain: string;
  /** Symbol of the token */
  token: string;
  /** Number of transfers */
  recipientCount: number;
  /** Sum for all recipients in whole tokens, without the fee; a JSON number */
  totalAmount: number;
  /** The same amount, exact, in the smallest unit */
  totalAmountAtomic: string;
  /** Half a percent of the total, rounded up to the smallest unit; paid on top of the total; a JSON number */
  fee: number;
  /** The same amount, exact, in the smallest unit */
  feeAtomic: string;
  /** Gas of all transfers together: units of gas on EVM chains, elsewhere the usual fee in the coin's smallest unit */
  estimatedGas: string;
  /** `simulated`: every transfer was simulated on the newest block. `assumed`: some fail in the wallet's current state, or the chain has no node here; they count with a typical cost */
  gasSource: 'simulated' | 'assumed';
  /** Warnings to review before paying; the first 100 */
  warnings: PayoutWarning[];
  /** Number of all warnings */
  warningCount: number;
  /** Id of the payout */
  payoutId: string;
  /** `pending`: recorded. `GET /payout/{id}` reports its on-chain status */
  status: 'pending';
  /** Human-readable next step */
  message: string;
  /** Submission time */
  createdAt: string;
}

export interface PayoutsReply {
  /** Newest first */
  payouts: PayoutSummary[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface PayoutSummary {
  /** Id of the payout */
  payoutId: string;
  /** CAIP-2 identifier of the chain */
  chain: string;
  /** Symbol of the token */
  token: string;
  /** Number of transfers */
  recipientCount: number;
  /** Sum for all recipients, without the fee, smallest unit */
  totalAmountAtomic: string;
  /** Fee on top of the sum, smallest unit */
  feeAtomic: string;
  /** On-chain status; null for a payout that is not paid on chain */
  state: 'awaiting_approval' | 'sending' | 'completed' | 'partly_paid' | 'failed' | 'rejected' | 'expired' | null;
  /** Deadline for the approval; null when there is nothing to approve */
  approveBefore: string | null;
  /** Submission time */
  createdAt: string;
}

export interface PayoutRecord {
  /** Paying wallet, in canonical form */
  wallet: string;
  /** CAIP-2 identifier of the chain */
  chain: string;
  /** Symbol of the token */
  token: string;
  /** Number of transfers */
  recipientCount: number;
  /** Sum for all recipients in whole tokens, without the fee; a JSON number */
  totalAmount: number;
  /** The same amount, exact, in the smallest unit */
  totalAmountAtomic: string;
  /** Half a percent of the total, rounded up to the smallest unit; paid on top of the total; a JSON number */
  fee: number;
  /** The same amount, exact, in the smallest unit */
  feeAtomic: string;
  /** Gas of all transfers together: units of gas on EVM chains, elsewhere the usual fee in the coin's smallest unit */
  estimatedGas: string;
  /** `simulated`: every transfer was simulated on the newest block. `assumed`: some fail in the wallet's current state, or the chain has no node here; they count with a typical cost */
  gasSource: 'simulated' | 'assumed';
  /** Warnings to review before paying; the first 100 */
  warnings: PayoutWarning[];
  /** Number of all warnings */
  warningCount: number;
  /** Id of the payout */
  payoutId: string;
  /** `pending`: recorded. `GET /payout/{id}` reports its on-chain status */
  status: 'pending';
  /** Human-readable next step */
  message: string;
  /** Submission time */
  createdAt: string;
  /** On-chain status; null for a payout that is not paid on chain: on-chain submission was off, or it pays the native coin */
  state: 'awaiting_approval' | 'sending' | 'completed' | 'partly_paid' | 'failed' | 'rejected' | 'expired' | null;
  /** Deadline for the approval; null when there is nothing to approve */
  approveBefore: string | null;
  /** While the payout waits for approval: the allowance of Permit2; null when the chain does not respond */
  allowance: PayoutAllowance | null;
  /** Batches of the payout; empty when it is not paid on chain */
  batches: PayoutBatch[];
  /** Recipients and amounts, as submitted */
  recipients: PaidRecipient[];
}

export interface PayoutAllowance {
  /** Address of Permit2, which needs the allowance */
  spender: string;
  /** Required allowance */
  neededAtomic: string;
  /** Current allowance */
  allowedAtomic: string;
  /** Transaction in which the wallet approves the allowance, ready to sign; null when not needed */
  transaction: {
    /** Chain id */
    chainId: number;
    /** The token contract */
    to: string;
    /** Calldata, hexadecimal */
    data: string;
    /** Native amount, wei */
    value: string;
  } | null;
}

export interface PayoutBatch {
  /** Number of the batch */
  index: number;
  /** Position of the batch's first recipient in the list */
  firstRecipient: number;
  /** Number of recipients in the batch */
  recipientCount: number;
  /** Sum for these recipients, in the smallest unit */
  totalAmountAtomic: string;
  /** Share of the fee */
  feeAtomic: string;
  /** `waiting`: needs its signature. `ready`: to be sent. `sending`: sent, not final yet. `paid`: final. `failed`: not paid, and no longer payable */
  status: 'waiting' | 'ready' | 'sending' | 'paid' | 'failed';
  /** Why the batch is not paid, or not paid yet */
  reason: string | null;
  /** Transaction that pays the batch; null before */
  transactionHash: string | null;
  /** Typed data for the wallet's `eth_signTypedData_v4`: a Permit2 permission that pays exactly this list, once; null when nothing has to be signed */
  typedData: { [name: string]: unknown } | null;
}

export interface PaidRecipient {
  /** Recipient: an address of the chain */
  address: string;
  /** Amount in whole tokens; a JSON number */
  amount: number;
  /** The same amount, exact, in the smallest unit */
  amountAtomic: string;
  /** `pending`: nothing was sent. `sending`: the batch is being sent. `paid`: final. `refused`: the token rejected the transfer, and the amount was returned. `failed`: the batch was not paid */
  status: 'pending' | 'sending' | 'paid' | 'refused' | 'failed';
  /** Transaction that paid the recipient; null before */
  transactionHash: string | null;
}

export interface PayoutApproval {
  /** The wallet's signatures of the batches' `typedData`, in batch order, hexadecimal: from its key, or from a contract wallet (ERC-1271) */
  signatures: string[];
}

export interface PayoutDecision {
  /** Id of the payout */
  payoutId: string;
  /** Status after the call */
  state: 'awaiting_approval' | 'sending' | 'completed' | 'partly_paid' | 'failed' | 'rejected' | 'expired';
}

export interface EmailDomainsReply {
  /** The provider changes them from time to time */
  domains: EmailDomain[];
}

export interface EmailDomain {
  /** Id of the message at the provider */
  id: string;
  /** Domains on which accounts can be created */
  domain: string;
}

export interface EmailAccountRequest {
  /** Local part of the address, before the @; random by default */
  username?: string;
}

export interface EmailAccount {
  /** Email address */
  address: string;
  /** Password, shown only once and stored nowhere */
  password: string;
  /** Secret token for reading the messages */
  token: string;
  /** Id of the account at the provider */
  id: string;
}

export interface EmailMessagesReply {
  /** Newest first */
  messages: EmailMessageSummary[];
  /** Number of `messages` in this reply */
  count: number;
  /** Page number */
  page: number;
}

export interface EmailMessageSummary {
  /** Id of the message */
  id: string;
  /** Sender, as the message claims */
  from: EmailParty;
  /** Recipients */
  to: EmailParty[];
  /** Subject; may be empty */
  subject: string;
  /** Beginning of the text */
  intro: string;
  /** Whether the message was opened */
  seen: boolean;
  /** Whether the message has attachments */
  hasAttachments: boolean;
  /** Size in bytes */
  size: number;
  /** Time of arrival */
  createdAt: string;
}

export interface EmailParty {
  /** Address */
  address: string;
  /** Display name; may be empty */
  name: string;
}

export interface EmailMessageDetails {
  /** Id of the message */
  id: string;
  /** Sender, as the message claims */
  from: EmailParty;
  /** Recipients */
  to: EmailParty[];
  /** Subject; may be empty */
  subject: string;
  /** Beginning of the text */
  intro: string;
  /** Whether the message was opened */
  seen: boolean;
  /** Whether the message has attachments */
  hasAttachments: boolean;
  /** Size in bytes */
  size: number;
  /** Time of arrival */
  createdAt: string;
  /** Plain text; empty when the message has only HTML */
  text: string;
  /** HTML as the sender wrote it: sanitise it before display. Null when there is none */
  html: string | null;
  /** Whether text or HTML were truncated */
  truncated: boolean;
  /** Confirmation code found in the message; null when there is none */
  code: string | null;
}

export interface EmailAccountAndWaitRequest {
  /** Local part of the address, before the @; random by default */
  username?: string;
  /** Seconds to wait for the first message, at most 120 */
  timeout?: number;
}

export interface EmailAccountAndWaitReply {
  /** Email address */
  address: string;
  /** Password, shown only once and stored nowhere */
  password: string;
  /** Secret token for reading the messages */
  token: string;
  /** Id of the account at the provider */
  id: string;
  /** First message; null when none arrived in time */
  message: FirstEmail | null;
  /** Confirmation code found in the message; null when there is none */
  code: string | null;
  /** True when no message arrived in time; the account remains, and can be read */
  timeout: boolean;
}

export interface FirstEmail {
  /** Id of the message */
  id: string;
  /** Sender, as the message claims */
  from: EmailParty;
  /** Subject; may be empty */
  subject: string;
  /** Plain text; empty when the message has only HTML */
  text: string;
  /** Time of arrival */
  createdAt: string;
}

export interface AgentInboxRequest {
  /** Name of the inbox. Its letters and digits become the address */
  name: string;
}

export interface AgentInbox {
  /** Id of the inbox at the provider */
  inboxId: string;
  /** The same id, as `POST /agentmail/send` takes it */
  inbox_id: string;
  /** Email address of the inbox */
  email: string;
  /** Name of the inbox */
  name: string;
  /** Creation time */
  createdAt: string;
}

export interface AgentSendRequest {
  /** Inbox of the wallet: `inbox_id` */
  inbox_id: string;
  /** Recipient: one address */
  to: string;
  /** Subject, one line */
  subject: string;
  /** Text of the message */
  text: string;
}

export interface AgentSendReply {
  /** Message-ID header of the mail */
  messageId: string;
  /** Id of the conversation */
  threadId: string;
}

export interface EmailSendRequest {
  /** Recipient: one address */
  to: string;
  /** Subject, one line */
  subject: string;
  /** Plain text of the message; required unless `html` is given */
  text?: string;
  /** HTML of the message, sent unchanged */
  html?: string;
  /** Sender: an address on the domain of this deployment, optionally with a name. The first wallet that sends from an address owns it; names of roles, such as postmaster, belong to the operator. Payers without an account send from addresses of `POST /resend/agent-email`. By default the address of this deployment */
  from?: string;
}

export interface EmailSendReply {
  /** Id of the mail at the provider */
  id: string;
  /** Sender */
  from: string;
}

export interface AgentEmailRequest {
  /** Your own name for the agent. The same name always gets the same address; names are case-sensitive */
  agentId: string;
}

export interface AgentEmailReply {
  /** Email address of the agent */
  address: string;
  /** Domain of the address */
  domain: string;
}

export interface GiftCardProduct {
  /** Id of the product */
  productId: number;
  /** Product name */
  productName: string;
  /** Country of redemption */
  countryCode: string;
  /** Country name in English */
  countryName: string;
  /** Brand */
  brandName: string;
  /** Category of the shop */
  categoryName: string | null;
  /** `FIXED`: one of a list of amounts; `RANGE`: any amount between the smallest and the largest */
  denominationType: 'FIXED' | 'RANGE';
  /** Currency of `unitPrice` */
  recipientCurrencyCode: string;
  /** RANGE: smallest `unitPrice`; a JSON number */
  minRecipientDenomination: number | null;
  /** RANGE: largest `unitPrice`; a JSON number */
  maxRecipientDenomination: number | null;
  /** FIXED: possible values of `unitPrice` */
  fixedRecipientDenominations: number[];
  /** Currency that a purchase is paid in */
  senderCurrencyCode: string;
  /** RANGE: smallest price in that currency; a JSON number */
  minSenderDenomination: number | null;
  /** RANGE: largest price in that currency; a JSON number */
  maxSenderDenomination: number | null;
  /** FIXED: the same values in that currency */
  fixedSenderDenominations: number[];
  /** Fee for each card; a JSON number */
  senderFee: number;
  /** Fee in percent of the price; a JSON number */
  senderFeePercentage: number;
  /** Discount in percent of the price; a JSON number */
  discountPercentage: number;
  /** Images */
  logoUrls: string[];
  /** How the recipient redeems the card */
  redeemInstructions: string | null;
}

export interface GiftCardOrderRequest {
  /** Id of the product */
  productId: number;
  /** Country of the product, verified against it */
  countryCode?: string;
  /** Number of cards */
  quantity: number;
  /** Value of each card, in the product's `recipientCurrencyCode`; a JSON number with at most 15 digits and 5 decimals */
  unitPrice: number;
  /** Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase */
  customIdentifier?: string;
  /** Sender name that the recipient sees */
  senderName: string;
  /** The provider also sends the codes to this address */
  recipientEmail?: string;
}

export interface GiftCardOrder {
  /** Id of the purchase */
  id: string;
  /** Pass this as `customIdentifier` to read this purchase again without a new purchase */
  customIdentifier: string;
  /** Id of the transaction at the provider */
  transactionId: number;
  /** `SUCCESSFUL`: delivered. `PENDING`: accepted, not delivered yet; repeat the call with the same `customIdentifier` */
  status: 'SUCCESSFUL' | 'PENDING';
  /** Total price; a JSON number */
  amount: number;
  /** Currency of the price */
  currencyCode: string;
  /** Discount; a JSON number */
  discount: number;
  /** Fee; a JSON number */
  fee: number;
  /** Address to which the codes were also sent */
  recipientEmail: string | null;
  /** The purchased product */
  product: OrderedProduct;
  /** Purchase time */
  transactionCreatedTime: string;
  /** The redeem codes. They are money. Null while not available or not readable: repeat the call with the same `customIdentifier` */
  cards: GiftCardCode[] | null;
}

export interface OrderedProduct {
  /** Id of the product */
  productId: number;
  /** Product name */
  productName: string;
  /** Country of redemption */
  countryCode: string;
  /** Number of cards */
  quantity: number;
  /** Value of each card; a JSON number */
  unitPrice: number;
  /** Value of all cards; a JSON number */
  totalPrice: number;
  /** Currency of the values */
  currencyCode: string;
}

export interface GiftCardCode {
  /** Card number; null when the card has only a PIN */
  cardNumber: string | null;
  /** PIN of the card; null without one */
  pinCode: string | null;
}

export interface AirtimeOperator {
  /** Id of the operator */
  operatorId: number;
  /** Operator name */
  name: string;
  /** Country of the operator */
  countryCode: string;
  /** The phone number, in international form */
  phone: string;
  /** `FIXED`: one of a list of amounts; `RANGE`: any amount between the smallest and the largest */
  denominationType: 'FIXED' | 'RANGE';
  /** Currency that a top-up is paid in */
  senderCurrencyCode: string;
  /** Currency that the phone is credited in */
  destinationCurrencyCode: string;
  /** Whether `useLocalAmount` can be true */
  supportsLocalAmounts: boolean;
  /** RANGE: smallest `amount`; a JSON number */
  minAmount: number | null;
  /** RANGE: largest `amount`; a JSON number */
  maxAmount: number | null;
  /** RANGE: smallest amount with `useLocalAmount`; a JSON number */
  localMinAmount: number | null;
  /** RANGE: largest amount with `useLocalAmount`; a JSON number */
  localMaxAmount: number | null;
  /** FIXED: possible values of `amount` */
  fixedAmounts: number[];
  /** FIXED: possible values with `useLocalAmount` */
  localFixedAmounts: number[];
  /** Popular amounts */
  suggestedAmounts: number[];
  /** Most popular amount; a JSON number */
  mostPopularAmount: number | null;
  /** Exchange rate: destination currency for one unit of the sender currency; a JSON number */
  fxRate: number | null;
  /** Images */
  logoUrls: string[];
}

export interface TopUpRequest {
  /** Id of the operator */
  operatorId: number;
  /** Amount; a JSON number with at most 15 digits and 5 decimals */
  amount: number;
  /** `true`: the amount is in the destination currency; otherwise in the currency of the service balance */
  useLocalAmount?: boolean;
  /** Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase */
  customIdentifier?: string;
  /** Phone number to top up */
  recipientPhone: RecipientPhone;
}

export interface RecipientPhone {
  /** Country of the phone number */
  countryCode: string;
  /** Phone number */
  number: string;
}

export interface TopUp {
  /** Id of the purchase */
  id: string;
  /** Pass this as `customIdentifier` to read this purchase again without a new purchase */
  customIdentifier: string;
  /** Id of the transaction at the provider */
  transactionId: number;
  /** `SUCCESSFUL`: delivered. `PENDING`: accepted, not delivered yet; repeat the call with the same `customIdentifier` */
  status: 'SUCCESSFUL' | 'PENDING';
  /** Id of the transaction at the operator */
  operatorTransactionId: string | null;
  /** Id of the operator */
  operatorId: number;
  /** Operator name */
  operatorName: string;
  /** Country of the operator */
  countryCode: string;
  /** Phone number, in international form */
  recipientPhone: string;
  /** Paid amount; a JSON number */
  requestedAmount: number;
  /** Currency of the paid amount */
  requestedAmountCurrencyCode: string;
  /** Delivered amount; a JSON number */
  deliveredAmount: number | null;
  /** Currency of the delivered amount */
  deliveredAmountCurrencyCode: string | null;
  /** Discount; a JSON number */
  discount: number;
  /** Fee; a JSON number */
  fee: number;
  /** Time of the top-up */
  transactionDate: string;
  /** Redeem code, for top-ups that deliver one. It is money. Null otherwise, while not available, or not readable: repeat the call with the same `customIdentifier` */
  pinDetail: PinDetail | null;
}

export interface PinDetail {
  /** Code to enter on the phone or meter */
  code: string;
  /** Serial number of the code */
  serial: string | null;
  /** Further instructions */
  info: string | null;
}

export interface Biller {
  /** Id of the biller */
  id: number;
  /** Biller name */
  name: string;
  /** Country of the biller */
  countryCode: string;
  /** Type of the biller */
  type: string;
  /** `PREPAID` or `POSTPAID` */
  serviceType: string;
  /** `FIXED`: one of a list of amounts; `RANGE`: any amount between the smallest and the largest */
  denominationType: 'FIXED' | 'RANGE';
  /** Whether a bill needs an invoice number; such bills cannot be paid here */
  requiresInvoice: boolean;
  /** Whether `useLocalAmount` can be true */
  localAmountSupported: boolean;
  /** Currency of the bills */
  localTransactionCurrencyCode: string | null;
  /** Smallest amount with `useLocalAmount`; a JSON number */
  minLocalTransactionAmount: number | null;
  /** Largest amount with `useLocalAmount`; a JSON number */
  maxLocalTransactionAmount: number | null;
  /** Fee in the same currency; a JSON number */
  localTransactionFee: number | null;
  /** Fee in percent of the amount; a JSON number */
  localTransactionFeePercentage: number | null;
  /** FIXED: possible amounts */
  localFixedAmounts: number[];
  /** Whether `useLocalAmount` can be false */
  internationalAmountSupported: boolean;
  /** Currency of an amount without `useLocalAmount` */
  internationalTransactionCurrencyCode: string | null;
  /** Smallest amount without `useLocalAmount`; a JSON number */
  minInternationalTransactionAmount: number | null;
  /** Largest amount without `useLocalAmount`; a JSON number */
  maxInternationalTransactionAmount: number | null;
  /** Fee in the same currency; a JSON number */
  internationalTransactionFee: number | null;
  /** Fee in percent of the amount; a JSON number */
  internationalTransactionFeePercentage: number | null;
  /** Exchange rate: local currency for one unit of the international currency; a JSON number */
  fxRate: number | null;
}

export interface PayBillRequest {
  /** Number of the meter, smart card or customer account */
  subscriberAccountNumber: string;
  /** Amount; a JSON number with at most 15 digits and 5 decimals */
  amount: number;
  /** Id of the biller */
  billerId: number;
  /** `true`: the amount is in the destination currency; otherwise in the currency of the service balance */
  useLocalAmount?: boolean;
  /** Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase */
  customIdentifier?: string;
}

export interface BillPayment {
  /** Id of the purchase */
  id: string;
  /** Pass this as `customIdentifier` to read this purchase again without a new purchase */
  customIdentifier: string;
  /** Id of the transaction at the provider */
  transactionId: number;
  /** `SUCCESSFUL`: delivered. `PENDING`: accepted, not delivered yet; repeat the call with the same `customIdentifier` */
  status: 'SUCCESSFUL' | 'PENDING';
  /** Id of the biller */
  billerId: number;
  /** Number of the meter, smart card or customer account */
  subscriberAccountNumber: string;
  /** Requested amount; a JSON number */
  amount: number;
  /** Currency of the amount */
  amountCurrencyCode: string | null;
  /** Fee; null until known; a JSON number */
  fee: number | null;
  /** Time when the provider accepted the payment */
  submittedAt: string;
  /** Redeem code, for top-ups that deliver one. It is money. Null otherwise, while not available, or not readable: repeat the call with the same `customIdentifier` */
  pinDetails: PinDetail | null;
}

export interface ServiceBalance {
  /** Remaining balance; a JSON number */
  balance: number;
  /** Currency of the balance */
  currencyCode: string;
  /** Currency name in English */
  currencyName: string;
  /** Time of the last change */
  updatedAt: string;
}

export interface RentNumberRequest {
  /** Service that sends the code, as its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other */
  service: string;
  /** Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its ISO 3166-1 two-letter code as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ` */
  country: number | string;
}

export interface VirtualNumber {
  /** Id of the rental */
  id: string;
  /** Rented number, in E.164 form */
  number: string;
  /** Id of the rental at the provider */
  activationId: string;
}

export interface CodeStatus {
  /** Id of the rental */
  id: string;
  /** Rented number, in E.164 form */
  number: string;
  /** Id of the rental at the provider */
  activationId: string;
  /** `received`: with `code`. `STATUS_WAIT_CODE`: no code has arrived yet. `STATUS_CANCEL`: the number was returned, and its price refunded */
  status: 'received' | 'STATUS_WAIT_CODE' | 'STATUS_CANCEL';
  /** The code, once received; absent again when the provider no longer stores it */
  code?: string;
}

export interface AwaitCodeRequest {
  /** Service that sends the code, as its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other */
  service: string;
  /** Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its ISO 3166-1 two-letter code as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ` */
  country: number | string;
  /** Seconds to wait for the code, at most 600 */
  timeout?: number;
}

export interface AwaitedCode {
  /** Id of the rental */
  id: string;
  /** Rented number, in E.164 form */
  number: string;
  /** Id of the rental at the provider */
  activationId: string;
  /** The code; null when none arrived */
  code: string | null;
  /** True when no code arrived in time: the number is returned. Absent otherwise */
  timeout?: boolean;
}

export interface SendSmsRequest {
  /** Recipient: a number in E.164 form of a country that can receive messages. Premium-rate, shared-cost and personal numbers are rejected */
  to: string;
  /** Text of the message */
  body: string;
}

export interface SentSms {
  /** Id of the message at the provider */
  sid: string;
  /** Status; `queued` when the provider accepted the message */
  status: string;
  /** Number of segments that the message is split into */
  segments: number;
}

export interface GetCardRequest {
  /** The wallet of the API key */
  wallet: string;
  /** US dollars that the card can spend in total; it cannot be reloaded; a JSON number with at most 15 digits and 2 decimals */
  amount: number;
}

export interface NewCard {
  /** Id of the card */
  cardId: string;
  /** Id of the card at the issuer; no call needs it */
  issuerCardId: string;
  /** Wallet that owns the card */
  wallet: string;
  /** US dollars that the card was issued with; a JSON number */
  amount: number;
  /** Currency of the card */
  currency: 'USD';
  /** `pending`: being created, without a number yet. `open`: payments work. `paused`: the card declines for now. `closed`: the card no longer works */
  status: 'pending' | 'open' | 'paused' | 'closed';
  /** Last four digits of the number; null while the card is pending */
  lastFour: string | null;
  /** Issue time */
  createdAt: string;
  /** Full card number. It is stored nowhere: show it, and discard it. Absent while the card is pending */
  number?: string;
  /** Security code of the card; absent while the card is pending */
  cvv?: string;
  /** Expiry month, two digits; absent while the card is pending */
  expMonth?: string;
  /** Expiry year, four digits; absent while the card is pending */
  expYear?: string;
}

export interface CardData {
  /** Id of the card */
  cardId: string;
  /** Id of the card at the issuer; no call needs it */
  issuerCardId: string;
  /** Wallet that owns the card */
  wallet: string;
  /** US dollars that the card was issued with; a JSON number */
  amount: number;
  /** Currency of the card */
  currency: 'USD';
  /** `pending`: being created, without a number yet. `open`: payments work. `paused`: the card declines for now. `closed`: the card no longer works */
  status: 'pending' | 'open' | 'paused' | 'closed';
  /** Last four digits of the number; null while the card is pending */
  lastFour: string | null;
  /** Issue time */
  createdAt: string;
  /** Full card number. It is stored nowhere: show it, and discard it. Null while the card is pending */
  number: string | null;
  /** Security code of the card; null while the card is pending */
  cvv: string | null;
  /** Expiry month, two digits; null while the card is pending */
  expMonth: string | null;
  /** Expiry year, four digits; null while the card is pending */
  expYear: string | null;
}

export interface MyCardsReply {
  /** Newest first; without numbers */
  cards: CardRecord[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
  /** Same as `next_cursor` */
  nextCursor: string | null;
}

export interface CardRecord {
  /** Id of the card */
  cardId: string;
  /** Id of the card at the issuer; no call needs it */
  issuerCardId: string;
  /** Wallet that owns the card */
  wallet: string;
  /** US dollars that the card was issued with; a JSON number */
  amount: number;
  /** Currency of the card */
  currency: 'USD';
  /** `pending`: being created, without a number yet. `open`: payments work. `paused`: the card declines for now. `closed`: the card no longer works */
  status: 'pending' | 'open' | 'paused' | 'closed';
  /** Last four digits of the number; null while the card is pending */
  lastFour: string | null;
  /** Issue time */
  createdAt: string;
}

export interface NanoBalance {
  /** Account, raw form */
  address: string;
  /** Symbol of the asset */
  asset: string;
  /** Available balance */
  available: string;
  /** Held for payments in progress */
  reserved: string;
  /** Total paid */
  spent: string;
  /** Total earned as a seller */
  earned: string;
  /** Earnings that were paid out, final on the chain */
  settled: string;
  /** Earnings that are still to be paid out */
  unsettled: string;
  /** Total deposited */
  deposited: string;
  /** Total withdrawn, final on the chain */
  withdrawn: string;
  /** Same as deposited */
  totalDeposited: string;
  /** Same as spent */
  totalSpent: string;
  /** Time of the last change; for an unused account the current time */
  updatedAt: string;
}

export interface NanoStats {
  /** Payments charged since the start of the ledger */
  payments: string;
  /** Sum of those payments */
  volume: string;
  /** Accounts in the ledger */
  accounts: number;
  /** Earnings of sellers that are still to be paid out */
  pendingSettlement: string;
  /** Payments that wait for approval */
  pendingApprovals: number;
  /** Payments rejected since the payment ledger started */
  rejected: number;
  /** Median processing time of the last thousand payments, milliseconds; a JSON number */
  p50Ms: number;
  /** 99th percentile of the processing time, milliseconds; a JSON number */
  p99Ms: number;
  /** State of the receipt chain */
  ledger: LedgerPosition;
  /** Seconds since the payment ledger started */
  uptimeSeconds: number;
}

export interface LedgerPosition {
  /** Number of receipts */
  seq: string;
  /** Head of the receipt chain */
  head: string;
}

export interface PolicyRequest {
  /** Account to limit */
  address: string;
  /** Largest payment without approval; 0 requires approval for every payment; at most 9223372036854775807 */
  maxAmount: string;
  /** Payments per minute */
  rateLimit: number;
  /** Signature of the owner (message type 4). Not required while the account has neither key nor balance, or with an API key or session of the same wallet */
  proof?: OwnerProof;
}

export interface OwnerProof {
  /** Signature: 128 hexadecimal digits, or base64 */
  signature: string;
  /** Expiry of the signed message, Unix seconds; at most ten minutes from now */
  validBefore: string;
  /** Public key; required until the account's first payment */
  publicKey?: string;
  /** State-init of the wallet, base64; required for wallets other than W5 */
  stateInit?: string;
  /** Signing method */
  signatureKind?: 'raw' | 'tonconnect';
  /** With a wallet dialog: its domain */
  domain?: string;
  /** With a wallet dialog: its time */
  timestamp?: string;
  /** Random nonce, for one use */
  nonce: string;
}

export interface Policy {
  /** Account to limit, raw form */
  address: string;
  /** Largest payment without approval; null means no limit */
  maxAmount: string | null;
  /** Payments per minute; null means no limit */
  rateLimit: number | null;
  /** Time when the policy was set; null for the default policy */
  updatedAt: string | null;
}

export interface CancellationRequest {
  /** Account that signed the payment or session grant */
  address: string;
  /** Nonce of the payment, or of the session grant */
  nonce: string;
  /** Signature of the owner (message type 7) */
  proof: OwnerSignature;
}

export interface OwnerSignature {
  /** Signature: 128 hexadecimal digits, or base64 */
  signature: string;
  /** Expiry of the signed message, Unix seconds; at most ten minutes from now */
  validBefore: string;
  /** Public key; required until the account's first payment */
  publicKey?: string;
  /** State-init of the wallet, base64; required for wallets other than W5 */
  stateInit?: string;
  /** Signing method */
  signatureKind?: 'raw' | 'tonconnect';
  /** With a wallet dialog: its domain */
  domain?: string;
  /** With a wallet dialog: its time */
  timestamp?: string;
}

export interface Cancellation {
  /** Account, raw form */
  address: string;
  /** Cancelled nonce */
  nonce: string;
  /** Always true */
  status: 'cancelled';
}

export interface NanoPayment {
  /** Id of the payment */
  confirmationId: string;
  /** Status */
  status: 'held' | 'captured' | 'voided' | 'expired';
  /** Account of the payer, raw form */
  from: string;
  /** Account of the seller, raw form */
  to: string;
  /** Signed amount */
  amount: string;
  /** Charged amount */
  chargedAmount: string;
  /** Receipt of the charge; null without one */
  receipt: NanoReceipt | null;
  /** Receipt of the refund; null without one */
  refund: NanoReceipt | null;
}

export interface NanoReceipt {
  /** Id of the payment */
  confirmationId: string;
  /** Charge or refund */
  type: 'charge' | 'refund';
  /** SHA-256 of the message that the buyer signed */
  digest: string;
  /** Charged or refunded amount */
  amount: string;
  /** Sequence number in the receipt chain */
  seq: string;
  /** Head of the chain before this receipt */
  previousHead: string;
  /** Time, Unix milliseconds */
  timestampMs: string;
  /** Signature of the payment ledger, base64 */
  signature: string;
}

export interface WithdrawalRequest {
  /** Account to withdraw from */
  address: string;
  /** TON account that receives the money */
  destination: string;
  /** Amount; at most 9223372036854775807 */
  amount: string;
  /** Signature of the owner (message type 6) */
  proof: OwnerProof;
}

export interface Withdrawal {
  /** Id of the withdrawal */
  withdrawalId: string;
  /** Status. `completed`: the chain sent it. `returned`: the destination's wallet rejected it, and the amount is back in the balance */
  status: 'pending' | 'sent' | 'completed' | 'returned';
  /** Account withdrawn from, raw form */
  address: string;
  /** Destination account, raw form */
  destination: string;
  /** Amount */
  amount: string;
  /** Request time */
  createdAt: string;
}

export interface WithdrawalsReply {
  /** Newest first */
  withdrawals: Withdrawal[];
  /** The limit that was applied */
  limit: number;
  /** Pass it as `cursor` for the next page; null on the last page */
  next_cursor: string | null;
}

export interface ApprovalsReply {
  /** Newest first */
  approvals: Approval[];
  /** Number of items in this list */
  count: number;
  /** The limit that was applied */
  limit: number;
}

export interface Approval {
  /** Id of the approval */
  id: string;
  /** Account of the payer, who decides; raw form */
  from: string;
  /** Account of the seller, raw form */
  to: string;
  /** Amount */
  amount: string;
  /** Symbol of the asset */
  asset: string;
  /** Hash of the resource that the payment is bound to; zeros when it is bound to none */
  resource: string;
  /** Status. An approved payment may be made once, within ten minutes */
  status: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
  /** Request time */
  createdAt: string;
  /** Deadline for the decision, or for the approved payment */
  expiresAt: string;
}

export interface ApprovalDecisionRequest {
  /** Signature of the payer (message type 5). Not needed with an API key or session of the same wallet */
  proof?: OwnerProof;
}

export interface AttestationReply {
  /** Version of this document: 1 */
  version: number;
  /** Kind of attestation. `none` and a simulator attest nothing */
  mode: 'tdx' | 'nitro' | 'sev-snp' | 'tdx-simulator' | 'none';
  /** Whether genuine hardware attests the payment ledger, as checked by itself */
  attested: boolean;
  /** Whether it runs without such hardware */
  isDevelopment: boolean;
  /** Public key of the receipt signatures */
  teePublicKey: string;
  /** Number of the current key */
  keyEpoch: number;
  /** Network, CAIP-2 */
  network: string;
  /** Contract of the deployment, raw form */
  verifyingContract: string;
  /** Nonce of the client; null without one */
  nonce: string | null;
  /** Report data of the quote: one half covers key, network, contract and epoch, the other half the nonce */
  reportData: string;
  /** Hardware quote in hexadecimal; null without hardware */
  quote: string | null;
  /** Measurements of the running system */
  eventLog: { [name: string]: unknown }[];
  /** MRTD and RTMR0 to 3; null without hardware */
  measurements: { [name: string]: unknown } | null;
  /** App id, from the agent of the hardware */
  appId: string | null;
  /** Hash of the app's composition */
  composeHash: string | null;
  /** Assessment of the platform by its vendor */
  collateral?: { [name: string]: unknown };
  /** State of the receipt chain */
  ledger: LedgerPosition;
  /** Creation time */
  issuedAt: string;
  /** Expiry */
  expiresAt: string;
  /** Signature by the key above over all other fields, base64 */
  signature: string;
  /** What this document does not attest */
  warning?: string;
}

export interface NanoVerifyRequest {
  /** Account of the payer */
  from?: string;
  /** Account that receives the payment */
  to?: string;
  /** Amount, smallest unit; at most 9223372036854775807 */
  amount?: string;
  /** Signature (128 hexadecimal digits or base64), or the compact token, which contains the fields below */
  signature?: string;
  /** Random nonce, unique for each authorization */
  nonce?: string;
  /** Start of validity, Unix seconds */
  validAfter?: string;
  /** End of validity, Unix seconds; at most ten minutes later */
  validBefore?: string;
  /** Symbol or jetton master of the asset */
  asset?: string;
  /** Network name */
  network?: string;
  /** Deployment that the authorization is for */
  verifyingContract?: string;
  /** Hash of the resource that the payment is bound to */
  resourceHash?: string;
  /** Alternative to the hash: the advertised URL */
  resource?: string;
  /** HTTP method of the resource */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Bit flags: 1 bound to a resource, 2 the amount is a maximum, 4 signed by a session, 8 a link of a hash chain */
  flags?: number;
  /** Public key of the payer; required until the payment ledger stored it */
  publicKey?: string;
  /** State-init of the wallet, base64; required for wallets other than W5 */
  stateInit?: string;
  /** Signing method */
  signatureKind?: 'raw' | 'tonconnect';
  /** With a wallet dialog: its domain */
  domain?: string;
  /** With a wallet dialog: its time */
  timestamp?: string;
  /** With an agent's signature: the wallet's session grant, with publicKey, to, maxPerPayment, maxTotal, validAfter, validBefore, nonce and signature; at most 1,024 bytes as JSON and 1 levels */
  session?: { [name: string]: unknown };
  /** With a hash-chain payment: the grant with unit, length, anchor, validAfter, validBefore and nonce, and the index and link. `signature` is then the wallet's signature of the grant; at most 1,024 bytes as JSON and 1 levels */
  chain?: { [name: string]: unknown };
  /** `capture` charges; `check` changes nothing */
  mode?: 'capture' | 'check';
  /** As x402 version 2 defines it: 2 */
  x402Version?: number;
  /** As x402 version 2 defines it: payload from the buyer; at most 16,384 bytes as JSON and 20 levels */
  paymentPayload?: { [name: string]: unknown };
  /** As x402 version 2 defines it: requirements of the seller; at most 16,384 bytes as JSON and 20 levels */
  paymentRequirements?: { [name: string]: unknown };
}

export interface NanoVerifyReply {
  /** Whether the payment is valid */
  isValid: boolean;
  /** Same as isValid */
  success: boolean;
  /** Account of the payer, raw form */
  payer?: string;
  /** Error code */
  invalidReason?: string;
  /** Human-readable reason */
  invalidMessage?: string;
  /** Same as invalidReason */
  error?: string;
  /** Id of the payment */
  confirmationId?: string;
  /** Charged or held amount */
  amount?: string;
  /** confirmationId, status, seq and receipt where present; approvalId when the payment needs approval */
  extra: { [name: string]: unknown };
}

export interface SettleRequest {
  /** x402 version: 2 */
  x402Version: number;
  /** Payload from the buyer; at most 16,384 bytes as JSON and 20 levels */
  paymentPayload: { [name: string]: unknown };
  /** Requirements of the seller. The amount may be below the signed one when that is a maximum; 0 releases a hold; at most 16,384 bytes as JSON and 20 levels */
  paymentRequirements: { [name: string]: unknown };
}

export interface SettleReply {
  /** Whether the payment was charged */
  success: boolean;
  /** Id of the payment, or hash of the transaction that settles it on its chain; empty when nothing was charged */
  transaction: string;
  /** Network, as in the requirements */
  network: string;
  /** Account of the payer, raw form */
  payer?: string;
  /** Error code */
  errorReason?: string;
  /** Human-readable reason */
  errorMessage?: string;
  /** Charged amount */
  amount?: string;
  /** confirmationId, status, seq and receipt where present; approvalId when the payment needs approval */
  extra: { [name: string]: unknown };
}

export interface SupportedReply {
  /** Supported payment kinds */
  kinds: SupportedKind[];
  /** x402 extensions */
  extensions: string[];
  /** Accounts that hold payments or send settlements, by network */
  signers: { [name: string]: string[] };
  /** Public keys of receipts that sellers should trust, while the key is being replaced: attestation proves the present one */
  receiptKeys?: string[];
}

export interface SupportedKind {
  /** x402 version */
  x402Version: number;
  /** Scheme */
  scheme: string;
  /** Network */
  network: string;
  /** Values for `extra` of the seller's requirements */
  extra: { [name: string]: unknown };
}

export interface SandboxReply {
  /** Always `sandbox` */
  environment: string;
  /** URL of the gateway */
  gateway: string;
  /** Local chains */
  chains: SandboxChain[];
  /** Funded accounts of the EVM chains */
  accounts: SandboxAccount[];
  /** Local networks beside the EVM chains */
  networks: SandboxNetwork[];
  /** The demo merchant */
  merchant: SandboxMerchant;
  /** Provider simulators: name to URL */
  simulators: { [name: string]: string };
  /** SMTP server that delivers to the mailboxes of the simulators */
  smtp: string;
}

export interface SandboxChain {
  /** CAIP-2 identifier */
  caip2: string;
  /** EVM chain id */
  chainId: number;
  /** JSON-RPC URL of the local node */
  rpcUrl: string;
  /** Address of the payment contract */
  payContract: string;
  /** ABI of the payment contract */
  payAbi: { [name: string]: unknown }[];
  /** Tokens of this chain; the accounts hold some of each */
  tokens: SandboxToken[];
}

export interface SandboxToken {
  /** Symbol */
  symbol: string;
  /** Contract address; null for the native coin */
  address: string | null;
  /** Decimals */
  decimals: number;
}

export interface SandboxAccount {
  /** Purpose of the account */
  role: string;
  /** Address */
  address: string;
  /** Private key. It is public: worthless outside this sandbox */
  privateKey: string;
}

export interface SandboxNetwork {
  /** Id of the chain */
  chain: string;
  /** Family of the chain, which decides how wallets pay */
  family: string;
  /** URL of the local node */
  rpcUrl: string;
  /** The contract, program or package that takes payments */
  payContract: string;
  /** Tokens of this chain; the payers hold some of each */
  tokens: SandboxToken[];
  /** Funded accounts, with their keys as wallets of the chain import them */
  accounts: SandboxAccount[];
}

export interface SandboxMerchant {
  /** Wallet of the merchant */
  wallet: string;
  /** Value for `merchant_id` */
  merchantId: string;
  /** Publishable half of the API key */
  key: string;
  /** Secret half of the API key */
  secret: string;
}

export interface LedgerDepositRequest {
  /** Deposit address of a committed cross-chain quote */
  deposit_address: string;
  /** Memo of the deposit address, where it has one */
  deposit_memo?: string;
  /** Amount that the payer sends, in the smallest unit of the token */
  amount: string;
}

export interface LedgerDepositReply {
  /** Generated transfer hash in the format of its chain */
  tx_hash: string;
}

export interface SetPriceRequest {
  /** Symbol of a token */
  symbol: string;
  /** Price of one whole token in US dollars, a decimal string above 0 */
  usd: string;
  /** Time of this price, to make it stale; without it the price is always current */
  frozen_at?: string;
}

export interface SetPriceReply {
  /** Symbol of the token */
  symbol: string;
  /** Current price */
  usd: string;
}

export interface PassDeadlineRequest {
  /** Deposit address of a committed cross-chain quote */
  deposit_address: string;
  /** Memo of the deposit address, where it has one */
  deposit_memo?: string;
}

export interface PassDeadlineReply {
  /** The deadline, which is now */
  deadline: string;
}

export interface SetOutageRequest {
  /** `up` works, `down` returns 503, `slow` never responds */
  mode: 'up' | 'down' | 'slow';
  /** Provider to control; by default `oneclick`, the provider of cross-chain payments */
  provider?: 'oneclick' | 'across' | 'lifi' | 'reloadly' | 'mailtm' | 'agentmail' | 'resend' | 'sms-activate' | 'fivesim' | 'twilio' | 'lithic' | 'laso' | 'toncenter' | 'solana' | 'tron' | 'sui';
}

export interface SetOutageReply {
  /** Current state of the provider */
  mode: 'up' | 'down' | 'slow';
}

export interface TonFaucetRequest {
  /** TON account, raw or friendly form */
  address: string;
  /** Nanotons to send; at most 1000000000000000 */
  ton?: string;
  /** Amount of the jetton that represents USDT, in the smallest of its 6 decimals; at most 1000000000000000 */
  usdt?: string;
}

export interface TonFaucetReply {
  /** Account, raw form */
  address: string;
  /** Jetton master, raw form */
  usdt_master: string;
  /** Hash of the faucet transaction, hexadecimal */
  tx_hash: string;
}

export interface NanopayDepositRequest {
  /** Depositing TON account, raw or friendly form */
  address: string;
  /** Amount of USDT, in the smallest of its 6 decimals; at most 1000000000000000 */
  amount: string;
}

export interface NanopayDepositReply {
  /** Depositing account, raw form */
  address: string;
  /** Account that received the jettons, raw form */
  deposit_address: string;
  /** Hash of the transaction that notified that account, hexadecimal */
  tx_hash: string;
}

export interface SandboxClockReply {
  /** The time of the sandbox */
  now: string;
  /** How far it is ahead of the real time, milliseconds */
  ahead_ms: number;
}

export interface AdvanceClockRequest {
  /** How far: a whole number with `s`, `m`, `h` or `d`, at most 366 days */
  by: string;
}

export interface MerchantOrderChanged {
  /** Id of the order */
  order_id: string;
  /** Status after the change */
  status: 'waiting_payment' | 'settling' | 'settled' | 'failed' | 'expired';
  /** Payment method */
  method: 'Direct' | 'CrossChain';
  /** The caller's own name for the merchant */
  merchant_id: string;
  /** Receiving address of the merchant */
  merchant_address: string;
  /** Address of the payer */
  payer_address: string;
  /** Chain that the payer pays on */
  pay_blockchain: string;
  /** Token that the payer pays with */
  pay_token: string;
  /** Chain that the merchant is paid on */
  settle_chain: string;
  /** Token that the merchant is paid in */
  settle_token: string;
  /** Amount owed to the merchant, smallest unit; at most 340282366920938463463374607431768211455 */
  merchant_amount: string;
  /** Fee amount, smallest unit; at most 340282366920938463463374607431768211455 */
  fee_amount: string;
  /** Transaction of the payer */
  pay_tx: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Amount that the merchant received; at most 340282366920938463463374607431768211455 */
  settled_amount: string | null;
  /** Refunded part of the deposit, in the smallest unit of the pay token; absent in older events; at most 340282366920938463463374607431768211455 */
  refunded_amount?: string | null;
  /** Payer of a direct payment, read on the chain; null before the payment and for cross-chain payments, absent in older events */
  paid_by?: string | null;
  /** True when the chain shows the payment, or the route provider has the deposit; false while a client only submitted a hash. Absent in events published before the field existed */
  payment_seen?: boolean;
  /** True when the order has no payer: `payer_address` is an address of the operator's refund account. Absent in events published before the field existed */
  refund_account?: boolean;
  /** Total forwarded from the refund account to the sender of the deposit, smallest unit of the pay token; null before; at most 340282366920938463463374607431768211455 */
  forwarded_amount?: string | null;
  /** Latest transaction that forwarded a refund; null before */
  forwarded_tx?: string | null;
  /** Why the order failed */
  failure_reason: string | null;
  /** Newest transaction that a client reported; null without one, absent in older events */
  last_report_tx?: string | null;
  /** Why the reported transaction does not pay the order; null while that is unknown */
  last_report_reason?: string | null;
  /** Only in `order-exception`: the money that moved */
  exception?: OrderException | null;
  /** Whether the payment arrived after the order failed or expired */
  late: boolean;
  /** Wallet that created the order with an API key or session; null without either */
  created_by: string | null;
  /** Dollar value of the merchant amount at the first settlement; null before, and while there is no price */
  settled_value_usd: string | null;
  /** Version of the order: increases with each change */
  version: number;
  /** Time of the change */
  updated_at: string;
  /** Payment request that the payment belongs to; null for payments without one. `order.created` may be sent before the payment is recorded, and has null then */
  payment_request_id: string | null;
  /** Description of the payment request or PayLink; empty without one */
  description: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
}

export interface PaymentChanged {
  /** Id of the payment */
  payment_id: string;
  /** Payment request that the payment belongs to */
  payment_request_id: string;
  /** Status of the payment */
  status: string;
  /** Requested amount, as in the payment request */
  amount: string;
  /** Requested token */
  currency: string;
  /** Chain to receive it on */
  chain: string;
  /** Id of the order */
  order_id: string | null;
  /** Transaction that paid the merchant */
  settle_tx: string | null;
  /** Description of the payment request or PayLink; empty without one */
  description: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
}

export interface PaylinkPaid {
  /** Id of the payment */
  payment_id: string;
  /** Id of the PayLink */
  paylink_id: string;
  /** Name of the PayLink */
  name: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Transaction hash */
  tx_hash: string;
  /** Paid amount, smallest unit; the requested amount when the paid one is unknown */
  amount: string;
  /** Token */
  token: string;
  /** Network */
  network: string;
  /** Counted payments of the PayLink so far */
  payment_count: number;
  /** Whether Tollbridge verified the payment on the network; false when the merchant confirmed it */
  verified: boolean;
}

export interface PaylinkPaymentUnverifiable {
  /** Id of the payment */
  payment_id: string;
  /** Id of the PayLink */
  paylink_id: string;
  /** Name of the PayLink */
  name: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Transaction hash */
  tx_hash: string;
  /** Paid amount, smallest unit; the requested amount when the paid one is unknown */
  amount: string;
  /** Token */
  token: string;
  /** Network */
  network: string;
  /** Counted payments of the PayLink so far */
  payment_count: number;
  /** Whether Tollbridge verified the payment on the network; false when the merchant confirmed it */
  verified: boolean;
}

export interface PaylinkPaymentRejected {
  /** Id of the payment */
  payment_id: string;
  /** Id of the PayLink */
  paylink_id: string;
  /** Name of the PayLink */
  name: string;
  /** Metadata of the payment request or PayLink; null without any */
  metadata: { [name: string]: unknown } | null;
  /** Transaction hash */
  tx_hash: string;
  /** Paid amount, smallest unit; the requested amount when the paid one is unknown */
  amount: string;
  /** Token */
  token: string;
  /** Network */
  network: string;
  /** Counted payments of the PayLink so far */
  payment_count: number;
  /** Whether Tollbridge verified the payment on the network; false when the merchant confirmed it */
  verified: boolean;
  /** Why the payment is not counted */
  reason: string;
}

export interface KeyBudgetUsed {
  /** Id of the API key */
  key_id: string;
  /** Label of the key */
  label: string;
  /** Spent this month, US dollars */
  used_budget_usd: string;
  /** Monthly budget, US dollars */
  monthly_budget_usd: string;
  /** Share of the budget that was reached */
  percent: number;
}

export interface PayoutUpdated {
  /** Id of the payout */
  payout_id: string;
  /** Status */
  status: string;
  /** Chain */
  chain: string;
  /** Token */
  token: string;
  /** Sum for all recipients, smallest unit */
  total_amount: string;
  /** Fee, smallest unit */
  fee_amount: string;
  /** Number of recipients */
  recipient_count: number;
  /** Number of paid recipients */
  paid_count: number;
}

export interface WebhookTest {
  /** Wallet of the tested endpoint */
  wallet: string;
  /** Human-readable text */
  message: string;
}
