// Generated from libs/contracts: npm run docs

import type { SettingInfo } from '../doctor/setting-info';

/** The settings of each app. */
export const settings: Readonly<Record<string, readonly SettingInfo[]>> = {
  "gateway": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "GATEWAY_NATS_URL",
      "description": "NATS servers of gateway, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://gateway:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "GATEWAY_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of gateway"
    },
    {
      "name": "GATEWAY_IDENTITY_SECRET",
      "description": "secret that gateway signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-gateway-known-to-everybody",
        "development-identity-of-gateway-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "HOST",
      "description": "address on which the public API listens"
    },
    {
      "name": "PORT",
      "description": "port of the public API"
    },
    {
      "name": "GATEWAY_PUBLIC_URL",
      "description": "the URL at which clients reach the public API",
      "isRequired": true
    },
    {
      "name": "GATEWAY_REDIS_URL",
      "description": "Redis in which all replicas of the gateway count requests; rediss:// for TLS",
      "isRequired": true,
      "publicValues": [
        "redis://:password@127.0.0.1:6379"
      ]
    },
    {
      "name": "GATEWAY_REDIS_TIMEOUT_MS",
      "description": "how long a request waits for its count in Redis; then costly routes answer 503, and others are served without a limit"
    },
    {
      "name": "REDIS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that Redis has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "REDIS_CERT_FILE",
      "description": "PEM file with the client certificate for Redis; needs REDIS_KEY_FILE. Empty: none"
    },
    {
      "name": "REDIS_KEY_FILE",
      "description": "PEM file with the private key of REDIS_CERT_FILE"
    },
    {
      "name": "GATEWAY_TRUSTED_PROXIES",
      "description": "addresses or CIDR ranges of trusted proxies before the gateway: it reads X-Forwarded-For of no others; comma-separated"
    },
    {
      "name": "STREAM_URL",
      "description": "URL of the stream service; several, separated by commas, are used in turn",
      "isRequired": true
    },
    {
      "name": "GATEWAY_MAX_STREAM_SOCKETS",
      "description": "maximum of stream sockets of one process; each uses two file descriptors"
    },
    {
      "name": "GATEWAY_MAX_EVENT_STREAMS",
      "description": "maximum of open streams of server-sent events in one process; further ones get 503"
    },
    {
      "name": "GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS",
      "description": "maximum of these streams of one client address (IPv6: /64 network) in one process; further ones get 429"
    },
    {
      "name": "GATEWAY_MAX_CONNECTIONS_PER_ADDRESS",
      "description": "maximum of open connections of one client address (IPv6: /64 network) to one process; 0 is no bound. GATEWAY_TRUSTED_PROXIES are exempt"
    },
    {
      "name": "GATEWAY_BODY_MEMORY_MB",
      "description": "memory of one process for request bodies that are being read or answered; each reserves its announced size before it is read. One merchant may use half of it, one anonymous address a quarter, all anonymous addresses half; a publishable key counts as anonymous"
    },
    {
      "name": "GATEWAY_BODY_TIMEOUT_SECONDS",
      "description": "time for a request body to arrive; then the connection is closed with 408"
    },
    {
      "name": "GATEWAY_ANONYMOUS_BODY_KB",
      "description": "the largest JSON body of a client without a key or a wallet; others may send 256 KiB"
    },
    {
      "name": "GATEWAY_WALLETCONNECT_PROJECT_ID",
      "description": "project id of WalletConnect: with it, checkout pages offer wallets on other devices and browsers connect to the relay"
    },
    {
      "name": "GATEWAY_WALLETCONNECT_RELAY_URL",
      "description": "URL of the WalletConnect relay"
    },
    {
      "name": "GATEWAY_TON_WALLETS",
      "description": "TON wallets on other devices that checkout pages offer, as NAME UNIVERSAL_URL BRIDGE_URL, separated by semicolons; browsers connect to these bridges"
    },
    {
      "name": "CHAINS_FILE",
      "description": "JSON file of the chains, in the sandbox only: the demo route is also sold on them; empty sells it for nano-payments alone"
    },
    {
      "name": "SALES",
      "description": "whether calls without credentials are sold for x402 payments, as in service-api: on or off"
    },
    {
      "name": "GATEWAY_MAX_PAYMENT_FRAMES",
      "description": "maximum of POST /payments frames in one process, from before they are read until they are answered; shared like GATEWAY_BODY_MEMORY_MB"
    }
  ],
  "merchant": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "MERCHANT_NATS_URL",
      "description": "NATS servers of merchant, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://merchant:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "MERCHANT_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of merchant"
    },
    {
      "name": "MERCHANT_IDENTITY_SECRET",
      "description": "secret that merchant signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-merchant-known-to-everybody",
        "development-identity-of-merchant-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "MERCHANT_DATABASE_URL",
      "description": "PostgreSQL of merchant, under its runtime role",
      "isRequired": true,
      "publicValues": [
        "postgres://merchant:password@127.0.0.1:5432/tollbridge"
      ]
    },
    {
      "name": "DATABASE_CA_FILE",
      "description": "PEM file with the certificates of the CAs that PostgreSQL has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "DATABASE_CERT_FILE",
      "description": "PEM file with the client certificate for PostgreSQL; needs DATABASE_KEY_FILE. Empty: none"
    },
    {
      "name": "DATABASE_KEY_FILE",
      "description": "PEM file with the private key of DATABASE_CERT_FILE"
    },
    {
      "name": "MERCHANT_DATABASE_CONNECTIONS",
      "description": "the most connections that one process opens, leases included"
    },
    {
      "name": "MERCHANT_LEADER_LEASE_MS",
      "description": "how long the work that one replica of merchant does waits for another replica after a crash; leases are renewed four times as often"
    },
    {
      "name": "MERCHANT_DATABASE_POOLING",
      "description": "transaction if the URL reaches PostgreSQL through PgBouncer in transaction mode before version 1.21: statements are then not prepared"
    },
    {
      "name": "MERCHANT_STREAM_MAX_MB",
      "description": "bound of the event stream of merchant, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store"
    },
    {
      "name": "MERCHANT_STREAM_MAX_AGE_HOURS",
      "description": "how long the event stream of merchant keeps events that every consumer has acknowledged; others stay until they are acknowledged"
    },
    {
      "name": "MERCHANT_STREAM_REPLICAS",
      "description": "on how many servers of a NATS cluster the event stream of merchant and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two"
    },
    {
      "name": "MERCHANT_EVENT_RECEIVERS",
      "description": "programs of other teams that receive the events of merchant, by the names of their identities, comma-separated: events are signed for them too"
    },
    {
      "name": "RETENTION",
      "description": "off: this process prunes no table. Tables grow until a process prunes them"
    },
    {
      "name": "RETENTION_OUTBOX_DAYS",
      "description": "how long published events stay in the outbox, from which a lost stream is refilled, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "RETENTION_INBOX_DAYS",
      "description": "how long a consumer remembers the events that it has handled; 30 days more than RETENTION_OUTBOX_DAYS at least, in days; 0 keeps them for ever, otherwise at least 44"
    },
    {
      "name": "RETENTION_WEBHOOK_MESSAGES_DAYS",
      "description": "how long delivered and exhausted webhook messages stay, to be listed and replayed, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "CHAINS_FILE",
      "description": "JSON file of the chains with their nodes: payments of PayLinks are verified there (on other chains the merchant confirms them by hand), and so are signatures of contract wallets",
      "isRequired": true
    },
    {
      "name": "BALANCES_FILE",
      "description": "JSON file of balance sources for chains without own nodes; empty: no balances are read there"
    },
    {
      "name": "DEFILLAMA_URL",
      "description": "DefiLlama prices, for what the route provider does not price; empty turns them off"
    },
    {
      "name": "PRICES_EVERY_SECONDS",
      "description": "how often the prices of all tokens are read in the background, by one replica for all; 0 reads them only when they are asked for"
    },
    {
      "name": "MERCHANT_KEY_PEPPER",
      "description": "pepper of the secrets of API keys, sessions and webhooks, at least 32 random characters; secrets under a pepper that is not given are invalid; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "REPLACE_ME_with_at_least_32_random_characters"
      ]
    },
    {
      "name": "GATEWAY_PUBLIC_URL",
      "description": "the address at which clients reach the public API",
      "isRequired": true
    },
    {
      "name": "MERCHANT_SIGN_IN_URL",
      "description": "the page on which wallets sign in, if not GATEWAY_PUBLIC_URL: wallets show and sign its domain"
    },
    {
      "name": "MERCHANT_SESSION_DAYS",
      "description": "days until a session of a wallet expires"
    },
    {
      "name": "MERCHANT_SANDBOX_WORLD_FILE",
      "description": "sandbox only: the JSON file of the sandbox state, with the API key of the demo merchant"
    }
  ],
  "nanopay": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "NANOPAY_NATS_URL",
      "description": "NATS servers of nanopay, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://nanopay:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "NANOPAY_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of nanopay"
    },
    {
      "name": "NANOPAY_IDENTITY_SECRET",
      "description": "secret that nanopay signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-nanopay-known-to-everybody",
        "development-identity-of-nanopay-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "NANOPAY_NETWORK",
      "description": "network of TON that nano-payments are for; it is part of what buyers sign"
    },
    {
      "name": "NANOPAY_CONTRACT",
      "description": "the account that holds what is deposited for nano-payments; it is part of what buyers sign",
      "isRequired": true
    },
    {
      "name": "NANOPAY_ASSET",
      "description": "master contract of the jetton that nano-payments are made in"
    },
    {
      "name": "NANOPAY_ASSET_SYMBOL",
      "description": "its symbol; it has 6 decimals"
    },
    {
      "name": "TONCENTER_URL",
      "description": "JSON-RPC of toncenter API v2, used to find deposits and to pay sellers; empty disables both"
    },
    {
      "name": "TONCENTER_API_KEY",
      "description": "API key of toncenter; without one it allows one request per second",
      "publicValues": [
        "REPLACE_ME"
      ]
    },
    {
      "name": "NANOPAY_CHAIN_LOOK_MS",
      "description": "poll interval of the chain for deposits and payouts, in milliseconds"
    },
    {
      "name": "NANOPAY_RECEIPT_KEYS",
      "description": "public keys of receipts, 64 hexadecimal digits each, comma-separated: GET /supported publishes them, so that sellers trust the next key before the ledger service signs with it; empty publishes none"
    },
    {
      "name": "SALES_TON_ACCOUNT",
      "description": "account that receives nano-payments for sales, as in service-api: only sales charge payments to it; empty for none"
    },
    {
      "name": "GATEWAY_PUBLIC_URL",
      "description": "the address under which callers reach the public API",
      "isRequired": true
    }
  ],
  "pay-orders": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "PAY_ORDERS_NATS_URL",
      "description": "NATS servers of pay-orders, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://pay-orders:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "PAY_ORDERS_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of pay-orders"
    },
    {
      "name": "PAY_ORDERS_IDENTITY_SECRET",
      "description": "secret that pay-orders signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-pay-orders-known-to-everybody",
        "development-identity-of-pay-orders-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "PAY_ORDERS_DATABASE_URL",
      "description": "PostgreSQL of pay_orders, under its runtime role",
      "isRequired": true,
      "publicValues": [
        "postgres://pay_orders:password@127.0.0.1:5432/tollbridge"
      ]
    },
    {
      "name": "DATABASE_CA_FILE",
      "description": "PEM file with the certificates of the CAs that PostgreSQL has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "DATABASE_CERT_FILE",
      "description": "PEM file with the client certificate for PostgreSQL; needs DATABASE_KEY_FILE. Empty: none"
    },
    {
      "name": "DATABASE_KEY_FILE",
      "description": "PEM file with the private key of DATABASE_CERT_FILE"
    },
    {
      "name": "PAY_ORDERS_DATABASE_CONNECTIONS",
      "description": "the most connections that one process opens, leases included"
    },
    {
      "name": "PAY_ORDERS_LEADER_LEASE_MS",
      "description": "how long the work that one replica of pay_orders does waits for another replica after a crash; leases are renewed four times as often"
    },
    {
      "name": "PAY_ORDERS_DATABASE_POOLING",
      "description": "transaction if the URL reaches PostgreSQL through PgBouncer in transaction mode before version 1.21: statements are then not prepared"
    },
    {
      "name": "PAY_ORDERS_STREAM_MAX_MB",
      "description": "bound of the event stream of pay-orders, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store"
    },
    {
      "name": "PAY_ORDERS_STREAM_MAX_AGE_HOURS",
      "description": "how long the event stream of pay-orders keeps events that every consumer has acknowledged; others stay until they are acknowledged"
    },
    {
      "name": "PAY_ORDERS_STREAM_REPLICAS",
      "description": "on how many servers of a NATS cluster the event stream of pay-orders and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two"
    },
    {
      "name": "PAY_ORDERS_EVENT_RECEIVERS",
      "description": "programs of other teams that receive the events of pay-orders, by the names of their identities, comma-separated: events are signed for them too"
    },
    {
      "name": "RETENTION",
      "description": "off: this process prunes no table. Tables grow until a process prunes them"
    },
    {
      "name": "RETENTION_OUTBOX_DAYS",
      "description": "how long published events stay in the outbox, from which a lost stream is refilled, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "RETENTION_INBOX_DAYS",
      "description": "how long a consumer remembers the events that it has handled; 30 days more than RETENTION_OUTBOX_DAYS at least, in days; 0 keeps them for ever, otherwise at least 44"
    },
    {
      "name": "RETENTION_UNPAID_ORDERS_DAYS",
      "description": "how long expired direct orders stay that nothing was paid or submitted for, in days; 0 keeps them for ever, otherwise at least 30"
    },
    {
      "name": "CHAINS_FILE",
      "description": "JSON file of the chains on which direct payments are taken: nodes and contract addresses",
      "isRequired": true
    },
    {
      "name": "BALANCES_FILE",
      "description": "JSON file of where balances of chains without own nodes are read; empty reads none of them"
    },
    {
      "name": "PAY_ORDERS_LIFETIME_SECONDS",
      "description": "how long an order waits for its payment"
    },
    {
      "name": "ONECLICK_URL",
      "description": "1Click API for cross-chain payments; empty turns them off"
    },
    {
      "name": "ONECLICK_API_KEY",
      "description": "key of 1Click; without one its fee is higher",
      "publicValues": [
        "eyJhbGciOi…"
      ]
    },
    {
      "name": "ONECLICK_PUBLIC_KEY",
      "description": "the key that signs its quotes; a quote that is not signed by it is rejected"
    },
    {
      "name": "ONECLICK_FEE_ACCOUNT",
      "description": "account inside Intents for fees of receivers without an account there (TON, Sui, …)"
    },
    {
      "name": "DEFILLAMA_URL",
      "description": "DefiLlama prices, for what the route provider does not price; empty turns them off"
    },
    {
      "name": "PRICES_EVERY_SECONDS",
      "description": "how often the prices of all tokens are read in the background, by one replica for all; 0 reads them only when they are asked for"
    },
    {
      "name": "PAY_ORDERS_REDIS_URL",
      "description": "Redis through which the replicas of pay-orders share snapshots, rediss:// for TLS; empty uses none",
      "publicValues": [
        "redis://:password@127.0.0.1:6379"
      ]
    },
    {
      "name": "REDIS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that Redis has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "REDIS_CERT_FILE",
      "description": "PEM file with the client certificate for Redis; needs REDIS_KEY_FILE. Empty: none"
    },
    {
      "name": "REDIS_KEY_FILE",
      "description": "PEM file with the private key of REDIS_CERT_FILE"
    },
    {
      "name": "PAY_ORDERS_PROBE_EVERY_MS",
      "description": "pause between two quotes by which minimum amounts are found out; 0 turns it off"
    },
    {
      "name": "PAY_ORDERS_SLIPPAGE_BPS",
      "description": "how far a cross-chain rate may move until the deposit arrives, in basis points; the payer pays it ahead"
    },
    {
      "name": "PAY_ORDERS_DEPOSIT_POLL_MS",
      "description": "how often the route provider is asked about a deposit while something may happen to it"
    },
    {
      "name": "REFUND_ACCOUNT",
      "description": "whether the operator's refund account stands in for payers who name no address, on the EVM chains of CHAINS_FILE: on or off"
    },
    {
      "name": "REFUND_PHRASE",
      "description": "BIP-39 phrase of the refund account: each order without a payer has an address of its own, and what comes back to it is forwarded to the sender of the deposit; use it for nothing else",
      "publicValues": [
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
      ]
    },
    {
      "name": "REFUND_GAS_KEY",
      "description": "private key of the wallet that pays for the gas of forwarded tokens; it holds coins for gas and nothing else",
      "publicValues": [
        "0x3333333333333333333333333333333333333333333333333333333333333333",
        "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6"
      ]
    },
    {
      "name": "REFUND_MAX_GAS_PRICE_GWEI",
      "description": "the most that is offered for gas when a refund is forwarded, in gwei; with prices never more than the refund is worth"
    },
    {
      "name": "REFUND_TIP_MWEI",
      "description": "the part of it that is offered to the producer of the block, in millions of wei; 0 offers what the node suggests"
    },
    {
      "name": "REFUND_GAS_ALARM_MILLICOINS",
      "description": "a warning is logged while the wallet of REFUND_GAS_KEY holds less on a chain, in thousandths of its coin"
    },
    {
      "name": "REFUND_MAX_SENDER_TRANSACTIONS",
      "description": "a sender with more transactions may be the hot wallet of an exchange, where money that is sent back is lost: such refunds wait for an operator"
    },
    {
      "name": "REFUND_MANUAL_SENDERS",
      "description": "EVM addresses, separated by commas, to which nothing is forwarded without an operator: known wallets of exchanges and bridges"
    },
    {
      "name": "REFUND_MANUAL_ACCOUNTS",
      "description": "for chains without a node: chain=address of the operator, separated by commas. There payers need no address either, and an operator sends by hand what comes back"
    },
    {
      "name": "FACILITATOR",
      "description": "whether payments of the official x402 schemes are settled on EVM chains and Solana, as CHAINS_FILE has them: on or off"
    },
    {
      "name": "FACILITATOR_KEY",
      "description": "private key of the wallet that sends settlements on EVM chains and pays for their gas, used for nothing else; it never holds paid amounts",
      "publicValues": [
        "0x4444444444444444444444444444444444444444444444444444444444444444",
        "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356"
      ]
    },
    {
      "name": "FACILITATOR_SOLANA_KEY",
      "description": "the same on Solana: 64 bytes in base58 as wallets export it; without it nothing is settled there",
      "publicValues": [
        "2NARPDraKHbCmy5sYscxzqhSGyHqiYiHt27SwRdBF3hwWzLwDV9SX2gS5ussd14kmgREozfNBimZbzafTeZuuVMq",
        "xswZVqQinRHvg47BRojr5jiyKg914bCrQEWyPqHQymoqHsAskta1x1ZtrGBSJjJJJhg8ZTZ1vcJcc5ggfgg7ryg"
      ]
    },
    {
      "name": "FACILITATOR_TOKENS",
      "description": "tokens that are settled: chain/symbol, separated by commas, as CHAINS_FILE names them; * stands for each of its chains of which the key is set"
    },
    {
      "name": "FACILITATOR_RECEIVERS",
      "description": "addresses of sellers for which this deployment pays gas, separated by commas; * settles for every address"
    },
    {
      "name": "FACILITATOR_MAX_GAS_PRICE_GWEI",
      "description": "maximum gas price of a settlement, in gwei; above it settlements return 503"
    },
    {
      "name": "FACILITATOR_TIP_MWEI",
      "description": "priority fee within it, in millions of wei; 0 uses the suggestion of the node"
    },
    {
      "name": "FACILITATOR_MAX_GAS",
      "description": "maximum gas of a settlement; a payment that needs more is rejected"
    },
    {
      "name": "FACILITATOR_SOLANA_MAX_FEE_LAMPORTS",
      "description": "maximum fee of a settlement on Solana, in lamports: 5,000 for each signature, of which there are two, and the priority fee that the payer chose"
    },
    {
      "name": "FACILITATOR_GAS_ALARM_MILLICOINS",
      "description": "a warning is logged while a wallet that sends settlements holds less on a chain, in thousandths of its coin"
    },
    {
      "name": "FACILITATOR_PER_MINUTE",
      "description": "settlements per payer and minute"
    },
    {
      "name": "FACILITATOR_TOTAL_PER_MINUTE",
      "description": "settlements of all payers per chain and minute: bounds what the wallet can spend on gas"
    },
    {
      "name": "FACILITATOR_CONFIRMATIONS",
      "description": "blocks, the first included, after which a settlement counts as successful; never more than the chain has"
    },
    {
      "name": "FACILITATOR_WAIT_MS",
      "description": "how long a settlement waits for them before it is answered as pending"
    }
  ],
  "service-api": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "SERVICE_API_NATS_URL",
      "description": "NATS servers of service-api, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://service-api:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "SERVICE_API_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of service-api"
    },
    {
      "name": "SERVICE_API_IDENTITY_SECRET",
      "description": "secret that service-api signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-service-api-known-to-everybody",
        "development-identity-of-service-api-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "SERVICE_API_DATABASE_URL",
      "description": "PostgreSQL of service_api, under its runtime role",
      "isRequired": true,
      "publicValues": [
        "postgres://service_api:password@127.0.0.1:5432/tollbridge"
      ]
    },
    {
      "name": "DATABASE_CA_FILE",
      "description": "PEM file with the certificates of the CAs that PostgreSQL has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "DATABASE_CERT_FILE",
      "description": "PEM file with the client certificate for PostgreSQL; needs DATABASE_KEY_FILE. Empty: none"
    },
    {
      "name": "DATABASE_KEY_FILE",
      "description": "PEM file with the private key of DATABASE_CERT_FILE"
    },
    {
      "name": "SERVICE_API_DATABASE_CONNECTIONS",
      "description": "the most connections that one process opens, leases included"
    },
    {
      "name": "SERVICE_API_LEADER_LEASE_MS",
      "description": "how long the work that one replica of service_api does waits for another replica after a crash; leases are renewed four times as often"
    },
    {
      "name": "SERVICE_API_DATABASE_POOLING",
      "description": "transaction if the URL reaches PostgreSQL through PgBouncer in transaction mode before version 1.21: statements are then not prepared"
    },
    {
      "name": "SERVICE_API_STREAM_MAX_MB",
      "description": "bound of the event stream of service-api, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store"
    },
    {
      "name": "SERVICE_API_STREAM_MAX_AGE_HOURS",
      "description": "how long the event stream of service-api keeps events that every consumer has acknowledged; others stay until they are acknowledged"
    },
    {
      "name": "SERVICE_API_STREAM_REPLICAS",
      "description": "on how many servers of a NATS cluster the event stream of service-api and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two"
    },
    {
      "name": "SERVICE_API_EVENT_RECEIVERS",
      "description": "programs of other teams that receive the events of service-api, by the names of their identities, comma-separated: events are signed for them too"
    },
    {
      "name": "RETENTION",
      "description": "off: this process prunes no table. Tables grow until a process prunes them"
    },
    {
      "name": "RETENTION_OUTBOX_DAYS",
      "description": "how long published events stay in the outbox, from which a lost stream is refilled, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "RETENTION_INBOX_DAYS",
      "description": "how long a consumer remembers the events that it has handled; 30 days more than RETENTION_OUTBOX_DAYS at least, in days; 0 keeps them for ever, otherwise at least 44"
    },
    {
      "name": "RETENTION_PURCHASE_DETAILS_DAYS",
      "description": "how long ended purchases keep phone numbers, e-mail addresses, names and account numbers, in days; 0 keeps them for ever, otherwise at least 30"
    },
    {
      "name": "CHAINS_FILE",
      "description": "JSON file of the chains and their nodes; payouts are simulated and sent on its EVM chains, and estimated on all others"
    },
    {
      "name": "PAYOUT_ONCHAIN",
      "description": "whether payouts are sent, on the chains of CHAINS_FILE that have a payoutContract: on or off"
    },
    {
      "name": "PAYOUT_RELAYER_KEY",
      "description": "private key of the wallet that relays payouts and pays their gas, used for nothing else; it never holds the paid amounts",
      "publicValues": [
        "0x2222222222222222222222222222222222222222222222222222222222222222",
        "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97"
      ]
    },
    {
      "name": "PAYOUT_APPROVE_WITHIN_MINUTES",
      "description": "minutes that a payout waits for its approval; its signatures expire an hour later"
    },
    {
      "name": "PAYOUT_MAX_GAS_PRICE_GWEI",
      "description": "maximum gas price in gwei; with prices (DEFILLAMA_URL) never more than the fee of the payout is worth"
    },
    {
      "name": "PAYOUT_TIP_MWEI",
      "description": "priority fee within it, in millions of wei; 0 uses the suggestion of the node"
    },
    {
      "name": "DEFILLAMA_URL",
      "description": "DefiLlama prices, for what the route provider does not price; empty turns them off"
    },
    {
      "name": "PRICES_EVERY_SECONDS",
      "description": "how often the prices of all tokens are read in the background, by one replica for all; 0 reads them only when they are asked for"
    },
    {
      "name": "SERVICE_API_REPLY_SECRET",
      "description": "seals stored replies that contain secrets, at least 32 random characters; replays of calls under a secret that is not given fail; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "REPLACE_ME_with_at_least_32_random_characters",
        "a_secret_of_the_sandbox_that_everybody_knows"
      ]
    },
    {
      "name": "MAILTM_URL",
      "description": "disposable mail by the protocol of mail.tm; empty turns it off"
    },
    {
      "name": "MAILTM_REQUESTS_PER_SECOND",
      "description": "requests per second to the provider of disposable mail, per process"
    },
    {
      "name": "AGENTMAIL_URL",
      "description": "AgentMail, for permanent inboxes; empty turns it off"
    },
    {
      "name": "AGENTMAIL_API_KEY",
      "description": "API key of AgentMail",
      "publicValues": [
        "am_…"
      ]
    },
    {
      "name": "RESEND_URL",
      "description": "Resend, for mail from an own domain; empty turns it off"
    },
    {
      "name": "RESEND_API_KEY",
      "description": "API key of Resend",
      "publicValues": [
        "re_…"
      ]
    },
    {
      "name": "RESEND_REQUESTS_PER_SECOND",
      "description": "requests per second to Resend, per process; Resend counts all processes together"
    },
    {
      "name": "RESEND_DOMAIN",
      "description": "own domain that mail is sent from, verified at Resend; agents get addresses in it"
    },
    {
      "name": "RELOADLY_AUTH_URL",
      "description": "token endpoint of Reloadly; empty turns it off"
    },
    {
      "name": "RELOADLY_GIFTCARDS_URL",
      "description": "Reloadly gift cards; empty turns it off"
    },
    {
      "name": "RELOADLY_TOPUPS_URL",
      "description": "Reloadly airtime; empty turns it off"
    },
    {
      "name": "RELOADLY_UTILITIES_URL",
      "description": "Reloadly utilities; empty turns it off"
    },
    {
      "name": "RELOADLY_GIFTCARDS_AUDIENCE",
      "description": "audience of a token for gift cards, when it differs from the URL"
    },
    {
      "name": "RELOADLY_TOPUPS_AUDIENCE",
      "description": "audience of a token for airtime, when it differs from the URL"
    },
    {
      "name": "RELOADLY_UTILITIES_AUDIENCE",
      "description": "audience of a token for bills of utilities, when it differs from the URL"
    },
    {
      "name": "RELOADLY_CLIENT_ID",
      "description": "client id of the account at Reloadly"
    },
    {
      "name": "RELOADLY_CLIENT_SECRET",
      "description": "client secret of the account at Reloadly",
      "publicValues": [
        "your-client-secret"
      ]
    },
    {
      "name": "RELOADLY_READ_SECONDS",
      "description": "time-out of a read at Reloadly"
    },
    {
      "name": "RELOADLY_PURCHASE_SECONDS",
      "description": "time-out of a purchase at Reloadly"
    },
    {
      "name": "SMS_NUMBERS_PROVIDER",
      "description": "protocol of the number provider"
    },
    {
      "name": "SMS_NUMBERS_URL",
      "description": "URL of the number provider; with sms-activate the whole URL of its handler; the account must be in dollars; empty turns numbers off"
    },
    {
      "name": "SMS_NUMBERS_KEY",
      "description": "API key of the number provider",
      "publicValues": [
        "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"
      ]
    },
    {
      "name": "SMS_NUMBERS_LOOK_MS",
      "description": "milliseconds between two polls for a code; providers ask for 3 to 5 seconds"
    },
    {
      "name": "TWILIO_URL",
      "description": "URL of Twilio without the version; empty turns messages off"
    },
    {
      "name": "TWILIO_ACCOUNT_SID",
      "description": "account SID of Twilio"
    },
    {
      "name": "TWILIO_AUTH_TOKEN",
      "description": "auth token of the Twilio account; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "00112233445566778899aabbccddeeff"
      ]
    },
    {
      "name": "TWILIO_FROM",
      "description": "number that messages are sent from, or the sid of a messaging service (MG…)"
    },
    {
      "name": "SMS_SEND_MAX_SEGMENT_USD",
      "description": "maximum dollars per segment of a message: reserved in the budget of the key, and enforced by the provider"
    },
    {
      "name": "SMS_SEND_COUNTRIES",
      "description": "countries that messages may be sent to, as ISO codes separated by commas, or `all`; list only countries of your customers: toll fraud uses the others"
    },
    {
      "name": "SERVICE_API_CARD_ISSUER",
      "description": "issuer of new virtual cards: none, lithic or laso; cards of the other can still be shown"
    },
    {
      "name": "LITHIC_URL",
      "description": "Lithic, for virtual cards; empty turns it off"
    },
    {
      "name": "LITHIC_API_KEY",
      "description": "API key of Lithic, of a program that may read card numbers",
      "publicValues": [
        "00000000-0000-0000-0000-000000000000",
        "lithic-key-of-the-sandbox"
      ]
    },
    {
      "name": "LASO_URL",
      "description": "Laso Finance, for virtual cards; empty turns it off"
    },
    {
      "name": "LASO_WALLET_KEY",
      "description": "private key of the wallet that pays for cards of Laso Finance, in USDC on Base",
      "publicValues": [
        "0x1111111111111111111111111111111111111111111111111111111111111111"
      ]
    },
    {
      "name": "SERVICE_API_HOOKS_URL",
      "description": "public URL of /hooks at the gateway; sent to Twilio with each message and part of its signature; empty requests no webhooks of Twilio"
    },
    {
      "name": "RELOADLY_WEBHOOK_SECRET",
      "description": "secret that signs webhooks of Reloadly; without it they are rejected; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "your-webhook-secret"
      ]
    },
    {
      "name": "AGENTMAIL_WEBHOOK_SECRET",
      "description": "secret that signs webhooks of AgentMail; without it they are rejected; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "whsec_UkVQTEFDRV9NRV93aXRoX3lvdXJfb3du"
      ]
    },
    {
      "name": "RESEND_WEBHOOK_SECRET",
      "description": "secret that signs webhooks of Resend; without it they are rejected; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "whsec_UkVQTEFDRV9NRV93aXRoX3lvdXJfb3du"
      ]
    },
    {
      "name": "LITHIC_WEBHOOK_SECRET",
      "description": "secret that signs webhooks of Lithic; without it they are rejected; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "whsec_UkVQTEFDRV9NRV93aXRoX3lvdXJfb3du"
      ]
    },
    {
      "name": "SMS_NUMBERS_WEBHOOK_TOKEN",
      "description": "last segment of /hooks/sms-activate/<token>, the webhook URL of the number provider, which signs nothing; without it webhooks are rejected; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "REPLACE_ME_with_32_random_letters"
      ]
    },
    {
      "name": "SALES",
      "description": "whether calls without credentials are sold for x402 payments: on or off; the gateway needs the same value"
    },
    {
      "name": "SALES_KEY",
      "description": "private key of the EVM wallet that receives payments for sales and signs their refunds; needs no coins for gas, but the tokens that it has to refund",
      "publicValues": [
        "0x5555555555555555555555555555555555555555555555555555555555555555",
        "0x85a7468b589130e4fea3a69d9de4d6af4931ddc48e0ed19ad247d1097e098686"
      ]
    },
    {
      "name": "SALES_SOLANA_KEY",
      "description": "the same on Solana: 64 bytes in base58 as wallets export it; needs a token account for each token of Solana in SALES_TOKENS, and no SOL for fees",
      "publicValues": [
        "33k8aLHMyRtJfT8Jpovwzm3euxSG5KZwKXffudwGN54QTnosEtxSqJWpNzKQ1Hb8YgV92zh1h2ek7H8PGpMHw9gZ",
        "3tozF2zt3urpP5V41CRcA6kaG91auMyUr2MN1xwK25rqwhkoTspJ9LSK6GsrowLE7pBCtj9PW6nE14sprN3oifyg"
      ]
    },
    {
      "name": "SALES_TOKENS",
      "description": "tokens that sales take by the scheme exact: chain/symbol, separated by commas, as CHAINS_FILE and FACILITATOR_TOKENS name them; stablecoins of one dollar, on EVM chains with EIP-3009, on Solana of SPL Token; empty takes none"
    },
    {
      "name": "SALES_TON_ACCOUNT",
      "description": "account that receives nano-payments for sales; empty takes none"
    },
    {
      "name": "SALES_MARGIN_PERCENT",
      "description": "percent that is added to the provider's price"
    },
    {
      "name": "SALES_MARGIN_MIN_USD",
      "description": "the least that is added, in dollars; it pays for the gas of a settlement and a refund"
    },
    {
      "name": "SALES_OFFER_SECONDS",
      "description": "how long the price of a 402 holds"
    },
    {
      "name": "SALES_EMAIL_ADDRESS_USD",
      "description": "price of a disposable e-mail address, and of an address of an agent in RESEND_DOMAIN, in dollars; off does not sell it"
    },
    {
      "name": "SALES_INBOX_USD",
      "description": "price of a permanent inbox, in dollars; off does not sell it"
    },
    {
      "name": "SALES_EMAIL_USD",
      "description": "price of sending an e-mail, from RESEND_DOMAIN or from a permanent inbox: anonymous clients then write from your domain, in dollars; off does not sell it"
    },
    {
      "name": "SALES_SWAP_QUOTE_USD",
      "description": "price of a quote of a swap, in dollars; off does not sell it"
    },
    {
      "name": "SALES_PAYER_DAY_USD",
      "description": "the most that one payer may buy in 24 hours, in dollars"
    },
    {
      "name": "SALES_DAY_USD",
      "description": "the most that all payers may buy in 24 hours, in dollars"
    }
  ],
  "stream": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "STREAM_NATS_URL",
      "description": "NATS servers of stream, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://stream:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "STREAM_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of stream"
    },
    {
      "name": "STREAM_IDENTITY_SECRET",
      "description": "secret that stream signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-stream-known-to-everybody",
        "development-identity-of-stream-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "STREAM_HOST",
      "description": "address on which the stream listens; only the gateway must reach it: the stream trusts its forwarded addresses"
    },
    {
      "name": "STREAM_PORT_NUMBER",
      "description": "port of the stream"
    },
    {
      "name": "STREAM_MAX_SOCKETS",
      "description": "the most sockets of one process; each costs a file descriptor and about 10 KB"
    },
    {
      "name": "STREAM_MAX_SOCKETS_PER_ADDRESS",
      "description": "the most sockets of one client's address, or of one IPv6 network of 64 bits"
    },
    {
      "name": "STREAM_MAX_TRANSACTIONS",
      "description": "the most transaction sets with subscribers in one process; each is a subscription on the bus"
    }
  ],
  "tee": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "TEE_NATS_URL",
      "description": "NATS servers of tee, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://tee:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "TEE_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of tee"
    },
    {
      "name": "TEE_IDENTITY_SECRET",
      "description": "secret that tee signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-tee-known-to-everybody",
        "development-identity-of-tee-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "TEE_DATABASE_URL",
      "description": "PostgreSQL of tee, under its runtime role",
      "isRequired": true,
      "publicValues": [
        "postgres://tee:password@127.0.0.1:5432/tollbridge"
      ]
    },
    {
      "name": "DATABASE_CA_FILE",
      "description": "PEM file with the certificates of the CAs that PostgreSQL has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "DATABASE_CERT_FILE",
      "description": "PEM file with the client certificate for PostgreSQL; needs DATABASE_KEY_FILE. Empty: none"
    },
    {
      "name": "DATABASE_KEY_FILE",
      "description": "PEM file with the private key of DATABASE_CERT_FILE"
    },
    {
      "name": "TEE_DATABASE_CONNECTIONS",
      "description": "the most connections that one process opens, leases included"
    },
    {
      "name": "TEE_LEADER_LEASE_MS",
      "description": "how long the work that one replica of tee does waits for another replica after a crash; leases are renewed four times as often"
    },
    {
      "name": "TEE_STREAM_MAX_MB",
      "description": "bound of the event stream of tee, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store"
    },
    {
      "name": "TEE_STREAM_MAX_AGE_HOURS",
      "description": "how long the event stream of tee keeps events that every consumer has acknowledged; others stay until they are acknowledged"
    },
    {
      "name": "TEE_STREAM_REPLICAS",
      "description": "on how many servers of a NATS cluster the event stream of tee and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two"
    },
    {
      "name": "TEE_EVENT_RECEIVERS",
      "description": "programs of other teams that receive the events of tee, by the names of their identities, comma-separated: events are signed for them too"
    },
    {
      "name": "RETENTION",
      "description": "off: this process prunes no table. Tables grow until a process prunes them"
    },
    {
      "name": "RETENTION_OUTBOX_DAYS",
      "description": "how long published events stay in the outbox, from which a lost stream is refilled, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "RETENTION_INBOX_DAYS",
      "description": "how long a consumer remembers the events that it has handled; 30 days more than RETENTION_OUTBOX_DAYS at least, in days; 0 keeps them for ever, otherwise at least 44"
    },
    {
      "name": "NANOPAY_NETWORK",
      "description": "network of TON that nano-payments are for; it is part of what buyers sign"
    },
    {
      "name": "NANOPAY_CONTRACT",
      "description": "the account that holds what is deposited for nano-payments; it is part of what buyers sign",
      "isRequired": true
    },
    {
      "name": "NANOPAY_ASSET",
      "description": "master contract of the jetton that nano-payments are made in"
    },
    {
      "name": "NANOPAY_ASSET_SYMBOL",
      "description": "its symbol; it has 6 decimals"
    },
    {
      "name": "TEE_KEY_FILE",
      "description": "file with the seed of the key that signs receipts, 64 hexadecimal digits; mode 0600, or root-owned 0440 for the group of the process. Created in the sandbox only. If it is lost, all sellers need the new public key",
      "isRequired": true
    },
    {
      "name": "TEE_ATTESTATION",
      "description": "what attests this service: none, tdx by the dstack agent, or its simulator, which attests nothing and says so"
    },
    {
      "name": "TEE_DSTACK_ENDPOINT",
      "description": "socket or URL of the dstack agent; empty for its default socket"
    },
    {
      "name": "TEE_WALLET_SEED",
      "description": "secret of the wallet that holds all deposits (Ed25519 seed, 64 hexadecimal digits); it signs payouts to sellers and withdrawals on the chain; empty disables payouts",
      "publicValues": [
        "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e",
        "41dc85ccf5ade4aa22c7690da359a46f8ab19d761d59bb833308982554ecc3eb"
      ]
    },
    {
      "name": "TEE_SETTLE_FROM",
      "description": "smallest earnings that are paid out to a seller on the chain, smallest unit; a payout costs some cents of gas"
    },
    {
      "name": "TEE_PAYOUTS_RESUME_AFTER",
      "description": "query id of the newest batch on the chain, when the ledger lost payouts in a restore and the operator has accounted for them: payouts resume with the number after it; empty otherwise"
    },
    {
      "name": "TEE_KEY_EPOCH",
      "description": "number of the receipt key: raise it by one for each new key"
    },
    {
      "name": "TEE_VERIFY_THREADS",
      "description": "threads that verify signatures; 0 starts one per core"
    },
    {
      "name": "TEE_MAX_UNDER_WAY",
      "description": "payments that may wait at once for a thread or a commit; further payments get an unknown outcome and are retried"
    },
    {
      "name": "TEE_LEASE_MS",
      "description": "lifetime of the ledger lease without renewal, milliseconds: another process takes over this long after its holder dies"
    },
    {
      "name": "TEE_AUDIT_MS",
      "description": "interval of the ledger audit, milliseconds; no payment is charged while the sums do not balance"
    },
    {
      "name": "TEE_TCP_TOKEN",
      "description": "token of paywalls that connect by TCP, at least 32 random characters without a comma; empty accepts payments over NATS only; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "publicValues": [
        "REPLACE_ME_with_at_least_32_random_characters"
      ]
    },
    {
      "name": "TEE_TCP_HOST",
      "description": "address that accepts TCP connections of paywalls; token and payments pass unencrypted"
    },
    {
      "name": "TEE_TCP_PORT_NUMBER",
      "description": "port that accepts TCP connections of paywalls"
    },
    {
      "name": "TEE_DIALOG_DOMAINS",
      "description": "domains, separated by commas, that wallets may sign for by TON Connect"
    }
  ],
  "tx-engine": [
    {
      "name": "MANAGEMENT_HOST",
      "description": "address on which /health and /metrics listen"
    },
    {
      "name": "TX_ENGINE_NATS_URL",
      "description": "NATS servers of tx-engine, with its own user; tls:// for TLS",
      "isRequired": true,
      "publicValues": [
        "nats://tx-engine:password@127.0.0.1:4222"
      ]
    },
    {
      "name": "NATS_CA_FILE",
      "description": "PEM file with the certificates of the CAs that NATS has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "NATS_CERT_FILE",
      "description": "PEM file with the client certificate for NATS; needs NATS_KEY_FILE. Empty: none"
    },
    {
      "name": "NATS_KEY_FILE",
      "description": "PEM file with the private key of NATS_CERT_FILE"
    },
    {
      "name": "TX_ENGINE_MANAGEMENT_PORT_NUMBER",
      "description": "port of /health and /metrics of tx-engine"
    },
    {
      "name": "TX_ENGINE_IDENTITY_SECRET",
      "description": "secret that tx-engine signs its calls with, at least 32 random characters; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted",
      "isRequired": true,
      "publicValues": [
        "development-identity-of-tx-engine-known-to-everybody",
        "development-identity-of-tx-engine-known-to-everybody"
      ]
    },
    {
      "name": "SERVICE_IDENTITIES_FILE",
      "description": "JSON file with the public key of every app, by which calls between apps are verified (`node tools/service-identities.mjs` writes it)",
      "isRequired": true
    },
    {
      "name": "BUS_OLD_RELEASE_UNTIL",
      "description": "until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted"
    },
    {
      "name": "STOP_DELAY_MS",
      "description": "after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process"
    },
    {
      "name": "STOP_TIMEOUT_MS",
      "description": "how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM"
    },
    {
      "name": "TX_ENGINE_DATABASE_URL",
      "description": "PostgreSQL of tx_engine, under its runtime role",
      "isRequired": true,
      "publicValues": [
        "postgres://tx_engine:password@127.0.0.1:5432/tollbridge"
      ]
    },
    {
      "name": "DATABASE_CA_FILE",
      "description": "PEM file with the certificates of the CAs that PostgreSQL has its certificate from; TLS is on with it. Empty: the CAs of the system"
    },
    {
      "name": "DATABASE_CERT_FILE",
      "description": "PEM file with the client certificate for PostgreSQL; needs DATABASE_KEY_FILE. Empty: none"
    },
    {
      "name": "DATABASE_KEY_FILE",
      "description": "PEM file with the private key of DATABASE_CERT_FILE"
    },
    {
      "name": "TX_ENGINE_DATABASE_CONNECTIONS",
      "description": "the most connections that one process opens, leases included"
    },
    {
      "name": "TX_ENGINE_LEADER_LEASE_MS",
      "description": "how long the work that one replica of tx_engine does waits for another replica after a crash; leases are renewed four times as often"
    },
    {
      "name": "TX_ENGINE_DATABASE_POOLING",
      "description": "transaction if the URL reaches PostgreSQL through PgBouncer in transaction mode before version 1.21: statements are then not prepared"
    },
    {
      "name": "TX_ENGINE_STREAM_MAX_MB",
      "description": "bound of the event stream of tx-engine, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store"
    },
    {
      "name": "TX_ENGINE_STREAM_MAX_AGE_HOURS",
      "description": "how long the event stream of tx-engine keeps events that every consumer has acknowledged; others stay until they are acknowledged"
    },
    {
      "name": "TX_ENGINE_STREAM_REPLICAS",
      "description": "on how many servers of a NATS cluster the event stream of tx-engine and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two"
    },
    {
      "name": "TX_ENGINE_EVENT_RECEIVERS",
      "description": "programs of other teams that receive the events of tx-engine, by the names of their identities, comma-separated: events are signed for them too"
    },
    {
      "name": "RETENTION",
      "description": "off: this process prunes no table. Tables grow until a process prunes them"
    },
    {
      "name": "RETENTION_OUTBOX_DAYS",
      "description": "how long published events stay in the outbox, from which a lost stream is refilled, in days; 0 keeps them for ever, otherwise at least 14"
    },
    {
      "name": "RETENTION_INBOX_DAYS",
      "description": "how long a consumer remembers the events that it has handled; 30 days more than RETENTION_OUTBOX_DAYS at least, in days; 0 keeps them for ever, otherwise at least 44"
    },
    {
      "name": "RETENTION_UNSIGNED_SETS_DAYS",
      "description": "how long expired transaction sets stay that were never signed, in days; 0 keeps them for ever, otherwise at least 30"
    },
    {
      "name": "CHAINS_FILE",
      "description": "JSON file of the chains: their nodes, and contract addresses that are not the published ones",
      "isRequired": true
    },
    {
      "name": "TX_ENGINE_QUOTE_SECONDS",
      "description": "how long a quote can be built"
    },
    {
      "name": "ACROSS_URL",
      "description": "Across Swap API for swaps to another chain; empty turns it off"
    },
    {
      "name": "ACROSS_API_KEY",
      "description": "key of Across; its main network asks for one",
      "publicValues": [
        "acx_…"
      ]
    },
    {
      "name": "ACROSS_INTEGRATOR_ID",
      "description": "the two bytes of the integrator's id at Across; empty sends none"
    },
    {
      "name": "LIFI_URL",
      "description": "LI.FI API for swaps on one chain and across chains; empty turns it off"
    },
    {
      "name": "LIFI_API_KEY",
      "description": "key of LI.FI; without one it answers some 75 quotes in two hours",
      "publicValues": [
        "f0c1…"
      ]
    },
    {
      "name": "LIFI_INTEGRATOR",
      "description": "the integrator's name at LI.FI; empty sends none"
    },
    {
      "name": "DEFILLAMA_URL",
      "description": "DefiLlama prices, for what the route provider does not price; empty turns them off"
    },
    {
      "name": "PRICES_EVERY_SECONDS",
      "description": "how often the prices of all tokens are read in the background, by one replica for all; 0 reads them only when they are asked for"
    }
  ]
};
