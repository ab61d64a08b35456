/** Groups of operations as readers of the API know them: a feature names its group as its title. */
export const tags = {
  'Chains and tokens': 'The 29 chains and their tokens that a payer can pay with.',
  'Payment quotes': 'What a payer must pay for an amount that the merchant receives.',
  Checkout: 'What the wallets of a payer hold, and what they could pay with.',
  Orders: 'Create an order, pay it on chain, and follow it until it is settled.',
  Swaps: 'Swap tokens on one chain or across chains: quote, build, sign, execute, follow.',
  'Payment requests': "A merchant's requests for payment, their payments and sums.",
  Payments: 'How a payer pays a payment request, by API or on its checkout page.',
  'Merchant dashboard': 'What a merchant was paid: sums, transactions, and their export.',
  Ledger: "The double-entry ledger of a merchant's payments, and its proof.",
  PayLinks: 'Reusable links that take payments to an address of the merchant.',
  'API keys': 'Create, disable and delete API keys. Only the wallet manages its keys.',
  'Sign-in': 'Prove a wallet, and manage its sessions.',
  'Merchant settings': 'Store name, webhook address and defaults of a merchant.',
  Webhooks: 'Signed messages to a merchant, their deliveries and replays.',
  'Service catalog': 'Services that can be bought here, with prices and schemas.',
  Payouts: 'Pay many recipients from one wallet, after approval by a second key.',
  'Disposable email': 'Temporary mailboxes, and the codes that arrive in them.',
  'Agent inboxes': 'Permanent mailboxes for agents.',
  'Sending email': 'Send email from the domain of this deployment.',
  'Gift cards, airtime, bills': 'Buy gift cards, top up phones, pay bills.',
  'Text messages': 'Rent phone numbers for codes, and send text messages.',
  'Virtual cards': 'Buy virtual cards, and read their numbers.',
  'Nano-payments': 'Pay for HTTP resources by x402: balances, limits, receipts, verification, attestation.',
  Sandbox: 'The local test environment: its accounts, and controls that simulate the outside world.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof tags;
