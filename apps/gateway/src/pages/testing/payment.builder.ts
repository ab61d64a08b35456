import type {
  AttemptState,
  OrderReply,
  PaymentDetailsReply,
  PaymentStatusReply,
  PublicPaymentRequest,
} from '@tollbridge/contracts';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function requestOf(changes: Partial<PublicPaymentRequest>): PublicPaymentRequest {
  return {
    id: '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31',
    status: 'pending',
    amount: '12500000',
    amount_formatted: '12.5',
    currency: 'USDC',
    chain: 'eip155:8453',
    chain_name: 'Base',
    description: 'Two espressos',
    merchant: wallet,
    store_name: null,
    store_color: null,
    store_logo: null,
    embed_origins: [],
    receive_address: wallet,
    receive_address_required: false,
    success_url: 'https://shop.example/thanks',
    cancel_url: null,
    expires_at: null,
    payment_id: null,
    paylink_id: null,
    ...changes,
  };
}

/** The price in euros of a request, with the rate of its amount. */
export const priced = {
  price: { amount: '11.50', currency: 'EUR' },
  rate: {
    pair: 'USDC/EUR',
    value: '0.92',
    source: 'defillama, ecb',
    time: '2026-11-20T12:00:00.000Z',
    spread_bps: 0,
  },
};

/** A request that can be paid directly, or with Bitcoin. */
export function aPaymentDetails(changes: Partial<PublicPaymentRequest> = {}): PaymentDetailsReply {
  const request = requestOf(changes);
  const isOpen = request.status === 'pending' || request.status === 'processing';
  const direct = {
    from_token: 'USDC',
    from_chain: 'eip155:8453',
    from_amount: '12500000',
    from_amount_formatted: '12.5',
    from_amount_usd: '12.50',
    from_chain_name: 'Base',
    execution_strategy: 'direct' as const,
    estimated_time: '6 seconds',
    estimated_seconds: 6,
    needs_payer_address: false,
    logo: '/logos/tokens/usdc.svg',
  };
  const bitcoin = {
    from_token: 'BTC',
    from_chain: 'btc',
    from_amount: '1650',
    from_amount_formatted: '0.0000165',
    from_amount_usd: null,
    from_chain_name: 'Bitcoin',
    execution_strategy: 'swap_and_bridge' as const,
    estimated_time: '10 minutes',
    estimated_seconds: 600,
    needs_payer_address: true,
    logo: '/logos/tokens/btc.svg',
  };
  return { payment_request: request, payment_options: isOpen ? [direct, bitcoin] : [] };
}

/** A direct payment in progress. */
export function aPayment(changes: Partial<PaymentStatusReply> = {}): PaymentStatusReply {
  const order_id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
  return {
    payment_id: '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20',
    status: 'executing',
    payment_request_id: '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31',
    payment_request: requestOf({}),
    steps: [{ step_type: 'transfer', status: 'pending', transaction_hash: null }],
    progress: 0,
    from_token: 'USDC',
    from_chain: 'eip155:8453',
    execution_strategy: 'direct',
    order_id,
    order: {
      order_id,
      method: 'Direct',
      cross_chain: null,
      expires_at: '2026-11-20T12:30:00.000Z',
      direct: {
        contract_address: '0x5Fbd',
        chain: 'eip155:8453',
        payment_order: {
          order_id,
          token_in: 'USDC',
          token_out: 'USDC',
          amount_in: '12500000',
          token_in_address: '0xA0b8',
          merchant: wallet,
          merchant_amount: '12500000',
          fee_receiver: wallet,
          fee_amount: '0',
          deadline: 1_795_177_800,
        },
      },
    },
    instructions: {
      chain_id: 8453,
      approve: { to: '0xA0b8', data: '0x095ea7b3', value: '0' },
      pay: { to: '0x5Fbd', data: '0xda7a', value: '0' },
      uri: 'ethereum:0xA0b8@8453/approve?address=0x5Fbd&uint256=1',
    },
    pay_tx: null,
    settle_tx: null,
    failure_reason: null,
    version: 1,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:00:00.000Z',
    ...changes,
  };
}

/** The payment in progress with an attempt to pay it, and the given changes of its request. */
export function anAttempt(
  state: AttemptState,
  tx_hash: string | null = null,
  changes: Partial<PaymentStatusReply> = {},
): PaymentStatusReply {
  const { payment_id } = aPayment();
  const until = state === 'asking' || state === 'sent' ? '2026-11-20T12:02:00.000Z' : null;
  const attempt = { payment_id, state, tx_hash, until };
  return aPayment({ payment_request: requestOf({ attempt }), ...changes });
}

/** A payment with this text in every text field. */
export function aHostilePayment(text: string): PaymentStatusReply {
  const given = aPayment();
  const { direct } = given.order;
  return aPayment({
    payment_request: requestOf({
      description: text,
      chain_name: text,
      store_name: text,
      success_url: 'javascript:alert(1)',
    }),
    steps: [{ step_type: 'transfer', status: 'failed', transaction_hash: text }],
    failure_reason: `CODE: ${text}`,
    settle_tx: text,
    order: { ...given.order, direct: { ...direct!, contract_address: text, chain: text } },
    instructions: {
      chain_id: 8453,
      approve: { to: text, data: text, value: text },
      pay: { to: text, data: text, value: text },
      uri: 'javascript:alert(1)',
    },
  });
}

type Deposit = NonNullable<OrderReply['cross_chain']>;

/** The order of a payment of 1 Ether on Arbitrum. 0.4 Ether have been received. */
export function aDepositOrder(deposit: Partial<Deposit> = {}, changes: Partial<OrderReply> = {}): OrderReply {
  const one = String(10n ** 18n);
  return {
    ...anOrder(),
    method: 'CrossChain',
    pay_blockchain: 'eip155:42161',
    pay_token: 'ETH',
    cross_chain: {
      deposit_address: wallet,
      deposit_memo: null,
      deposit_blockchain: 'eip155:42161',
      deposit_token: 'ETH',
      deposit_amount: one,
      deposit_amount_formatted: '1',
      estimated_time: 20,
      deposit_status: 'incomplete',
      deposited_amount: String(4n * 10n ** 17n),
      refunded_amount: null,
      settlement_proof: null,
      forwarded_refunds: [],
      ...deposit,
    },
    ...changes,
  };
}

/** The order of the direct payment in progress, with two of five confirmations. */
export function anOrder(changes: Partial<OrderReply> = {}): OrderReply {
  const { order_id, created_at, updated_at, order } = aPayment();
  return {
    order_id,
    status: 'settling',
    method: 'Direct',
    pay_tx: '0xabc',
    settle_tx: null,
    settled_amount: null,
    pay_blockchain: 'eip155:8453',
    pay_token: 'USDC',
    settle_chain: 'eip155:8453',
    settle_token: 'USDC',
    merchant_amount: '12500000',
    fee_amount: '0',
    merchant_id: 'shop',
    failure_reason: null,
    late: false,
    last_report: null,
    exceptions: [],
    confirmations: 2,
    required_confirmations: 5,
    version: 2,
    cross_chain: null,
    expires_at: order.expires_at,
    created_at,
    updated_at,
    ...changes,
  };
}
