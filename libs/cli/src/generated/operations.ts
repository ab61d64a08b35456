// Generated from libs/contracts: npm run docs

import type { OperationInfo } from '../operation-info';

/** Every operation of the API. */
export const operations: readonly OperationInfo[] = [
  {
    "id": "listChains",
    "group": "chains-and-tokens",
    "title": "Chains and tokens",
    "name": "list-chains",
    "method": "GET",
    "path": "/api/v1/pay/chains",
    "summary": "List the chains and tokens that a payer can pay with",
    "auth": "public",
    "fields": [
      {
        "name": "direct_only",
        "type": "boolean",
        "description": "Only chains where the payer calls the payment contract directly",
        "example": true
      }
    ],
    "errors": []
  },
  {
    "id": "quotePayment",
    "group": "payment-quotes",
    "title": "Payment quotes",
    "name": "quote-payment",
    "method": "POST",
    "path": "/api/v1/pay/quote",
    "summary": "Quote the amount that a payer must pay",
    "description": "The same token on the same chain is quoted 1:1 and paid directly; every other pair at the live cross-chain rate. An unknown chain or token is rejected with 400; a pair without a route now returns 502.",
    "auth": "public",
    "fields": [
      {
        "name": "pay_blockchain",
        "type": "string",
        "description": "Chain that the payer pays on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "pay_token",
        "type": "string",
        "description": "Token that the payer pays with",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "settle_chain",
        "type": "string",
        "description": "Chain that the merchant is paid on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "settle_token",
        "type": "string",
        "description": "Token that the merchant is paid in",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "settle_amount",
        "type": "string",
        "description": "Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "1000000"
      }
    ],
    "errors": [
      "QUOTE_UNAVAILABLE"
    ]
  },
  {
    "id": "quotePaymentOptions",
    "group": "payment-quotes",
    "title": "Payment quotes",
    "name": "quote-payment-options",
    "method": "POST",
    "path": "/api/v1/pay/batch-quote",
    "summary": "Quote several payment options at once",
    "description": "All options are quoted in parallel, 5 seconds each. A failed option does not affect the others.",
    "auth": "public",
    "fields": [
      {
        "name": "settle_chain",
        "type": "string",
        "description": "Chain that the merchant is paid on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "settle_token",
        "type": "string",
        "description": "Token that the merchant is paid in",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "settle_amount",
        "type": "string",
        "description": "Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "1000000"
      },
      {
        "name": "pay_options",
        "type": "list",
        "item": "json",
        "description": "Payment options to quote",
        "isRequired": true,
        "example": [
          {
            "blockchain": "base",
            "token": "USDC"
          },
          {
            "blockchain": "btc",
            "token": "BTC"
          }
        ]
      }
    ],
    "errors": []
  },
  {
    "id": "listMinimumAmounts",
    "group": "payment-quotes",
    "title": "Payment quotes",
    "name": "list-minimum-amounts",
    "method": "GET",
    "path": "/api/v1/pay/min-amounts",
    "summary": "List the smallest amounts of cross-chain payments",
    "description": "Returns a snapshot that is refreshed in the background, also while the provider is unavailable.",
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "getWalletBalances",
    "group": "checkout",
    "title": "Checkout",
    "name": "get-wallet-balances",
    "method": "POST",
    "path": "/api/v1/pay/balances",
    "summary": "Read the balances of wallets",
    "description": "Reads all chains in parallel, 5 seconds each. A chain that fails or is slow, an unknown chain and an invalid address are left out, never reported as 0: `skipped` names them.",
    "auth": "public",
    "fields": [
      {
        "name": "wallets",
        "type": "json",
        "description": "Wallets to read: chain to address",
        "isRequired": true,
        "example": {
          "base": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
        }
      }
    ],
    "errors": []
  },
  {
    "id": "listCheckoutOptions",
    "group": "checkout",
    "title": "Checkout",
    "name": "list-checkout-options",
    "method": "POST",
    "path": "/api/v1/pay/checkout-options",
    "summary": "List the payment options of a payer",
    "description": "Reads the balances of all wallets, then quotes every token with a balance; both in parallel.",
    "auth": "public",
    "fields": [
      {
        "name": "wallets",
        "type": "json",
        "description": "Wallets to read: chain to address",
        "isRequired": true,
        "example": {
          "base": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
        }
      },
      {
        "name": "settle_chain",
        "type": "string",
        "description": "Chain that the merchant is paid on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "settle_token",
        "type": "string",
        "description": "Token that the merchant is paid in",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "settle_amount",
        "type": "string",
        "description": "Amount that the merchant must receive, in the smallest unit of the settle token; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "1000000"
      }
    ],
    "errors": []
  },
  {
    "id": "createOrder",
    "group": "orders",
    "title": "Orders",
    "name": "create-order",
    "method": "POST",
    "path": "/api/v1/pay/create-order",
    "summary": "Create an order",
    "description": "Returns the contract call that the payer makes, or the deposit address when the order crosses chains. An unpaid order expires after 30 minutes.",
    "auth": "public",
    "fields": [
      {
        "name": "pay_blockchain",
        "type": "string",
        "description": "Chain that the payer pays on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "pay_token",
        "type": "string",
        "description": "Token that the payer pays with",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "settle_chain",
        "type": "string",
        "description": "Chain that the merchant is paid on",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "settle_token",
        "type": "string",
        "description": "Token that the merchant is paid in",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "merchant_address",
        "type": "string",
        "description": "Receives the payment, on the settle chain",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "merchant_amount",
        "type": "string",
        "description": "Exact amount that the merchant receives, smallest unit of the settle token; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "1000000"
      },
      {
        "name": "fee_receiver",
        "type": "string",
        "description": "Receives the fee, on the settle chain; may be empty or the zero address when `fee_amount` is 0",
        "isRequired": true,
        "example": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
      },
      {
        "name": "fee_amount",
        "type": "string",
        "description": "Fee on top of the merchant amount; at most the merchant amount; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "5000"
      },
      {
        "name": "merchant_id",
        "type": "string",
        "description": "The caller's own name for the merchant",
        "isRequired": true,
        "example": "demo-merchant"
      },
      {
        "name": "payer_address",
        "type": "string",
        "description": "Address of the payer on the pay chain; receives refunds of cross-chain payments",
        "isRequired": true,
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      }
    ],
    "errors": [
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "ROUTE_UNAVAILABLE",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "reportOrderTransaction",
    "group": "orders",
    "title": "Orders",
    "name": "report-order-transaction",
    "method": "POST",
    "path": "/api/v1/pay/order/{id}/tx",
    "summary": "Submit the transaction that pays an order",
    "description": "Optional, but faster: the service also finds payments on the chain by itself. A transaction that does not pay the order puts it back to `waiting_payment`, with the reason in `last_report`. While another reported transaction is looked up, a report is accepted once the chain shows that it pays the order.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the order",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "tx_hash",
        "type": "string",
        "description": "Hash of the transaction that pays the order",
        "isRequired": true,
        "example": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"
      }
    ],
    "errors": [
      "ORDER_NOT_WAITING",
      "TX_ALREADY_REPORTED"
    ]
  },
  {
    "id": "getOrder",
    "group": "orders",
    "title": "Orders",
    "name": "get-order",
    "method": "GET",
    "path": "/api/v1/pay/order/{id}",
    "summary": "Read an order",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the order",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "getOrderWalletCall",
    "group": "orders",
    "title": "Orders",
    "name": "get-order-wallet-call",
    "method": "GET",
    "path": "/api/v1/pay/order/{id}/wallet-call",
    "summary": "Make the call by which a wallet pays an order",
    "description": "For orders that wait for their payment: the call of the payment contract, or the transfer to the deposit address of exactly the amount, or of what is missing of it, with its memo. The call contains what expires soon, such as a recent block: make it when the payer is about to sign.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the order",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "payer",
        "type": "string",
        "description": "Wallet that pays, on the chain of the order; need not be the `payer_address` of the order",
        "isRequired": true,
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "ORDER_NOT_WAITING",
      "ROUTE_UNAVAILABLE",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listOrders",
    "group": "orders",
    "title": "Orders",
    "name": "list-orders",
    "method": "GET",
    "path": "/api/v1/pay/orders",
    "summary": "List the orders of a payer",
    "auth": "public",
    "fields": [
      {
        "name": "payer",
        "type": "string",
        "description": "Address of the payer",
        "isRequired": true,
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MDE5OGYzYTItN2M1ZS03ZDQxLTlhNTUtM2YwZTJjMWI0YTZk"
      }
    ],
    "list": {
      "items": "orders"
    },
    "errors": []
  },
  {
    "id": "getDepositStatus",
    "group": "swaps",
    "title": "Swaps",
    "name": "get-deposit-status",
    "method": "GET",
    "path": "/api/v1/swap/status",
    "summary": "Read the status of a deposit",
    "auth": "public",
    "fields": [
      {
        "name": "deposit_address",
        "type": "string",
        "description": "Deposit address, from the create-order reply",
        "isRequired": true,
        "example": "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063"
      },
      {
        "name": "deposit_memo",
        "type": "string",
        "description": "Memo, on chains that use one",
        "example": "102938"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "quoteSwap",
    "group": "swaps",
    "title": "Swaps",
    "name": "quote-swap",
    "method": "POST",
    "path": "/v1/quote",
    "summary": "Quote a swap, on one chain or across chains",
    "description": "All providers of the pair are asked in parallel, 5 seconds each; the best output after gas wins. `inputToken`, `outputToken` and `inputAmount` may also be named `tokenIn`, `tokenOut` and `amountIn`.",
    "auth": "read",
    "fields": [
      {
        "name": "inputToken",
        "type": "json",
        "description": "Input token; or send `tokenIn`"
      },
      {
        "name": "outputToken",
        "type": "json",
        "description": "Output token; or send `tokenOut`"
      },
      {
        "name": "inputAmount",
        "type": "string",
        "description": "Input amount, smallest unit; or send `amountIn`",
        "example": "100000000"
      },
      {
        "name": "slippageBps",
        "type": "integer",
        "description": "Largest accepted slippage until execution, in basis points",
        "default": 50,
        "example": 50
      },
      {
        "name": "userAddress",
        "type": "string",
        "description": "Address of the signer, where known: some providers give better quotes with it",
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      },
      {
        "name": "tokenIn",
        "type": "json",
        "description": "Alias of `inputToken`"
      },
      {
        "name": "tokenOut",
        "type": "json",
        "description": "Alias of `outputToken`"
      },
      {
        "name": "amountIn",
        "type": "string",
        "description": "Alias of `inputAmount`",
        "example": "100000000"
      }
    ],
    "errors": [
      "QUOTE_UNAVAILABLE",
      "ROUTE_UNAVAILABLE",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "buildSwap",
    "group": "swaps",
    "title": "Swaps",
    "name": "build-swap",
    "method": "POST",
    "path": "/v1/transaction/build",
    "summary": "Build the transactions of a quote",
    "description": "Approvals come first, only where the allowance is too low, and for exactly the amount. Gas is found by simulating the transactions in order. Sign each one as built: nonce and fees are part of the signed data. One quote and signer have one set: the same request returns the same set until it is signed or can no longer be executed; a request with other terms replaces it, and the replaced set expires. The quote of a signed or replaced set returns INVALID_QUOTE, with the reason in `details`: of a signed one when it is built again, of a replaced one when it is executed.",
    "auth": "pay",
    "fields": [
      {
        "name": "quoteId",
        "type": "string",
        "description": "Id of the quote to build",
        "isRequired": true,
        "example": "0199aa10-2f4e-7c1b-8d37-5b1f0c9e7a21"
      },
      {
        "name": "userAddress",
        "type": "string",
        "description": "Wallet that signs and pays; receives the output unless `recipient` is given",
        "isRequired": true,
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      },
      {
        "name": "recipient",
        "type": "string",
        "description": "Receives the output; by default `userAddress`. Contracts that would keep the output are rejected",
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      },
      {
        "name": "deadline",
        "type": "integer",
        "description": "Deadline after which the chain rejects the swap, Unix seconds: within 24 hours, by default in 20 minutes",
        "example": 1795176000
      },
      {
        "name": "gasSettings",
        "type": "json",
        "description": "Overrides of the chain's suggested gas"
      },
      {
        "name": "skipApprovals",
        "type": "boolean",
        "description": "Build no approvals: return INSUFFICIENT_ALLOWANCE when one is needed",
        "default": false,
        "example": false
      }
    ],
    "errors": [
      "INVALID_QUOTE",
      "QUOTE_EXPIRED",
      "QUOTE_UNAVAILABLE",
      "INSUFFICIENT_BALANCE",
      "INSUFFICIENT_ALLOWANCE",
      "GAS_LIMIT_EXCEEDED",
      "DEADLINE_EXCEEDED",
      "TRANSACTION_FAILED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "executeSwap",
    "group": "swaps",
    "title": "Swaps",
    "name": "execute-swap",
    "method": "POST",
    "path": "/v1/transaction/execute",
    "summary": "Submit the signatures of built transactions",
    "description": "Idempotent: a set is sent once, and repeating the same signatures returns its current state. Each transaction is sent once the previous one is mined.",
    "auth": "pay",
    "fields": [
      {
        "name": "transactionId",
        "type": "string",
        "description": "Id of the transaction set",
        "isRequired": true,
        "example": "0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18"
      },
      {
        "name": "signatures",
        "type": "list",
        "item": "string",
        "description": "One for each built transaction, in order: its 65-byte signature or the whole signed transaction, hexadecimal",
        "isRequired": true,
        "example": [
          "0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c1b"
        ]
      },
      {
        "name": "broadcast",
        "type": "boolean",
        "description": "false verifies and stores the signatures without sending",
        "default": true,
        "example": true
      }
    ],
    "errors": [
      "NOT_FOUND",
      "INVALID_QUOTE",
      "INVALID_SIGNATURE",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE",
      "CONFLICT",
      "DEADLINE_EXCEEDED",
      "GAS_LIMIT_EXCEEDED",
      "TRANSACTION_FAILED"
    ]
  },
  {
    "id": "getSwapStatus",
    "group": "swaps",
    "title": "Swaps",
    "name": "get-swap-status",
    "method": "GET",
    "path": "/v1/transaction/{transactionId}/status",
    "summary": "Read the state of a transaction set",
    "auth": "read",
    "fields": [
      {
        "name": "transactionId",
        "type": "string",
        "description": "Id of the transaction set",
        "isRequired": true,
        "example": "0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18"
      },
      {
        "name": "includeDetails",
        "type": "boolean",
        "description": "Include the built and sent transactions",
        "default": false,
        "example": true
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "buildSwaps",
    "group": "swaps",
    "title": "Swaps",
    "name": "build-swaps",
    "method": "POST",
    "path": "/v1/transaction/batch",
    "summary": "Build several quotes at once",
    "description": "Up to 50. An item that cannot be built does not affect the others. Sign and execute each item by itself, in the order of the request.",
    "auth": "pay",
    "fields": [
      {
        "name": "transactions",
        "type": "list",
        "item": "json",
        "description": "Items to build; those of one user on one chain get consecutive nonces in this order",
        "isRequired": true,
        "example": [
          {
            "id": "rebalance-1",
            "quoteId": "0199aa10-2f4e-7c1b-8d37-5b1f0c9e7a21",
            "userAddress": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
          }
        ]
      },
      {
        "name": "gasSettings",
        "type": "json",
        "description": "Gas settings of all items"
      }
    ],
    "errors": []
  },
  {
    "id": "createPaymentRequest",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "create-payment-request",
    "method": "POST",
    "path": "/api/v1/merchant/payment-requests",
    "summary": "Create a payment request",
    "description": "Send the payer to `payment_link`, or show `qr_code_url`. The payer chooses the token to pay with; the merchant receives exactly `amount` of `currency`.",
    "auth": "write",
    "fields": [
      {
        "name": "amount",
        "type": "string",
        "description": "Amount to receive, in the smallest unit of the currency; at most 340282366920938463463374607431768211455",
        "isRequired": true,
        "example": "1000000"
      },
      {
        "name": "currency",
        "type": "string",
        "description": "Token to receive; `defaultToken` of the settings unless given",
        "example": "USDC"
      },
      {
        "name": "chain",
        "type": "string",
        "description": "Chain to receive it on; `defaultChain` of the settings unless given",
        "example": "eip155:8453"
      },
      {
        "name": "description",
        "type": "string",
        "description": "Description shown to the payer",
        "example": "Order 4711: two espressos"
      },
      {
        "name": "metadata",
        "type": "json",
        "description": "Private metadata: returned only to the merchant, in replies and webhooks; at most 4,096 bytes as JSON and 5 levels",
        "example": {
          "cart": "4711"
        }
      },
      {
        "name": "receive_address",
        "type": "string",
        "description": "Receiving address on the chain. Unless given: the address of this chain or its family in `receiveAddresses` of the settings; otherwise the wallet, when it belongs to that family and is not a contract of another chain; otherwise the only address that the wallet has proven on that family. Without any of them the request is created with `receive_address_required`, and cannot be paid before it has one",
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "expires_at",
        "type": "string",
        "description": "Expiry, at most one year ahead; without one, the request stays open until it is paid or canceled",
        "example": "2026-12-20T12:00:00.000Z"
      },
      {
        "name": "success_url",
        "type": "string",
        "description": "Where the payer may continue after the payment: an https URL of the merchant",
        "example": "https://shop.example.com/thanks"
      },
      {
        "name": "cancel_url",
        "type": "string",
        "description": "Where a payer who does not pay returns to: an https URL of the merchant",
        "example": "https://shop.example.com/cart"
      }
    ],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listPaymentRequests",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "list-payment-requests",
    "method": "GET",
    "path": "/api/v1/merchant/payment-requests",
    "summary": "List your payment requests",
    "auth": "read",
    "fields": [
      {
        "name": "status",
        "type": "string",
        "description": "Only requests with this status",
        "values": [
          "pending",
          "processing",
          "completed",
          "expired",
          "canceled"
        ],
        "example": "pending"
      },
      {
        "name": "from",
        "type": "string",
        "description": "Only requests created at or after this time",
        "example": "2026-11-01T00:00:00Z"
      },
      {
        "name": "to",
        "type": "string",
        "description": "Only requests created before this time",
        "example": "2026-12-01T00:00:00Z"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MTc2MzY0MDAwMDAwMC45YTNkMWM0NA"
      }
    ],
    "list": {
      "items": "payment_requests"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getPaymentRequest",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "get-payment-request",
    "method": "GET",
    "path": "/api/v1/merchant/payment-requests/{id}",
    "summary": "Read a payment request",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment request",
        "isRequired": true,
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "cancelPaymentRequest",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "cancel-payment-request",
    "method": "POST",
    "path": "/api/v1/merchant/payment-requests/{id}/cancel",
    "summary": "Cancel a payment request",
    "description": "The request can no longer be executed. A payment that a payer began before may still arrive, and then counts. Returns 409 while a payment is seen on the chain, and when the request is paid or expired.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment request",
        "isRequired": true,
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "setPaymentRequestReceiveAddress",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "set-payment-request-receive-address",
    "method": "POST",
    "path": "/api/v1/merchant/payment-requests/{id}/receive-address",
    "summary": "Name the receiving address of a payment request that has none",
    "description": "For requests with `receive_address_required`: payers can pay from then on. An address in `receiveAddresses` of the settings, or a proven address, has the same effect. Returns 409 when the request has another address already.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment request",
        "isRequired": true,
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      },
      {
        "name": "receive_address",
        "type": "string",
        "description": "Receiving address on the chain of the request",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "listPayments",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "list-payments",
    "method": "GET",
    "path": "/api/v1/merchant/payments",
    "summary": "List the payments of your payment requests",
    "auth": "read",
    "fields": [
      {
        "name": "status",
        "type": "string",
        "description": "Only payments with this status",
        "values": [
          "executing",
          "completed",
          "failed",
          "expired"
        ],
        "example": "completed"
      },
      {
        "name": "currency",
        "type": "string",
        "description": "Only payments in this currency",
        "example": "USDC"
      },
      {
        "name": "chain",
        "type": "string",
        "description": "Only payments to this chain",
        "example": "eip155:8453"
      },
      {
        "name": "from",
        "type": "string",
        "description": "Only payments created at or after this time",
        "example": "2026-11-01T00:00:00Z"
      },
      {
        "name": "to",
        "type": "string",
        "description": "Only payments created before this time",
        "example": "2026-12-01T00:00:00Z"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MTc2MzY0MDAwMDAwMC45YTNkMWM0NA"
      }
    ],
    "list": {
      "items": "payments"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getMerchantStats",
    "group": "payment-requests",
    "title": "Payment requests",
    "name": "get-merchant-stats",
    "method": "GET",
    "path": "/api/v1/merchant/stats",
    "summary": "Read the totals of today, this week and this month",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getPayablePaymentRequest",
    "group": "payments",
    "title": "Payments",
    "name": "get-payable-payment-request",
    "method": "GET",
    "path": "/api/v1/payment/{id}",
    "summary": "Read a payment request and its payment options",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment request",
        "isRequired": true,
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      },
      {
        "name": "payer_address",
        "type": "string",
        "description": "Refund address of the payer. With it the reply also lists options that need a `payer_address`",
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "startPayment",
    "group": "payments",
    "title": "Payments",
    "name": "start-payment",
    "method": "POST",
    "path": "/api/v1/payment/{id}/execute",
    "summary": "Start a payment",
    "description": "Creates the order to pay. The same option of the same payer returns the same payment while its order waits. Returns 409 when the request is paid, expired or canceled, or has too many payments in progress.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment request",
        "isRequired": true,
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      },
      {
        "name": "selected_option",
        "type": "json",
        "description": "One of `payment_options`",
        "isRequired": true
      },
      {
        "name": "payer_address",
        "type": "string",
        "description": "Address of the payer on the chain to pay on, for refunds. Required for options with `needs_payer_address`. Without it, a refund of another option is forwarded to the sender of the deposit",
        "example": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "CONFLICT",
      "ROUTE_UNAVAILABLE",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "getPaymentStatus",
    "group": "payments",
    "title": "Payments",
    "name": "get-payment-status",
    "method": "GET",
    "path": "/api/v1/payment/{id}/status",
    "summary": "Read the status of a payment",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment, or of the payment request: then its most advanced payment",
        "isRequired": true,
        "example": "9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "getMerchantOverview",
    "group": "merchant-dashboard",
    "title": "Merchant dashboard",
    "name": "get-merchant-overview",
    "method": "GET",
    "path": "/api/overview",
    "summary": "Read the payment totals of a merchant",
    "description": "Payments count on the day of their completion (UTC). Refunds are not included.",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listTransactions",
    "group": "merchant-dashboard",
    "title": "Merchant dashboard",
    "name": "list-transactions",
    "method": "GET",
    "path": "/api/transactions",
    "summary": "List a merchant's transactions",
    "description": "Newest first: the newest 100, unless `limit` and `cursor` say otherwise. While more records exist, the header `Link` names the next page (`rel=\"next\"`). An order that another client created appears after its first payment. `GET /api/transactions/export` takes the same filters and returns CSV: up to 1,000,000 records, each with its dollar value at the time of payment. Pass the last record's `id` as `cursor` to continue.",
    "auth": "read",
    "fields": [
      {
        "name": "q",
        "type": "string",
        "description": "Search: the whole `id`, `order_id` or `payment_request_id`, or the start of `tx_hash`, of `counterparty`, of the description of the payment request, or of what follows `Order of` or `PayLink:` in `description` (the reference of the shop). Upper and lower case are the same. At least 3 characters. A start that more than 1,000 records share returns 1,000 of them",
        "example": "shop-17"
      },
      {
        "name": "type",
        "type": "string",
        "description": "Only records of this type",
        "values": [
          "payment",
          "refund"
        ],
        "example": "payment"
      },
      {
        "name": "status",
        "type": "string",
        "description": "Only records in this status",
        "values": [
          "pending",
          "completed",
          "failed",
          "expired",
          "reversed"
        ],
        "example": "completed"
      },
      {
        "name": "token",
        "type": "string",
        "description": "Only records in this token, by symbol",
        "example": "USDC"
      },
      {
        "name": "network",
        "type": "string",
        "description": "Only records on this chain: id, CAIP-2 or short name",
        "example": "eip155:8453"
      },
      {
        "name": "from",
        "type": "string",
        "description": "Only records created at or after this time",
        "example": "2026-11-01T00:00:00Z"
      },
      {
        "name": "to",
        "type": "string",
        "description": "Only records created before this time",
        "example": "2026-12-01T00:00:00Z"
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`id` of the last record on the previous page",
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 100,
        "example": 100
      }
    ],
    "list": {},
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getTransaction",
    "group": "merchant-dashboard",
    "title": "Merchant dashboard",
    "name": "get-transaction",
    "method": "GET",
    "path": "/api/transactions/{id}",
    "summary": "Read one of a merchant's transactions",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the record",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "proveLedger",
    "group": "ledger",
    "title": "Ledger",
    "name": "prove-ledger",
    "method": "GET",
    "path": "/api/ledger/proof",
    "summary": "Prove a merchant's ledger",
    "description": "Returns the sums of every asset, and checks the newest segment of the ledger and the one with the oldest check: each transaction sums to zero, no transaction was changed or removed, and the stored sums match the entries. A fault halts the ledger until the check passes again. Changes made meanwhile wait, and are posted afterwards.",
    "auth": "read",
    "fields": [
      {
        "name": "segment",
        "type": "integer",
        "description": "Also check this segment of the ledger: 0 to `segments` - 1",
        "example": 0
      }
    ],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listLedgerEntries",
    "group": "ledger",
    "title": "Ledger",
    "name": "list-ledger-entries",
    "method": "GET",
    "path": "/api/ledger/entries",
    "summary": "List the entries of a merchant's ledger",
    "auth": "read",
    "fields": [
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 50,
        "example": 50
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "17.2"
      }
    ],
    "list": {
      "items": "entries"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listPayLinks",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "list-paylinks",
    "method": "GET",
    "path": "/api/paylinks",
    "summary": "List your PayLinks, newest first",
    "description": "Returns all PayLinks: a wallet has at most 1,000. With `limit` it returns one page; while more exist, the header `Link` names the next page (`rel=\"next\"`).",
    "auth": "read",
    "fields": [
      {
        "name": "active",
        "type": "boolean",
        "description": "Only PayLinks that are switched on, or only those switched off",
        "example": true
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Page size, at most 100; without it the reply contains all PayLinks",
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "Start after this item: the id of the last link on the previous page",
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "list": {},
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "createPayLink",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "create-paylink",
    "method": "POST",
    "path": "/api/paylinks",
    "summary": "Create a PayLink",
    "description": "A wallet can have at most 1,000 PayLinks (409).",
    "auth": "write",
    "fields": [
      {
        "name": "name",
        "type": "string",
        "description": "Name of the product or purpose",
        "isRequired": true,
        "example": "Espresso"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "Smallest payment, smallest unit; 0 when the payer chooses the amount; optional then; at most 340282366920938463463374607431768211455",
        "example": "3500000"
      },
      {
        "name": "token",
        "type": "string",
        "description": "Token to pay with, supported on the network; `defaultToken` of the settings unless given",
        "example": "USDC"
      },
      {
        "name": "network",
        "type": "string",
        "description": "Network to pay on: id, CAIP-2 or short name; `defaultChain` of the settings unless given",
        "example": "eip155:8453"
      },
      {
        "name": "description",
        "type": "string",
        "description": "Longer description; may be empty",
        "isRequired": true,
        "example": "A double one, in the garden"
      },
      {
        "name": "receiveAddress",
        "type": "string",
        "description": "Receiving address on the network",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "imageUrl",
        "type": "string",
        "description": "URL of an image, for apps of the merchant. The page of the link loads no image of another site",
        "example": "https://shop.example/espresso.png"
      },
      {
        "name": "expiresAt",
        "type": "string",
        "description": "Expiry; later payments are not counted",
        "example": "2026-12-31T23:59:59Z"
      },
      {
        "name": "maxPayments",
        "type": "integer",
        "description": "Largest number of counted payments",
        "example": 100
      },
      {
        "name": "openAmount",
        "type": "boolean",
        "description": "Whether the payer chooses the amount",
        "example": false
      },
      {
        "name": "minAmount",
        "type": "string",
        "description": "With openAmount: the smallest counted payment, smallest unit; 1 unless given; at most 340282366920938463463374607431768211455",
        "example": "1000000"
      },
      {
        "name": "metadata",
        "type": "json",
        "description": "Private metadata, shown only to the merchant; at most 4,096 bytes as JSON and 5 levels",
        "example": {
          "table": 7
        }
      },
      {
        "name": "successUrl",
        "type": "string",
        "description": "Where the page sends the payer after the payment",
        "example": "https://shop.example/thanks"
      },
      {
        "name": "cancelUrl",
        "type": "string",
        "description": "Where a payer who does not pay returns to",
        "example": "https://shop.example/cart"
      }
    ],
    "takesWallet": true,
    "errors": [
      "CONFLICT"
    ]
  },
  {
    "id": "setPayLinkActive",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "set-paylink-active",
    "method": "PUT",
    "path": "/api/paylinks/{id}/toggle",
    "summary": "Switch a PayLink on or off",
    "description": "A payment made while the PayLink was on counts, even when it is submitted later.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "active",
        "type": "boolean",
        "description": "Whether the PayLink accepts payments from now on",
        "isRequired": true,
        "example": false
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "deletePayLink",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "delete-paylink",
    "method": "DELETE",
    "path": "/api/paylinks/{id}",
    "summary": "Delete a PayLink",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "getPublicPayLink",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "get-public-paylink",
    "method": "GET",
    "path": "/api/paylinks/{id}/public",
    "summary": "Read a PayLink as a payer",
    "description": "Only while the PayLink accepts payments: it is on, not expired and not used up.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "startPayLinkCheckout",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "start-paylink-checkout",
    "method": "POST",
    "path": "/api/paylinks/{id}/checkout",
    "summary": "Start a checkout of a PayLink",
    "description": "Creates a payment request for one payment of the PayLink, which the payer pays in any token that is offered. Once settled it counts for the PayLink, as `paylink.paid` says. It reserves no slot of `maxPayments`: one payment too many becomes an exception. It closes with the PayLink, and after a day.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "What the payer wants to pay, smallest unit: where the payer chooses the amount; at most 340282366920938463463374607431768211455",
        "example": "3500000"
      },
      {
        "name": "key",
        "type": "string",
        "description": "A random UUID: the same key and amount again return the same checkout",
        "example": "5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "reportPayLinkPayment",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "report-paylink-payment",
    "method": "POST",
    "path": "/api/paylinks/{id}/pay",
    "summary": "Submit the transaction that paid a PayLink",
    "description": "The service verifies the transaction on the network: a transfer of the genuine token to the receiver, of at least the amount, made after the PayLink was created, with enough confirmations, and not counted before. A transaction that names the `reference` of another PayLink is rejected. While the receiver is unproven, a transaction that pays a PayLink of a merchant who has proven the receiver is rejected too. Submitting the same hash again returns the same result. On a network without a configured node the payment is stored as `unverifiable`, and counts only after the merchant confirms it. A PayLink holds at most 50 unmined and 100 unverifiable transactions (409). Without an API key, one address may submit 20 times a minute.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "txHash",
        "type": "string",
        "description": "Hash of the paying transaction",
        "isRequired": true,
        "example": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "listPayLinkPayments",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "list-paylink-payments",
    "method": "GET",
    "path": "/api/paylinks/{id}/payments",
    "summary": "List the submitted payments of a PayLink, newest first",
    "description": "At most 100 per page. While more exist, the header `Link` names the next page (`rel=\"next\"`).",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items: 100, also when more are requested",
        "default": 100,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "Start after this item: the id of the last payment on the previous page",
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "list": {},
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "confirmPayLinkPayment",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "confirm-paylink-payment",
    "method": "POST",
    "path": "/api/paylinks/{id}/payments/{paymentId}/confirm",
    "summary": "Confirm an unverifiable payment",
    "description": "The payment counts from then on, in `payment_count`, the dashboard and the ledger, marked as confirmed by the merchant instead of the network. The call is idempotent. Returns 409 when the payment is not `unverifiable`, its transaction counts for another PayLink of the wallet or settles an order, the PayLink has all its payments, or another merchant has proven the receiver and has a PayLink that the transaction pays.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "paymentId",
        "type": "string",
        "description": "Id of the payment",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "rejectPayLinkPayment",
    "group": "paylinks",
    "title": "PayLinks",
    "name": "reject-paylink-payment",
    "method": "POST",
    "path": "/api/paylinks/{id}/payments/{paymentId}/reject",
    "summary": "Reject an unverifiable payment",
    "description": "The payment never counts. The call is idempotent. Returns 409 for a payment that is not `unverifiable`.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the PayLink",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "paymentId",
        "type": "string",
        "description": "Id of the payment",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "listExceptions",
    "group": "exceptions",
    "title": "Exceptions",
    "name": "list-exceptions",
    "method": "GET",
    "path": "/api/exceptions",
    "summary": "List money that arrived in another form than it was asked for",
    "description": "Less or more than the amount, in parts, in another token or on another network, too late, or once too often. Each is also sent as the webhook `payment.exception`. Refund or deliver, then resolve it.",
    "auth": "read",
    "fields": [
      {
        "name": "status",
        "type": "string",
        "description": "Only exceptions in this state",
        "values": [
          "open",
          "resolved"
        ],
        "example": "open"
      },
      {
        "name": "kind",
        "type": "string",
        "description": "Only exceptions of this kind",
        "values": [
          "partial",
          "overpaid",
          "excess",
          "late",
          "inactive",
          "other_token",
          "other_network",
          "plain_transfer",
          "second_payment",
          "refund"
        ],
        "example": "partial"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "list": {
      "items": "exceptions"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "resolveException",
    "group": "exceptions",
    "title": "Exceptions",
    "name": "resolve-exception",
    "method": "POST",
    "path": "/api/exceptions/{id}/resolve",
    "summary": "Close an exception that was dealt with",
    "description": "It moves no money. The call is idempotent: a resolved exception stays as it is.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the exception",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "createReceiverChallenge",
    "group": "receiving-addresses",
    "title": "Receiving addresses",
    "name": "create-receiver-challenge",
    "method": "POST",
    "path": "/api/receivers/challenge",
    "summary": "Create a challenge for a receiving address",
    "description": "Sign the text with the receiving address, then send the signature to `POST /api/receivers/verify`. The wallet's own address needs no proof. Nothing is stored until the proof is verified.",
    "auth": "settings",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Receiving address: EVM, Solana or TON",
        "isRequired": true,
        "example": "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
      },
      {
        "name": "chainId",
        "type": "integer",
        "description": "EVM only: the chain on which a contract is verified; 1 if absent",
        "example": 8453
      }
    ],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "verifyReceiver",
    "group": "receiving-addresses",
    "title": "Receiving addresses",
    "name": "verify-receiver",
    "method": "POST",
    "path": "/api/receivers/verify",
    "summary": "Prove a receiving address",
    "description": "All PayLinks of the wallet to this address become `receiver_verified`. EVM keys and contracts (ERC-1271, ERC-6492), TON and Solana can sign. Several wallets can prove one address; each needs its own proof. A rejected proof is 400 with `details.reason`; the nonce stays valid until it is used or expires. A wallet has at most 100 proven addresses (409).",
    "auth": "settings",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Receiving address: EVM, Solana or TON",
        "isRequired": true,
        "example": "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
      },
      {
        "name": "nonce",
        "type": "string",
        "description": "Valid for one proof of this address within five minutes",
        "isRequired": true,
        "example": "6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912"
      },
      {
        "name": "message",
        "type": "string",
        "description": "EVM and Solana: the message of the challenge, unchanged",
        "example": "shop.example wants you to sign in with your Ethereum account:\n0x90F79bf6EB2c4f870365E785982E1f101E93b906\n\nProve that this address receives payments of the Tollbridge merchant 0x70997970C51812dc3A010C7d01b50e0d17dc79C8. This costs nothing and moves no money.\n\nURI: https://shop.example\nVersion: 1\nChain ID: 8453\nNonce: 6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912\nIssued At: 2026-11-20T12:00:00.000Z\nExpiration Time: 2026-11-20T12:05:00.000Z"
      },
      {
        "name": "signature",
        "type": "string",
        "description": "EVM: hexadecimal, including contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes",
        "example": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a11b"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "TON: `ton_proof` as TON Connect returns it"
      }
    ],
    "takesWallet": true,
    "errors": [
      "INVALID_SIGNATURE",
      "CONFLICT",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listReceivers",
    "group": "receiving-addresses",
    "title": "Receiving addresses",
    "name": "list-receivers",
    "method": "GET",
    "path": "/api/receivers",
    "summary": "List the proven receiving addresses of a wallet",
    "description": "Newest first, without pages: a wallet has at most 100. Its own address needs no proof.",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "deleteReceiver",
    "group": "receiving-addresses",
    "title": "Receiving addresses",
    "name": "delete-receiver",
    "method": "DELETE",
    "path": "/api/receivers/{address}",
    "summary": "Delete the proof of a receiving address",
    "description": "PayLinks to the address remain but are no longer `receiver_verified`. Counted payments stay counted.",
    "auth": "settings",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Receiving address: EVM, Solana or TON",
        "isRequired": true,
        "example": "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "listApiKeys",
    "group": "api-keys",
    "title": "API keys",
    "name": "list-api-keys",
    "method": "GET",
    "path": "/api/keys",
    "summary": "List your API keys",
    "description": "Newest first. Secrets are never listed: they are shown once, on creation.",
    "auth": "wallet",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "createApiKey",
    "group": "api-keys",
    "title": "API keys",
    "name": "create-api-key",
    "method": "POST",
    "path": "/api/keys",
    "summary": "Create an API key",
    "description": "At most 100 keys for each wallet. Only this reply contains the secret.",
    "auth": "wallet",
    "fields": [
      {
        "name": "label",
        "type": "string",
        "description": "Label of the key",
        "isRequired": true,
        "example": "Shop"
      },
      {
        "name": "permissions",
        "type": "list",
        "item": "string",
        "description": "Permissions: `read` reads all data of the wallet; `pay` pays; `write` creates, changes and buys; `settings` changes merchant settings, the webhook address included; `webhooks` creates and shows a webhook secret",
        "isRequired": true,
        "values": [
          "read",
          "pay",
          "write",
          "settings",
          "webhooks"
        ],
        "example": [
          "read",
          "pay"
        ]
      },
      {
        "name": "monthlyBudget",
        "type": "string",
        "description": "Monthly budget (UTC months), US dollars; empty means no limit",
        "example": "100.00"
      },
      {
        "name": "maxPerTx",
        "type": "string",
        "description": "Limit for one spend; at most `monthlyBudget`, US dollars; empty means no limit",
        "example": "100.00"
      }
    ],
    "takesWallet": true,
    "errors": [
      "CONFLICT"
    ]
  },
  {
    "id": "setApiKeyEnabled",
    "group": "api-keys",
    "title": "API keys",
    "name": "set-api-key-enabled",
    "method": "PUT",
    "path": "/api/keys/{id}/toggle",
    "summary": "Enable or disable an API key",
    "description": "All gateways reject a disabled key within one second.",
    "auth": "wallet",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the API key",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "enabled",
        "type": "boolean",
        "description": "Whether the key is accepted from now on",
        "isRequired": true,
        "example": false
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "regenerateApiKey",
    "group": "api-keys",
    "title": "API keys",
    "name": "regenerate-api-key",
    "method": "POST",
    "path": "/api/keys/{id}/regenerate",
    "summary": "Give an API key a new secret",
    "description": "The previous secret ends immediately, or after the grace period. The publishable half does not change.",
    "auth": "wallet",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the API key",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "gracePeriodSeconds",
        "type": "integer",
        "description": "How long the current secret stays valid; at most one week",
        "default": 0,
        "example": 3600
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "deleteApiKey",
    "group": "api-keys",
    "title": "API keys",
    "name": "delete-api-key",
    "method": "DELETE",
    "path": "/api/keys/{id}",
    "summary": "Delete an API key permanently",
    "auth": "wallet",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the API key",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "listApiKeySpends",
    "group": "api-keys",
    "title": "API keys",
    "name": "list-api-key-spends",
    "method": "GET",
    "path": "/api/keys/{id}/spends",
    "summary": "List the spends of an API key",
    "description": "The spends of the current month that are reserved or captured sum to `usedBudget`.",
    "auth": "wallet",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the API key",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "month",
        "type": "string",
        "description": "Only spends of this month (UTC); without it all spends, newest first",
        "example": "2026-11"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MTc5NTE3NzgwMDAwMC4wMTk4ZjNhMi03YzVlLTdkNDEtOWE1NS0zZjBlMmMxYjRhNmQ"
      }
    ],
    "list": {
      "items": "spends"
    },
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "createSignInChallenge",
    "group": "sign-in",
    "title": "Sign-in",
    "name": "create-sign-in-challenge",
    "method": "POST",
    "path": "/api/auth/challenge",
    "summary": "Create a sign-in challenge for a wallet",
    "description": "The wallet may be any spelling of its address. Nothing is stored until the challenge is signed. In the sandbox, signing in is possible but not required.",
    "auth": "public",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "Wallet address: EVM, Solana or TON",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "chainId",
        "type": "integer",
        "description": "EVM only: the chain on which a contract wallet is verified; 1 if absent",
        "example": 8453
      }
    ],
    "errors": []
  },
  {
    "id": "signIn",
    "group": "sign-in",
    "title": "Sign-in",
    "name": "sign-in",
    "method": "POST",
    "path": "/api/auth/verify",
    "summary": "Sign in: verify a wallet proof and create a session token",
    "description": "Each nonce creates one session. A rejected proof returns `401` with `details.reason`; the nonce stays valid until it is used or expires. After 60 rejected proofs within a minute from one address, the gateway returns `429`.",
    "auth": "public",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "Wallet address: EVM, Solana or TON",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "nonce",
        "type": "string",
        "description": "Valid for one sign-in of this wallet within five minutes",
        "isRequired": true,
        "example": "6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912"
      },
      {
        "name": "message",
        "type": "string",
        "description": "EVM and Solana: the message of the challenge, unchanged",
        "example": "shop.example wants you to sign in with your Ethereum account:\n0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n\nSign in to Tollbridge. This costs nothing and moves no money.\n\nURI: https://shop.example\nVersion: 1\nChain ID: 8453\nNonce: 6a12c4500000210539e1f0a7c2d4b8866c0f7d1be4a95f20a3c8d7e6b5f40912\nIssued At: 2026-11-20T12:00:00.000Z\nExpiration Time: 2026-11-20T12:05:00.000Z"
      },
      {
        "name": "signature",
        "type": "string",
        "description": "EVM: hexadecimal, including contract wallets (ERC-1271, ERC-6492). Solana: base58 of 64 bytes",
        "example": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a11b"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "TON: `ton_proof` as TON Connect returns it"
      }
    ],
    "errors": [
      "UNAUTHORIZED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listSessions",
    "group": "sign-in",
    "title": "Sign-in",
    "name": "list-sessions",
    "method": "GET",
    "path": "/api/auth/sessions",
    "summary": "List the sessions of a wallet, without their tokens",
    "auth": "wallet",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "revokeSession",
    "group": "sign-in",
    "title": "Sign-in",
    "name": "revoke-session",
    "method": "DELETE",
    "path": "/api/auth/sessions/{id}",
    "summary": "Revoke a session; all gateways reject its token within one second",
    "auth": "wallet",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the session",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "revokeAllSessions",
    "group": "sign-in",
    "title": "Sign-in",
    "name": "revoke-all-sessions",
    "method": "DELETE",
    "path": "/api/auth/sessions",
    "summary": "Revoke all sessions of the wallet, including the current one",
    "auth": "wallet",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getSettings",
    "group": "merchant-settings",
    "title": "Merchant settings",
    "name": "get-settings",
    "method": "GET",
    "path": "/api/settings",
    "summary": "Read your settings",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "replaceSettings",
    "group": "merchant-settings",
    "title": "Merchant settings",
    "name": "replace-settings",
    "method": "PUT",
    "path": "/api/settings",
    "summary": "Replace your settings",
    "description": "At most 64 KiB of JSON and 20 levels. Of two concurrent requests, one is stored as a whole. Returns the stored settings. No sample field is enforced: a `webhookUrl` that cannot be used is stored, and no webhooks are sent. A PUT without a previously stored `webhookUrl` removes it. The reply says both in `warnings` (`[{code, field, message}]`; `_warnings` when the settings contain a field named `warnings`). Warnings are never stored, even when a client sends them back.",
    "auth": "settings",
    "fields": [
      {
        "name": "settings",
        "type": "json",
        "description": "The whole settings object with any fields. These fields have a meaning: `webhookUrl`: public address that receives webhooks; absent, null or empty disables them, and one that cannot be used is stored with a warning. `storeName`: shown to payers beside the receiving address. `storeColor`: colour of the buttons of checkout and PayLink pages, such as `#1d4fc4`. `storeLogo`: image beside the name, as a `data:` URL with base64 of a PNG, JPEG or WebP of at most 32 KiB and 1,024 pixels a side. `embedOrigins`: at most 10 origins, such as `https://shop.example`, of pages that may show them in a frame. `defaultChain`, `defaultToken`: defaults for payment requests and PayLinks; checked when used. `receiveAddresses`: at most 64, the receiving address by chain family (`evm`, `ton`, `solana`, ...) or chain, for payment requests that give none; at most 65,536 bytes as JSON and 20 levels",
        "isRequired": true,
        "example": {
          "storeName": "Corner Café",
          "webhookUrl": "https://shop.example/webhooks",
          "defaultToken": "USDC",
          "defaultChain": "base"
        }
      }
    ],
    "body": "settings",
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "deleteSettings",
    "group": "merchant-settings",
    "title": "Merchant settings",
    "name": "delete-settings",
    "method": "DELETE",
    "path": "/api/settings/all",
    "summary": "Delete your settings",
    "auth": "settings",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listWebhooks",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "list-webhooks",
    "method": "GET",
    "path": "/api/webhooks",
    "summary": "List the messages sent to your endpoint",
    "auth": "read",
    "fields": [
      {
        "name": "status",
        "type": "string",
        "description": "Only messages in this state",
        "values": [
          "pending",
          "delivered",
          "failing",
          "parked"
        ],
        "example": "failing"
      },
      {
        "name": "type",
        "type": "string",
        "description": "Only messages of this type",
        "values": [
          "order.created",
          "order.settling",
          "order.settled",
          "order.reopened",
          "order.failed",
          "order.exception",
          "order.expired",
          "order.reorged",
          "order.refunded",
          "payment.executing",
          "payment.completed",
          "payment.failed",
          "payment.expired",
          "paylink.paid",
          "paylink.payment_unverifiable",
          "paylink.payment_rejected",
          "paylink.payment_reverted",
          "payment.exception",
          "transaction.completed",
          "transaction.failed",
          "purchase.completed",
          "purchase.failed",
          "key.budget_warning",
          "key.budget_reached",
          "payout.updated",
          "webhook.test"
        ],
        "example": "order.settled"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "msg_0198f3a27c5e7d419a553f0e2c1b4a6d"
      }
    ],
    "list": {
      "items": "webhooks"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getWebhookEndpoint",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "get-webhook-endpoint",
    "method": "GET",
    "path": "/api/webhooks/endpoint",
    "summary": "Read the state of your endpoint",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "listWebhookTypes",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "list-webhook-types",
    "method": "GET",
    "path": "/api/webhooks/types",
    "summary": "List the message types, with schema and example",
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "getWebhook",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "get-webhook",
    "method": "GET",
    "path": "/api/webhooks/{id}",
    "summary": "Read a message and its attempts",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the message",
        "isRequired": true,
        "example": "msg_0198f3a27c5e7d419a553f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "replayWebhook",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "replay-webhook",
    "method": "POST",
    "path": "/api/webhooks/{id}/replay",
    "summary": "Replay a message",
    "description": "In any state and of any age: sends the same `webhook-id` immediately, and restarts the retry schedule when the attempt fails.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the message",
        "isRequired": true,
        "example": "msg_0198f3a27c5e7d419a553f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "listenToWebhooks",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "listen-to-webhooks",
    "method": "POST",
    "path": "/api/webhooks/listen",
    "summary": "Record messages without an endpoint",
    "description": "For developers without a public address: until the time in the reply, new messages are stored also while the settings have no `webhookUrl`. Read them with `GET /api/webhooks` and `GET /api/webhooks/{id}`; `tollbridge listen` forwards them to your machine. Without a `webhookUrl` their status is `parked`. Deliveries to a `webhookUrl` do not change.",
    "auth": "write",
    "fields": [
      {
        "name": "seconds",
        "type": "integer",
        "description": "How long messages are recorded; call again before the time has passed",
        "default": 60,
        "example": 60
      }
    ],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "sendTestWebhook",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "send-test-webhook",
    "method": "POST",
    "path": "/api/webhooks/test",
    "summary": "Send a test message and return the result",
    "description": "Sent immediately and once, before all waiting messages. If it succeeds, the waiting messages are sent too. Without a `webhookUrl`, the message is recorded for listeners (`POST /api/webhooks/listen`).",
    "auth": "write",
    "fields": [
      {
        "name": "type",
        "type": "string",
        "description": "Type of the message; `webhook.test` unless given. Other types carry the example of the type as `data`, and exist in the sandbox only",
        "values": [
          "order.created",
          "order.settling",
          "order.settled",
          "order.reopened",
          "order.failed",
          "order.exception",
          "order.expired",
          "order.reorged",
          "order.refunded",
          "payment.executing",
          "payment.completed",
          "payment.failed",
          "payment.expired",
          "paylink.paid",
          "paylink.payment_unverifiable",
          "paylink.payment_rejected",
          "paylink.payment_reverted",
          "payment.exception",
          "transaction.completed",
          "transaction.failed",
          "purchase.completed",
          "purchase.failed",
          "key.budget_warning",
          "key.budget_reached",
          "payout.updated",
          "webhook.test"
        ],
        "example": "order.settled"
      }
    ],
    "takesWallet": true,
    "errors": [
      "CONFLICT"
    ]
  },
  {
    "id": "resumeWebhooks",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "resume-webhooks",
    "method": "POST",
    "path": "/api/webhooks/endpoint/resume",
    "summary": "Send to a paused endpoint again",
    "description": "Ends the pause after failures, also after a 410: waiting messages are sent now, and a pause comes after five new failures in a row. Call it once the endpoint works again. Returns 409 without a webhookUrl.",
    "auth": "write",
    "fields": [],
    "takesWallet": true,
    "errors": [
      "CONFLICT"
    ]
  },
  {
    "id": "rotateWebhookSecret",
    "group": "webhooks",
    "title": "Webhooks",
    "name": "rotate-webhook-secret",
    "method": "POST",
    "path": "/api/webhooks/secret",
    "summary": "Create and show a new signing secret",
    "description": "Also creates the first secret. During the grace period, messages carry the signatures of both secrets.",
    "auth": "webhooks",
    "fields": [
      {
        "name": "gracePeriodSeconds",
        "type": "integer",
        "description": "How long messages are also signed with the previous secret; 0 when the previous secret has leaked",
        "default": 86400,
        "example": 86400
      }
    ],
    "takesWallet": true,
    "errors": [
      "CONFLICT"
    ]
  },
  {
    "id": "listServices",
    "group": "service-catalog",
    "title": "Service catalog",
    "name": "list-services",
    "method": "GET",
    "path": "/catalog",
    "summary": "List all available services",
    "description": "At most 1000.",
    "auth": "read",
    "fields": [],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "searchServices",
    "group": "service-catalog",
    "title": "Service catalog",
    "name": "search-services",
    "method": "GET",
    "path": "/catalog/search",
    "summary": "Search services by words and category",
    "description": "Names rank above descriptions, and whole words above prefixes. At most 50 services are returned.",
    "auth": "read",
    "fields": [
      {
        "name": "q",
        "type": "string",
        "description": "Search words; a service must match all of them, each as a prefix. Punctuation is ignored. Without words: all services of the category",
        "example": "gift card"
      },
      {
        "name": "category",
        "type": "string",
        "description": "Only services of this category",
        "example": "gift"
      }
    ],
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getService",
    "group": "service-catalog",
    "title": "Service catalog",
    "name": "get-service",
    "method": "GET",
    "path": "/catalog/{id}",
    "summary": "Read a service",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the service",
        "isRequired": true,
        "example": "giftcard-order"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "previewPayout",
    "group": "payouts",
    "title": "Payouts",
    "name": "preview-payout",
    "method": "POST",
    "path": "/payout/preview",
    "summary": "Preview the cost and warnings of a payout",
    "description": "The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most 1000 recipients; every address with its checksum, and once unless `allowDuplicates`. Nothing is stored. Every listed chain is answered; transfers are simulated on EVM chains with nodes.",
    "auth": "read",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "Paying wallet: the wallet of the API key. In previews on chains of another family: any address of the chain",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "chain",
        "type": "string",
        "description": "Chain to pay on, any listed one: id, CAIP-2 or short name",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "token",
        "type": "string",
        "description": "Token to pay with: symbol or contract address",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "recipients",
        "type": "list",
        "item": "json",
        "description": "Recipients and amounts: a list of up to 1000, or the JSON text of such a list",
        "isRequired": true,
        "example": [
          {
            "address": "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
            "amount": 12.5
          }
        ]
      },
      {
        "name": "allowDuplicates",
        "type": "boolean",
        "description": "Whether an address may occur more than once in the list; it is then paid each time",
        "default": false,
        "example": false
      }
    ],
    "errors": [
      "FORBIDDEN",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "submitPayout",
    "group": "payouts",
    "title": "Payouts",
    "name": "submit-payout",
    "method": "POST",
    "path": "/payout/batch",
    "summary": "Submit a payout",
    "description": "The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most 1000 recipients; every address with its checksum, and once unless `allowDuplicates`. The payout is recorded as `pending`. With on-chain submission (`PAYOUT_ONCHAIN=on`), tokens are paid after the wallet signed what `GET /payout/{id}` returns and another key approved the payout; until it ends, its value is reserved in the budget of the key. Without on-chain submission, on other chains, and for native coins, nothing is sent, charged or held.",
    "auth": "write",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "Paying wallet: the wallet of the API key. In previews on chains of another family: any address of the chain",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "chain",
        "type": "string",
        "description": "Chain to pay on, any listed one: id, CAIP-2 or short name",
        "isRequired": true,
        "example": "eip155:8453"
      },
      {
        "name": "token",
        "type": "string",
        "description": "Token to pay with: symbol or contract address",
        "isRequired": true,
        "example": "USDC"
      },
      {
        "name": "recipients",
        "type": "list",
        "item": "json",
        "description": "Recipients and amounts: a list of up to 1000, or the JSON text of such a list",
        "isRequired": true,
        "example": [
          {
            "address": "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
            "amount": 12.5
          }
        ]
      },
      {
        "name": "allowDuplicates",
        "type": "boolean",
        "description": "Whether an address may occur more than once in the list; it is then paid each time",
        "default": false,
        "example": false
      }
    ],
    "errors": [
      "FORBIDDEN",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listPayouts",
    "group": "payouts",
    "title": "Payouts",
    "name": "list-payouts",
    "method": "GET",
    "path": "/payout",
    "summary": "List your payouts",
    "auth": "read",
    "fields": [
      {
        "name": "state",
        "type": "string",
        "description": "Only payouts with this on-chain status",
        "values": [
          "awaiting_approval",
          "sending",
          "completed",
          "partly_paid",
          "failed",
          "rejected",
          "expired"
        ],
        "example": "awaiting_approval"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MTc2MzY0MDAwMDAwMC45YTNkMWM0NA"
      }
    ],
    "list": {
      "items": "payouts"
    },
    "takesWallet": true,
    "errors": []
  },
  {
    "id": "getPayout",
    "group": "payouts",
    "title": "Payouts",
    "name": "get-payout",
    "method": "GET",
    "path": "/payout/{id}",
    "summary": "Read a payout with its recipients",
    "description": "Gas and warnings are from the time of submission. While the payout waits for approval, the reply contains what the wallet has to sign.",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payout",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "approvePayout",
    "group": "payouts",
    "title": "Payouts",
    "name": "approve-payout",
    "method": "POST",
    "path": "/payout/{id}/approve",
    "summary": "Approve a payout, with another key than the submitting one, or with the wallet",
    "description": "The service verifies signatures, balance, allowance and a simulation on the newest block before it stores the approval. It then sends every batch once. The operator pays the gas, which the fee must cover.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payout",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      },
      {
        "name": "signatures",
        "type": "list",
        "item": "string",
        "description": "The wallet's signatures of the batches' `typedData`, in batch order, hexadecimal: from its key, or from a contract wallet (ERC-1271)",
        "isRequired": true,
        "example": [
          "0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c1b"
        ]
      }
    ],
    "takesWallet": true,
    "errors": [
      "INVALID_SIGNATURE",
      "SECOND_KEY_REQUIRED",
      "NOT_FOUND",
      "CONFLICT",
      "INSUFFICIENT_BALANCE",
      "INSUFFICIENT_ALLOWANCE",
      "TRANSACTION_FAILED",
      "GAS_LIMIT_EXCEEDED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "rejectPayout",
    "group": "payouts",
    "title": "Payouts",
    "name": "reject-payout",
    "method": "POST",
    "path": "/payout/{id}/reject",
    "summary": "Reject a payout that waits for approval",
    "description": "Any key of the wallet with `write` permission may reject, and so may the wallet. The held budget is released.",
    "auth": "write",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payout",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "takesWallet": true,
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "listEmailDomains",
    "group": "disposable-email",
    "title": "Disposable email",
    "name": "list-email-domains",
    "method": "GET",
    "path": "/email/domains",
    "summary": "List the domains of disposable addresses",
    "auth": "read",
    "fields": [],
    "errors": [
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "createEmailAccount",
    "group": "disposable-email",
    "title": "Disposable email",
    "name": "create-email-account",
    "method": "POST",
    "path": "/email/account",
    "summary": "Create a disposable address",
    "description": "The address lasts for days. Only this reply contains its password and token.",
    "auth": "write",
    "fields": [
      {
        "name": "username",
        "type": "string",
        "description": "Local part of the address, before the @; random by default",
        "example": "kx7f2m9q4t"
      }
    ],
    "errors": [
      "CONFLICT",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listEmailMessages",
    "group": "disposable-email",
    "title": "Disposable email",
    "name": "list-email-messages",
    "method": "GET",
    "path": "/email/messages",
    "summary": "List the messages of a disposable address",
    "description": "Needs no API key: the token of the account gives access, in the header `x-email-token` or as `token` in the query.",
    "auth": "public",
    "fields": [
      {
        "name": "token",
        "type": "string",
        "description": "Token of the account. Prefer the header `x-email-token`: URLs end up in logs",
        "example": "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpZCI6IjY5MiJ9.c2lnbmF0dXJl"
      },
      {
        "name": "page",
        "type": "integer",
        "description": "30 messages per page, newest first",
        "default": 1,
        "example": 1
      }
    ],
    "list": {
      "items": "messages"
    },
    "errors": [
      "UNAUTHORIZED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "getEmailMessage",
    "group": "disposable-email",
    "title": "Disposable email",
    "name": "get-email-message",
    "method": "GET",
    "path": "/email/messages/{id}",
    "summary": "Read a message and its confirmation code",
    "description": "Needs no API key: the token of the account gives access, in the header `x-email-token` or as `token` in the query.",
    "auth": "public",
    "fields": [
      {
        "name": "token",
        "type": "string",
        "description": "Token of the account. Prefer the header `x-email-token`: URLs end up in logs",
        "example": "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpZCI6IjY5MiJ9.c2lnbmF0dXJl"
      },
      {
        "name": "id",
        "type": "string",
        "description": "Id of the message",
        "isRequired": true,
        "example": "6921c0ffee0d15ea5e5f00ba"
      }
    ],
    "errors": [
      "UNAUTHORIZED",
      "NOT_FOUND",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "createEmailAccountAndWait",
    "group": "disposable-email",
    "title": "Disposable email",
    "name": "create-email-account-and-wait",
    "method": "POST",
    "path": "/email/account-and-wait",
    "summary": "Create a disposable address and wait for its first message",
    "description": "Returns the first message with its confirmation code, or `timeout: true` after `timeout` seconds. Choose `username` and the first domain of `GET /email/domains` when the sender must know the address during the call. Closing the connection ends the call.",
    "auth": "write",
    "fields": [
      {
        "name": "username",
        "type": "string",
        "description": "Local part of the address, before the @; random by default",
        "example": "kx7f2m9q4t"
      },
      {
        "name": "timeout",
        "type": "integer",
        "description": "Seconds to wait for the first message, at most 120",
        "default": 120,
        "example": 120
      }
    ],
    "errors": [
      "CONFLICT",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "createAgentInbox",
    "group": "agent-inboxes",
    "title": "Agent inboxes",
    "name": "create-agent-inbox",
    "method": "POST",
    "path": "/agentmail/inboxes",
    "summary": "Create a permanent inbox",
    "description": "The same wallet gets the same inbox when it repeats the call.",
    "auth": "write",
    "fields": [
      {
        "name": "name",
        "type": "string",
        "description": "Name of the inbox. Its letters and digits become the address",
        "isRequired": true,
        "example": "Shop"
      }
    ],
    "errors": [
      "CONFLICT",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "sendFromAgentInbox",
    "group": "agent-inboxes",
    "title": "Agent inboxes",
    "name": "send-from-agent-inbox",
    "method": "POST",
    "path": "/agentmail/send",
    "summary": "Send an email from an inbox",
    "description": "With an `Idempotency-Key` the email is sent once, however often the call is repeated. Without one each call sends it, and `504` means that it may have been sent.",
    "auth": "write",
    "fields": [
      {
        "name": "inbox_id",
        "type": "string",
        "description": "Inbox of the wallet: `inbox_id`",
        "isRequired": true,
        "example": "shop@agentmail.test"
      },
      {
        "name": "to",
        "type": "string",
        "description": "Recipient: one address",
        "isRequired": true,
        "example": "delivered@resend.dev"
      },
      {
        "name": "subject",
        "type": "string",
        "description": "Subject, one line",
        "isRequired": true,
        "example": "Your order"
      },
      {
        "name": "text",
        "type": "string",
        "description": "Text of the message",
        "isRequired": true,
        "example": "It is on its way."
      }
    ],
    "errors": [
      "NOT_FOUND",
      "PURCHASE_REFUSED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "sendEmail",
    "group": "sending-email",
    "title": "Sending email",
    "name": "send-email",
    "method": "POST",
    "path": "/resend/send",
    "summary": "Send an email from the domain of this deployment",
    "description": "Success means that the provider accepted the email, not that it arrived. With an `Idempotency-Key` the email is sent once, however often the call is repeated; without one, `504` means that it may have been sent.",
    "auth": "write",
    "fields": [
      {
        "name": "to",
        "type": "string",
        "description": "Recipient: one address",
        "isRequired": true,
        "example": "delivered@resend.dev"
      },
      {
        "name": "subject",
        "type": "string",
        "description": "Subject, one line",
        "isRequired": true,
        "example": "Your order"
      },
      {
        "name": "text",
        "type": "string",
        "description": "Plain text of the message; required unless `html` is given",
        "example": "It is on its way."
      },
      {
        "name": "html",
        "type": "string",
        "description": "HTML of the message, sent unchanged",
        "example": "<p>It is on its way.</p>"
      },
      {
        "name": "from",
        "type": "string",
        "description": "Sender: an address on the domain of this deployment, optionally with a name. The first wallet that sends from an address owns it; names of roles, such as postmaster, belong to the operator. Payers without an account send from addresses of `POST /resend/agent-email`. By default the address of this deployment",
        "example": "Shop <shop@tollbridge.test>"
      }
    ],
    "errors": [
      "PURCHASE_REFUSED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "createAgentEmailAddress",
    "group": "sending-email",
    "title": "Sending email",
    "name": "create-agent-email-address",
    "method": "POST",
    "path": "/resend/agent-email",
    "summary": "Create an email address for an agent",
    "description": "The address is the same each time, and belongs to this wallet only. It can send email immediately.",
    "auth": "write",
    "fields": [
      {
        "name": "agentId",
        "type": "string",
        "description": "Your own name for the agent. The same name always gets the same address; names are case-sensitive",
        "isRequired": true,
        "example": "shop"
      }
    ],
    "errors": []
  },
  {
    "id": "listGiftCards",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "list-gift-cards",
    "method": "GET",
    "path": "/gift/giftcards/products",
    "summary": "List the gift cards of a country",
    "description": "At most 300 items per page: a larger `size` means 300. The header `x-limit` contains the applied size.",
    "auth": "read",
    "fields": [
      {
        "name": "country",
        "type": "string",
        "description": "Country in which the cards are redeemed",
        "default": "US",
        "example": "US"
      },
      {
        "name": "page",
        "type": "integer",
        "description": "Page number",
        "default": 1,
        "example": 1
      },
      {
        "name": "size",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 300 means 300",
        "default": 300,
        "example": 300
      }
    ],
    "list": {},
    "errors": [
      "NOT_FOUND",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "orderGiftCard",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "order-gift-card",
    "method": "POST",
    "path": "/gift/giftcards/order",
    "summary": "Buy gift cards",
    "description": "One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`. The codes are read from the provider for the reply, and stored nowhere.",
    "auth": "write",
    "fields": [
      {
        "name": "productId",
        "type": "integer",
        "description": "Id of the product",
        "isRequired": true,
        "example": 1001
      },
      {
        "name": "countryCode",
        "type": "string",
        "description": "Country of the product, verified against it",
        "example": "US"
      },
      {
        "name": "quantity",
        "type": "integer",
        "description": "Number of cards",
        "isRequired": true,
        "example": 1
      },
      {
        "name": "unitPrice",
        "type": "number",
        "description": "Value of each card, in the product's `recipientCurrencyCode`; a JSON number with at most 15 digits and 5 decimals",
        "isRequired": true,
        "example": 25
      },
      {
        "name": "customIdentifier",
        "type": "string",
        "description": "Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase",
        "example": "order-1042"
      },
      {
        "name": "senderName",
        "type": "string",
        "description": "Sender name that the recipient sees",
        "isRequired": true,
        "example": "Ada"
      },
      {
        "name": "recipientEmail",
        "type": "string",
        "description": "The provider also sends the codes to this address",
        "example": "grace@example.com"
      }
    ],
    "errors": [
      "PURCHASE_REFUSED",
      "CONFLICT",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "detectMobileOperator",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "detect-mobile-operator",
    "method": "GET",
    "path": "/gift/airtime/detect",
    "summary": "Look up the operator of a phone number, and its top-up amounts",
    "auth": "read",
    "fields": [
      {
        "name": "phone",
        "type": "string",
        "description": "The phone number",
        "isRequired": true,
        "example": "+2348031234567"
      },
      {
        "name": "country",
        "type": "string",
        "description": "Country of the phone number",
        "isRequired": true,
        "example": "NG"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "topUpPhone",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "top-up-phone",
    "method": "POST",
    "path": "/gift/airtime/topup",
    "summary": "Top up a phone",
    "description": "One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`.",
    "auth": "write",
    "fields": [
      {
        "name": "operatorId",
        "type": "integer",
        "description": "Id of the operator",
        "isRequired": true,
        "example": 3001
      },
      {
        "name": "amount",
        "type": "number",
        "description": "Amount; a JSON number with at most 15 digits and 5 decimals",
        "isRequired": true,
        "example": 10
      },
      {
        "name": "useLocalAmount",
        "type": "boolean",
        "description": "`true`: the amount is in the destination currency; otherwise in the currency of the service balance",
        "default": false,
        "example": false
      },
      {
        "name": "customIdentifier",
        "type": "string",
        "description": "Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase",
        "example": "order-1042"
      },
      {
        "name": "recipientPhone",
        "type": "json",
        "description": "Phone number to top up",
        "isRequired": true
      }
    ],
    "errors": [
      "PURCHASE_REFUSED",
      "CONFLICT",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listBillers",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "list-billers",
    "method": "GET",
    "path": "/gift/utilities/billers",
    "summary": "List the supported billers",
    "description": "At most 300 items per page: a larger `size` means 300. The header `x-limit` contains the applied size.",
    "auth": "read",
    "fields": [
      {
        "name": "country",
        "type": "string",
        "description": "Only billers of this country",
        "example": "SN"
      },
      {
        "name": "type",
        "type": "string",
        "description": "Only billers of this type, such as `ELECTRICITY_BILL_PAYMENT`, `WATER_BILL_PAYMENT`, `TV_BILL_PAYMENT` or `INTERNET_BILL_PAYMENT`; an unused type returns an empty list",
        "example": "ELECTRICITY_BILL_PAYMENT"
      },
      {
        "name": "page",
        "type": "integer",
        "description": "Page number",
        "default": 1,
        "example": 1
      },
      {
        "name": "size",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 300 means 300",
        "default": 300,
        "example": 300
      }
    ],
    "list": {},
    "errors": [
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "payBill",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "pay-bill",
    "method": "POST",
    "path": "/gift/utilities/pay",
    "summary": "Pay a bill, or top up a meter",
    "description": "One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`. A bill can take up to a day; most are paid within seconds.",
    "auth": "write",
    "fields": [
      {
        "name": "subscriberAccountNumber",
        "type": "string",
        "description": "Number of the meter, smart card or customer account",
        "isRequired": true,
        "example": "04223568280"
      },
      {
        "name": "amount",
        "type": "number",
        "description": "Amount; a JSON number with at most 15 digits and 5 decimals",
        "isRequired": true,
        "example": 5000
      },
      {
        "name": "billerId",
        "type": "integer",
        "description": "Id of the biller",
        "isRequired": true,
        "example": 5001
      },
      {
        "name": "useLocalAmount",
        "type": "boolean",
        "description": "`true`: the amount is in the destination currency; otherwise in the currency of the service balance",
        "default": false,
        "example": false
      },
      {
        "name": "customIdentifier",
        "type": "string",
        "description": "Your own reference for this purchase: it makes one purchase, however often you repeat the call. Without it the Idempotency-Key identifies the purchase; without both, every call is a new purchase",
        "example": "order-1042"
      }
    ],
    "errors": [
      "PURCHASE_REFUSED",
      "CONFLICT",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "getServiceBalance",
    "group": "gift-cards-airtime-bills",
    "title": "Gift cards, airtime, bills",
    "name": "get-service-balance",
    "method": "GET",
    "path": "/gift/balance",
    "summary": "Read the remaining balance for gift cards, airtime and bills",
    "auth": "read",
    "fields": [],
    "errors": [
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "rentPhoneNumber",
    "group": "text-messages",
    "title": "Text messages",
    "name": "rent-phone-number",
    "method": "POST",
    "path": "/sms/number",
    "summary": "Rent a number for one code",
    "description": "The number lasts for about 20 minutes. When no code arrives it is returned automatically, and its price is released to the budget of the key.",
    "auth": "write",
    "fields": [
      {
        "name": "service",
        "type": "string",
        "description": "Service that sends the code, as its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other",
        "isRequired": true,
        "example": "tg"
      },
      {
        "name": "country",
        "type": "scalar",
        "description": "Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its ISO 3166-1 two-letter code as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ`",
        "isRequired": true,
        "example": 44
      }
    ],
    "errors": [
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE",
      "PURCHASE_REFUSED",
      "OUTCOME_UNKNOWN"
    ]
  },
  {
    "id": "getSmsCode",
    "group": "text-messages",
    "title": "Text messages",
    "name": "get-sms-code",
    "method": "GET",
    "path": "/sms/status/{id}",
    "summary": "Read the code of a rented number",
    "auth": "read",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the rental",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "rentPhoneNumberAndAwaitCode",
    "group": "text-messages",
    "title": "Text messages",
    "name": "rent-phone-number-and-await-code",
    "method": "POST",
    "path": "/sms/number-and-wait",
    "summary": "Rent a number and wait for its code",
    "description": "When no code arrives in time, or the client closes the connection, the number is returned and its price refunded. Providers allow this only 2 minutes after the rental, so it may happen after the reply. The gateway sends nothing while the call waits: set the client's read timeout, and the idle timeout of every proxy before the gateway, above `timeout` plus 45 seconds. When the service stops, the call ends with `OUTCOME_UNKNOWN`; the same call with the same `Idempotency-Key` continues to wait for the same number.",
    "auth": "write",
    "fields": [
      {
        "name": "service",
        "type": "string",
        "description": "Service that sends the code, as its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other",
        "isRequired": true,
        "example": "tg"
      },
      {
        "name": "country",
        "type": "scalar",
        "description": "Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its ISO 3166-1 two-letter code as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ`",
        "isRequired": true,
        "example": 44
      },
      {
        "name": "timeout",
        "type": "integer",
        "description": "Seconds to wait for the code, at most 600",
        "default": 120,
        "example": 60
      }
    ],
    "errors": [
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE",
      "PURCHASE_REFUSED",
      "OUTCOME_UNKNOWN"
    ]
  },
  {
    "id": "sendSms",
    "group": "text-messages",
    "title": "Text messages",
    "name": "send-sms",
    "method": "POST",
    "path": "/sms/send",
    "summary": "Send a text message",
    "description": "Sent once for each `Idempotency-Key`. When the provider's response was lost, the service searches the provider's message list before it sends again.",
    "auth": "write",
    "fields": [
      {
        "name": "to",
        "type": "string",
        "description": "Recipient: a number in E.164 form of a country that can receive messages. Premium-rate, shared-cost and personal numbers are rejected",
        "isRequired": true,
        "example": "+447400123456"
      },
      {
        "name": "body",
        "type": "string",
        "description": "Text of the message",
        "isRequired": true,
        "example": "Your parcel has arrived."
      }
    ],
    "errors": [
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "UPSTREAM_UNAVAILABLE",
      "PURCHASE_REFUSED",
      "OUTCOME_UNKNOWN"
    ]
  },
  {
    "id": "buyCard",
    "group": "virtual-cards",
    "title": "Virtual cards",
    "name": "buy-card",
    "method": "POST",
    "path": "/card/get-card",
    "summary": "Issue a virtual card",
    "description": "A new card that can spend `amount` in total. With `status: open` the reply contains number, security code and expiry; the service reads them from the issuer for this reply only and stores them nowhere. An issuer may need some seconds: the reply is then `pending` without them, and `GET /card/card-data` shows them later, as it does when the issuer fails during this call. Send an `Idempotency-Key`: the service issues one card for it. A replay returns the stored record of the first reply with the number read from the issuer again, at most 10 times a minute for each card.",
    "auth": "write",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "The wallet of the API key",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "amount",
        "type": "number",
        "description": "US dollars that the card can spend in total; it cannot be reloaded; a JSON number with at most 15 digits and 2 decimals",
        "isRequired": true,
        "example": 25
      }
    ],
    "errors": [
      "FORBIDDEN",
      "BUDGET_EXCEEDED",
      "MAX_PER_TX_EXCEEDED",
      "PURCHASE_REFUSED",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "revealCard",
    "group": "virtual-cards",
    "title": "Virtual cards",
    "name": "reveal-card",
    "method": "GET",
    "path": "/card/card-data",
    "summary": "Show the number of a card",
    "description": "Number, security code and expiry, read from the issuer for this reply only. They are stored nowhere, and each read is recorded. At most 10 times a minute for each card.",
    "auth": "read",
    "fields": [
      {
        "name": "card_id",
        "type": "string",
        "description": "`cardId` of the card",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "UPSTREAM_UNAVAILABLE"
    ]
  },
  {
    "id": "listCards",
    "group": "virtual-cards",
    "title": "Virtual cards",
    "name": "list-cards",
    "method": "GET",
    "path": "/card/my-cards",
    "summary": "List the cards of a wallet",
    "description": "All cards of the wallet, at most 1,000: last four digits and state of each, never a full number.",
    "auth": "read",
    "fields": [
      {
        "name": "wallet",
        "type": "string",
        "description": "The wallet of the API key",
        "isRequired": true,
        "example": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 1,000 means 1,000",
        "default": 1000,
        "example": 1000
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "list": {
      "items": "cards"
    },
    "errors": [
      "FORBIDDEN"
    ]
  },
  {
    "id": "getNanoPaymentBalance",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-nano-payment-balance",
    "method": "GET",
    "path": "/balance/{address}",
    "summary": "Read the balance and totals of an account",
    "description": "An unknown account has zeros.",
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "TON account",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      }
    ],
    "errors": []
  },
  {
    "id": "getNanoPaymentStats",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-nano-payment-stats",
    "method": "GET",
    "path": "/stats",
    "summary": "Read payment totals and processing times",
    "description": "At most one second old.",
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "setNanoPaymentPolicy",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "set-nano-payment-policy",
    "method": "POST",
    "path": "/policy",
    "summary": "Set the payment limits of an account",
    "description": "A payment above `maxAmount` waits for approval; payments above `rateLimit` are rejected. Authorised by a signature of the owner, or by an API key or session of the same wallet. Any client may limit an account that has neither key nor balance.",
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Account to limit",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "maxAmount",
        "type": "string",
        "description": "Largest payment without approval; 0 requires approval for every payment; at most 9223372036854775807",
        "isRequired": true,
        "example": "5000000"
      },
      {
        "name": "rateLimit",
        "type": "integer",
        "description": "Payments per minute",
        "isRequired": true,
        "example": 60
      },
      {
        "name": "proof",
        "type": "json",
        "description": "Signature of the owner (message type 4). Not required while the account has neither key nor balance, or with an API key or session of the same wallet"
      }
    ],
    "errors": [
      "FORBIDDEN",
      "CONFLICT"
    ]
  },
  {
    "id": "getNanoPaymentPolicy",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-nano-payment-policy",
    "method": "GET",
    "path": "/policy/{address}",
    "summary": "Read the limits of an account",
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "TON account",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      }
    ],
    "errors": []
  },
  {
    "id": "cancelNanoPayment",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "cancel-nano-payment",
    "method": "POST",
    "path": "/cancel",
    "summary": "Cancel a payment or session grant",
    "description": "Signed by the owner. The nonce will never be charged again, and its held amounts are released. A charged payment cannot be cancelled; cancelling a grant stops later payments only. The call is idempotent.",
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Account that signed the payment or session grant",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "nonce",
        "type": "string",
        "description": "Nonce of the payment, or of the session grant",
        "isRequired": true,
        "example": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "Signature of the owner (message type 7)",
        "isRequired": true
      }
    ],
    "errors": [
      "FORBIDDEN",
      "CONFLICT"
    ]
  },
  {
    "id": "getNanoPaymentReceipt",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-nano-payment-receipt",
    "method": "GET",
    "path": "/receipts/{id}",
    "summary": "Read a payment and its signed receipts",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment",
        "isRequired": true,
        "example": "10544e37a677a39143455b88b3d95d11"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "withdrawNanoPaymentBalance",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "withdraw-nano-payment-balance",
    "method": "POST",
    "path": "/withdraw",
    "summary": "Withdraw from a balance to an account on the chain",
    "description": "Signed by the owner; the same signature returns the same withdrawal. Sellers' earnings are paid out automatically.",
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Account to withdraw from",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "destination",
        "type": "string",
        "description": "TON account that receives the money",
        "isRequired": true,
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "Amount; at most 9223372036854775807",
        "isRequired": true,
        "example": "1000000"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "Signature of the owner (message type 6)",
        "isRequired": true
      }
    ],
    "errors": [
      "FORBIDDEN",
      "CONFLICT",
      "INSUFFICIENT_BALANCE",
      "SERVICE_UNAVAILABLE"
    ]
  },
  {
    "id": "listNanoPaymentWithdrawals",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "list-nano-payment-withdrawals",
    "method": "GET",
    "path": "/withdraw",
    "summary": "List the withdrawals and payouts of your account",
    "description": "Withdrawals from the balance and automatic payouts of earnings, for the TON wallet of the API key or session. Returns 403 for a wallet of another chain.",
    "auth": "read",
    "fields": [
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      },
      {
        "name": "cursor",
        "type": "string",
        "description": "`next_cursor` of the previous page, unchanged",
        "example": "MTc2MzY0MDAwMDAwMC45YTNkMWM0NA"
      }
    ],
    "list": {
      "items": "withdrawals"
    },
    "takesWallet": true,
    "errors": [
      "FORBIDDEN"
    ]
  },
  {
    "id": "getNanoPaymentWithdrawal",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-nano-payment-withdrawal",
    "method": "GET",
    "path": "/withdraw/{id}",
    "summary": "Read the status of a withdrawal",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the payment",
        "isRequired": true,
        "example": "0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "listNanoPaymentApprovals",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "list-nano-payment-approvals",
    "method": "GET",
    "path": "/approvals",
    "summary": "List payments that wait for approval, and past decisions",
    "auth": "public",
    "fields": [
      {
        "name": "status",
        "type": "string",
        "description": "Only approvals with this status",
        "values": [
          "pending",
          "approved",
          "rejected",
          "used",
          "expired"
        ],
        "example": "pending"
      },
      {
        "name": "address",
        "type": "string",
        "description": "Only approvals of this payer",
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "limit",
        "type": "integer",
        "description": "Largest number of items on a page; a value above 100 means 100",
        "default": 20,
        "example": 20
      }
    ],
    "errors": []
  },
  {
    "id": "approveNanoPayment",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "approve-nano-payment",
    "method": "POST",
    "path": "/approvals/{id}/approve",
    "summary": "Approve a payment above the limit of its payer",
    "description": "The buyer repeats the request within ten minutes, and it succeeds once.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the approval",
        "isRequired": true,
        "example": "c0ffee00112233445566778899aabbcc"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "Signature of the payer (message type 5). Not needed with an API key or session of the same wallet"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "FORBIDDEN",
      "CONFLICT"
    ]
  },
  {
    "id": "rejectNanoPayment",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "reject-nano-payment",
    "method": "POST",
    "path": "/approvals/{id}/reject",
    "summary": "Reject a payment above the limit of its payer",
    "description": "The buyer's requests are rejected until the approval expires, five minutes after it was requested.",
    "auth": "public",
    "fields": [
      {
        "name": "id",
        "type": "string",
        "description": "Id of the approval",
        "isRequired": true,
        "example": "c0ffee00112233445566778899aabbcc"
      },
      {
        "name": "proof",
        "type": "json",
        "description": "Signature of the payer (message type 5). Not needed with an API key or session of the same wallet"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "FORBIDDEN",
      "CONFLICT"
    ]
  },
  {
    "id": "getAttestation",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "get-attestation",
    "method": "GET",
    "path": "/attestation",
    "summary": "Read the attestation of the payment ledger",
    "description": "Send a nonce of your own: without one, a client cannot distinguish a document cached for up to a minute from a new one.",
    "auth": "public",
    "fields": [
      {
        "name": "nonce",
        "type": "string",
        "description": "Nonce of the client, at most 64 bytes in hexadecimal: proves that the reply is fresh",
        "example": "00000000000000000000000000000000"
      }
    ],
    "errors": [
      "SERVICE_UNAVAILABLE"
    ]
  },
  {
    "id": "verifyNanoPayment",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "verify-nano-payment",
    "method": "POST",
    "path": "/verify",
    "summary": "Charge or check a payment authorization",
    "description": "Sent as fields, the payment is charged immediately unless `mode` is `check`. Sent in x402 form, its amount is held until `/settle`, at most one minute. Every evaluated request returns 200. 503 means that the outcome is not known yet: repeat the same body with the same Idempotency-Key.",
    "auth": "public",
    "fields": [
      {
        "name": "from",
        "type": "string",
        "description": "Account of the payer",
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "to",
        "type": "string",
        "description": "Account that receives the payment",
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "Amount, smallest unit; at most 9223372036854775807",
        "example": "1000"
      },
      {
        "name": "signature",
        "type": "string",
        "description": "Signature (128 hexadecimal digits or base64), or the compact token, which contains the fields below",
        "example": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
      },
      {
        "name": "nonce",
        "type": "string",
        "description": "Random nonce, unique for each authorization",
        "example": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
      },
      {
        "name": "validAfter",
        "type": "string",
        "description": "Start of validity, Unix seconds",
        "example": "1795349000"
      },
      {
        "name": "validBefore",
        "type": "string",
        "description": "End of validity, Unix seconds; at most ten minutes later",
        "example": "1795349000"
      },
      {
        "name": "asset",
        "type": "string",
        "description": "Symbol or jetton master of the asset",
        "example": "USDT"
      },
      {
        "name": "network",
        "type": "string",
        "description": "Network name",
        "example": "ton-mainnet"
      },
      {
        "name": "verifyingContract",
        "type": "string",
        "description": "Deployment that the authorization is for",
        "example": "0:abababababababababababababababababababababababababababababababab"
      },
      {
        "name": "resourceHash",
        "type": "string",
        "description": "Hash of the resource that the payment is bound to",
        "example": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
      },
      {
        "name": "resource",
        "type": "string",
        "description": "Alternative to the hash: the advertised URL",
        "example": "https://api.example.com/premium-data"
      },
      {
        "name": "method",
        "type": "string",
        "description": "HTTP method of the resource",
        "values": [
          "GET",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "HEAD"
        ],
        "default": "GET",
        "example": "GET"
      },
      {
        "name": "flags",
        "type": "integer",
        "description": "Bit flags: 1 bound to a resource, 2 the amount is a maximum, 4 signed by a session, 8 a link of a hash chain",
        "example": 1
      },
      {
        "name": "publicKey",
        "type": "string",
        "description": "Public key of the payer; required until the payment ledger stored it",
        "example": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
      },
      {
        "name": "stateInit",
        "type": "string",
        "description": "State-init of the wallet, base64; required for wallets other than W5",
        "example": "te6cckEC…"
      },
      {
        "name": "signatureKind",
        "type": "string",
        "description": "Signing method",
        "values": [
          "raw",
          "tonconnect"
        ],
        "default": "raw",
        "example": "raw"
      },
      {
        "name": "domain",
        "type": "string",
        "description": "With a wallet dialog: its domain",
        "example": "pay.example.com"
      },
      {
        "name": "timestamp",
        "type": "string",
        "description": "With a wallet dialog: its time",
        "example": "1795349000"
      },
      {
        "name": "session",
        "type": "json",
        "description": "With an agent's signature: the wallet's session grant, with publicKey, to, maxPerPayment, maxTotal, validAfter, validBefore, nonce and signature; at most 1,024 bytes as JSON and 1 levels",
        "example": {
          "publicKey": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
          "to": "0:2222222222222222222222222222222222222222222222222222222222222222",
          "maxPerPayment": "1000",
          "maxTotal": "5000",
          "validAfter": "1795349000",
          "validBefore": "1797941000",
          "nonce": "b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2",
          "signature": "c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3"
        }
      },
      {
        "name": "chain",
        "type": "json",
        "description": "With a hash-chain payment: the grant with unit, length, anchor, validAfter, validBefore and nonce, and the index and link. `signature` is then the wallet's signature of the grant; at most 1,024 bytes as JSON and 1 levels",
        "example": {
          "unit": "1000",
          "length": "5000",
          "anchor": "d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4",
          "nonce": "b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2",
          "validAfter": "1795349000",
          "validBefore": "1797941000",
          "index": "17",
          "link": "e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5"
        }
      },
      {
        "name": "mode",
        "type": "string",
        "description": "`capture` charges; `check` changes nothing",
        "values": [
          "capture",
          "check"
        ],
        "default": "capture",
        "example": "capture"
      },
      {
        "name": "x402Version",
        "type": "integer",
        "description": "As x402 version 2 defines it: 2",
        "example": 2
      },
      {
        "name": "paymentPayload",
        "type": "json",
        "description": "As x402 version 2 defines it: payload from the buyer; at most 16,384 bytes as JSON and 20 levels",
        "example": {
          "x402Version": 2,
          "accepted": {
            "scheme": "ton-nanopay",
            "network": "tvm:-239",
            "amount": "1000",
            "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
            "payTo": "0:2222222222222222222222222222222222222222222222222222222222222222",
            "maxTimeoutSeconds": 60,
            "extra": {
              "name": "TonNanoPay",
              "version": "1",
              "verifyingContract": "0:1111111111111111111111111111111111111111111111111111111111111111",
              "teeEndpoint": "https://pay.example.com"
            }
          },
          "resource": {
            "url": "https://api.example.com/premium-data"
          },
          "payload": {
            "authorization": {
              "from": "0:abababababababababababababababababababababababababababababababab",
              "to": "0:2222222222222222222222222222222222222222222222222222222222222222",
              "amount": "1000",
              "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
              "nonce": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
              "validAfter": "1795348940",
              "validBefore": "1795349000",
              "flags": 1
            },
            "signature": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "signatureKind": "raw"
          }
        }
      },
      {
        "name": "paymentRequirements",
        "type": "json",
        "description": "As x402 version 2 defines it: requirements of the seller; at most 16,384 bytes as JSON and 20 levels",
        "example": {
          "scheme": "ton-nanopay",
          "network": "tvm:-239",
          "amount": "1000",
          "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
          "payTo": "0:2222222222222222222222222222222222222222222222222222222222222222",
          "maxTimeoutSeconds": 60,
          "extra": {
            "name": "TonNanoPay",
            "version": "1",
            "verifyingContract": "0:1111111111111111111111111111111111111111111111111111111111111111",
            "teeEndpoint": "https://pay.example.com"
          }
        }
      }
    ],
    "errors": [
      "SERVICE_UNAVAILABLE"
    ]
  },
  {
    "id": "settleNanoPayment",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "settle-nano-payment",
    "method": "POST",
    "path": "/settle",
    "summary": "Charge an authorized payment, as an x402 facilitator",
    "description": "Charges the amount that `/verify` put on hold, or charges directly. Idempotent under the same Idempotency-Key; otherwise an authorization settles once. Payments of the schemes `exact`, `upto` and `batch-settlement` are settled on their chain: `settlement_pending` means that the transaction was sent and its outcome is not known yet; repeat the same body.",
    "auth": "public",
    "fields": [
      {
        "name": "x402Version",
        "type": "integer",
        "description": "x402 version: 2",
        "isRequired": true,
        "example": 2
      },
      {
        "name": "paymentPayload",
        "type": "json",
        "description": "Payload from the buyer; at most 16,384 bytes as JSON and 20 levels",
        "isRequired": true,
        "example": {
          "x402Version": 2,
          "accepted": {
            "scheme": "ton-nanopay",
            "network": "tvm:-239",
            "amount": "1000",
            "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
            "payTo": "0:2222222222222222222222222222222222222222222222222222222222222222",
            "maxTimeoutSeconds": 60,
            "extra": {
              "name": "TonNanoPay",
              "version": "1",
              "verifyingContract": "0:1111111111111111111111111111111111111111111111111111111111111111",
              "teeEndpoint": "https://pay.example.com"
            }
          },
          "resource": {
            "url": "https://api.example.com/premium-data"
          },
          "payload": {
            "authorization": {
              "from": "0:abababababababababababababababababababababababababababababababab",
              "to": "0:2222222222222222222222222222222222222222222222222222222222222222",
              "amount": "1000",
              "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
              "nonce": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
              "validAfter": "1795348940",
              "validBefore": "1795349000",
              "flags": 1
            },
            "signature": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "signatureKind": "raw"
          }
        }
      },
      {
        "name": "paymentRequirements",
        "type": "json",
        "description": "Requirements of the seller. The amount may be below the signed one when that is a maximum; 0 releases a hold; at most 16,384 bytes as JSON and 20 levels",
        "isRequired": true,
        "example": {
          "scheme": "ton-nanopay",
          "network": "tvm:-239",
          "amount": "1000",
          "asset": "0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
          "payTo": "0:2222222222222222222222222222222222222222222222222222222222222222",
          "maxTimeoutSeconds": 60,
          "extra": {
            "name": "TonNanoPay",
            "version": "1",
            "verifyingContract": "0:1111111111111111111111111111111111111111111111111111111111111111",
            "teeEndpoint": "https://pay.example.com"
          }
        }
      }
    ],
    "errors": [
      "SERVICE_UNAVAILABLE"
    ]
  },
  {
    "id": "listSupportedPayments",
    "group": "nano-payments",
    "title": "Nano-payments",
    "name": "list-supported-payments",
    "method": "GET",
    "path": "/supported",
    "summary": "List the supported payment kinds, as an x402 facilitator",
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "getSandbox",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "get-sandbox",
    "method": "GET",
    "path": "/sandbox",
    "summary": "Describe the local deployment: chains, contracts, funded accounts",
    "description": "Exists in the sandbox environment only.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "simulateSwapDeposit",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "simulate-swap-deposit",
    "method": "POST",
    "path": "/sandbox/deposit",
    "summary": "Simulate a payer's transfer on a chain without a local node",
    "description": "Exists in the sandbox environment only. For deposits on local chains, send a real transfer instead.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "deposit_address",
        "type": "string",
        "description": "Deposit address of a committed cross-chain quote",
        "isRequired": true,
        "example": "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
      },
      {
        "name": "deposit_memo",
        "type": "string",
        "description": "Memo of the deposit address, where it has one",
        "example": "1480254632"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "Amount that the payer sends, in the smallest unit of the token",
        "isRequired": true,
        "example": "150000"
      }
    ],
    "errors": [
      "NOT_FOUND",
      "CONFLICT"
    ]
  },
  {
    "id": "setTokenPrice",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "set-token-price",
    "method": "POST",
    "path": "/sandbox/prices",
    "summary": "Set the price of a token at all price sources",
    "description": "Exists in the sandbox environment only.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "symbol",
        "type": "string",
        "description": "Symbol of a token",
        "isRequired": true,
        "example": "ETH"
      },
      {
        "name": "usd",
        "type": "string",
        "description": "Price of one whole token in US dollars, a decimal string above 0",
        "isRequired": true,
        "example": "4150.25"
      },
      {
        "name": "frozen_at",
        "type": "string",
        "description": "Time of this price, to make it stale; without it the price is always current",
        "example": "2026-11-20T12:00:00Z"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "expireSwapDeadline",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "expire-swap-deadline",
    "method": "POST",
    "path": "/sandbox/oneclick/deadline",
    "summary": "Expire the deadline of a committed cross-chain quote",
    "description": "Exists in the sandbox environment only. An insufficient deposit is refunded immediately.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "deposit_address",
        "type": "string",
        "description": "Deposit address of a committed cross-chain quote",
        "isRequired": true,
        "example": "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
      },
      {
        "name": "deposit_memo",
        "type": "string",
        "description": "Memo of the deposit address, where it has one",
        "example": "1480254632"
      }
    ],
    "errors": [
      "NOT_FOUND"
    ]
  },
  {
    "id": "setProviderOutage",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "set-provider-outage",
    "method": "POST",
    "path": "/sandbox/oneclick/outage",
    "summary": "Make a provider fail or hang",
    "description": "Exists in the sandbox environment only. A restart resets the provider to `up`.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "mode",
        "type": "string",
        "description": "`up` works, `down` returns 503, `slow` never responds",
        "isRequired": true,
        "values": [
          "up",
          "down",
          "slow"
        ],
        "example": "down"
      },
      {
        "name": "provider",
        "type": "string",
        "description": "Provider to control; by default `oneclick`, the provider of cross-chain payments",
        "values": [
          "oneclick",
          "across",
          "lifi",
          "reloadly",
          "mailtm",
          "agentmail",
          "resend",
          "sms-activate",
          "fivesim",
          "twilio",
          "lithic",
          "laso",
          "toncenter",
          "solana",
          "tron",
          "sui"
        ],
        "example": "across"
      }
    ],
    "errors": []
  },
  {
    "id": "fundTonAccount",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "fund-ton-account",
    "method": "POST",
    "path": "/sandbox/ton/faucet",
    "summary": "Fund an account of the local TON network with coins and USDT",
    "description": "Exists in the sandbox environment only.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "TON account, raw or friendly form",
        "isRequired": true,
        "example": "UQDygBQZqqGzcEoNULWIjcy1UR7W4xkbmdFEoE6p6jkMUsqe"
      },
      {
        "name": "ton",
        "type": "string",
        "description": "Nanotons to send; at most 1000000000000000",
        "example": "1000000000"
      },
      {
        "name": "usdt",
        "type": "string",
        "description": "Amount of the jetton that represents USDT, in the smallest of its 6 decimals; at most 1000000000000000",
        "example": "25000000"
      }
    ],
    "errors": []
  },
  {
    "id": "simulateNanoPaymentDeposit",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "simulate-nano-payment-deposit",
    "method": "POST",
    "path": "/sandbox/nanopay/deposit",
    "summary": "Simulate a USDT deposit for nano-payments",
    "description": "Exists in the sandbox environment only. The service mints the jettons, and notifies the deposit account as a transfer would.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "address",
        "type": "string",
        "description": "Depositing TON account, raw or friendly form",
        "isRequired": true,
        "example": "UQDygBQZqqGzcEoNULWIjcy1UR7W4xkbmdFEoE6p6jkMUsqe"
      },
      {
        "name": "amount",
        "type": "string",
        "description": "Amount of USDT, in the smallest of its 6 decimals; at most 1000000000000000",
        "isRequired": true,
        "example": "25000000"
      }
    ],
    "errors": []
  },
  {
    "id": "getSandboxClock",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "get-sandbox-clock",
    "method": "GET",
    "path": "/sandbox/clock",
    "summary": "Read the time of the sandbox",
    "description": "Exists in the sandbox environment only.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [],
    "errors": []
  },
  {
    "id": "advanceSandboxClock",
    "group": "sandbox",
    "title": "Sandbox",
    "name": "advance-sandbox-clock",
    "method": "POST",
    "path": "/sandbox/clock",
    "summary": "Advance the time of the sandbox",
    "description": "Orders and quotes expire, retries and provider polls become due, and all local chains get blocks up to the new time. The time goes forward only: `npm start -- --fresh` begins again. Nano-payments and the signatures of webhooks keep the real time. What a wallet or an x402 client signs with its own time is too old then. Exists in the sandbox environment only.",
    "isSandboxOnly": true,
    "auth": "public",
    "fields": [
      {
        "name": "by",
        "type": "string",
        "description": "How far: a whole number with `s`, `m`, `h` or `d`, at most 366 days",
        "isRequired": true,
        "example": "40m"
      }
    ],
    "errors": []
  }
];
