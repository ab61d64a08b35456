/**
 * Alerts on causes. Each has input series for promtool: with `fires` it fires after half an hour, with `quiet` it does not.
 * @typedef {object} Alert
 * @property {string} name
 * @property {'page' | 'ticket'} severity
 * @property {string} expr
 * @property {string} [for]
 * @property {string} summary may name labels: `{{ $labels.app }}`
 * @property {Record<string, string>} labels of the alert in the test
 * @property {Record<string, string>} fires
 * @property {Record<string, string>} quiet
 */

/** The apps of a deployment, without the sandbox. */
export const apps = [
  'gateway',
  'pay-orders',
  'tx-engine',
  'merchant',
  'service-api',
  'nanopay',
  'tee',
  'stream',
];

const builds = (/** @type {string[]} */ of) =>
  Object.fromEntries(
    of.map((app) => [`tollbridge_build_info{app="${app}",version="1.0.0",commit="c",node="20"}`, '1x600']),
  );

/** @type {Alert[]} */
const availability = [
  {
    name: 'TollbridgeAppMissing',
    severity: 'page',
    expr: apps.map((app) => `absent(tollbridge_build_info{app="${app}"})`).join('\n  or '),
    for: '2m',
    summary: 'No replica of {{ $labels.app }} is scraped',
    labels: { app: 'tee' },
    fires: builds(apps.filter((app) => app !== 'tee')),
    quiet: builds(apps),
  },
  {
    name: 'TollbridgeVersionsMixed',
    severity: 'ticket',
    expr: 'count by (app) (count by (app, version, commit) (tollbridge_build_info)) > 1',
    for: '15m',
    summary: 'Replicas of {{ $labels.app }} run different builds',
    labels: { app: 'gateway' },
    fires: {
      ...builds(['gateway']),
      'tollbridge_build_info{app="gateway",version="1.1.0",commit="d",node="20"}': '1x600',
    },
    quiet: builds(['gateway', 'tee']),
  },
  {
    name: 'TollbridgeEventLoopBlocked',
    severity: 'ticket',
    expr: 'max by (app) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '5m',
    summary: 'A replica of {{ $labels.app }} is out of CPU, or blocked',
    labels: { app: 'gateway' },
    fires: { 'nodejs_eventloop_lag_p99_seconds{app="gateway"}': '0.8x600' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{app="gateway"}': '0.11x600' },
  },
  {
    name: 'TollbridgeCallsRejected',
    severity: 'page',
    expr: 'sum by (app, reason) (increase(tollbridge_calls_rejected_total[10m])) > 0',
    summary: '{{ $labels.app }} rejects calls of other apps: {{ $labels.reason }}',
    labels: { app: 'merchant', reason: 'forged' },
    fires: { 'tollbridge_calls_rejected_total{app="merchant",reason="forged"}': '0+1x600' },
    quiet: { 'tollbridge_calls_rejected_total{app="merchant",reason="forged"}': '3x600' },
  },
  {
    name: 'TollbridgeEventsForged',
    severity: 'page',
    expr: 'sum by (app, reason) (increase(tollbridge_events_rejected_total[10m])) > 0',
    summary: '{{ $labels.app }} rejects events of other apps: {{ $labels.reason }}',
    labels: { app: 'merchant', reason: 'forged' },
    fires: { 'tollbridge_events_rejected_total{app="merchant",reason="forged"}': '0+1x600' },
    quiet: { 'tollbridge_events_rejected_total{app="merchant",reason="forged"}': '3x600' },
  },
  {
    name: 'TollbridgeRepliesRejected',
    severity: 'page',
    expr: 'sum by (app, reason) (increase(tollbridge_replies_rejected_total[10m])) > 0',
    summary: '{{ $labels.app }} rejects replies of other apps: {{ $labels.reason }}',
    labels: { app: 'gateway', reason: 'unsealed' },
    fires: { 'tollbridge_replies_rejected_total{app="gateway",reason="unsealed"}': '0+1x600' },
    quiet: { 'tollbridge_replies_rejected_total{app="gateway",reason="unsealed"}': '3x600' },
  },
  {
    name: 'TollbridgeFormerPepper',
    severity: 'ticket',
    expr: 'max by (kind) (tollbridge_secrets_on_former_pepper) > 0',
    for: '20m',
    summary: 'Stored secrets ({{ $labels.kind }}) still need the former pepper: keep both values',
    labels: { kind: 'keys' },
    fires: { 'tollbridge_secrets_on_former_pepper{app="merchant",kind="keys"}': '40x600' },
    quiet: { 'tollbridge_secrets_on_former_pepper{app="merchant",kind="keys"}': '40 20 3 0x600' },
  },
];

/** @type {Alert[]} */
const bus = [
  {
    name: 'TollbridgeBusConnectionForgotten',
    severity: 'page',
    expr: 'max by (app, purpose) (tollbridge_bus_connections) > 1',
    for: '1m',
    summary:
      '{{ $labels.app }} has two connections to NATS for {{ $labels.purpose }}: replies may be rejected',
    labels: { app: 'pay-orders', purpose: 'calls' },
    fires: { 'tollbridge_bus_connections{app="pay-orders",purpose="calls"}': '2x600' },
    quiet: {
      'tollbridge_bus_connections{app="pay-orders",purpose="calls",instance="a"}': '1 1 0 1x600',
      'tollbridge_bus_connections{app="pay-orders",purpose="calls",instance="b"}': '1x600',
    },
  },
  {
    // Replies to requests of a lost connection are rejected once, at the failover: that is over within the window.
    name: 'TollbridgeBusPermissionViolations',
    severity: 'page',
    expr: 'sum by (app, operation) (increase(tollbridge_bus_permission_violations_total[3m])) > 0',
    for: '5m',
    summary: 'NATS keeps rejecting what {{ $labels.app }} sends ({{ $labels.operation }})',
    labels: { app: 'pay-orders', operation: 'publish' },
    fires: {
      'tollbridge_bus_permission_violations_total{app="pay-orders",operation="publish"}': '0+5x600',
    },
    quiet: {
      'tollbridge_bus_permission_violations_total{app="pay-orders",operation="publish"}': '0 0 0 40x600',
    },
  },
  {
    name: 'TollbridgeBusFaults',
    severity: 'page',
    expr: 'sum by (app) (increase(tollbridge_bus_faults_total[10m])) > 0',
    summary:
      'Calls did not reach {{ $labels.app }}, or its replies did not leave: it reconnected or restarted',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_bus_faults_total{app="pay-orders"}': '0+1x600' },
    quiet: { 'tollbridge_bus_faults_total{app="pay-orders"}': '1x600' },
  },
  {
    name: 'TollbridgeCallTimeouts',
    severity: 'page',
    expr: 'sum by (app, callee) (increase(tollbridge_call_timeouts_total[3m])) > 5',
    for: '2m',
    summary: 'Calls of {{ $labels.app }} to {{ $labels.callee }} end without an answer: clients get 504',
    labels: { app: 'gateway', callee: 'pay-orders' },
    fires: { 'tollbridge_call_timeouts_total{app="gateway",callee="pay-orders"}': '0+10x600' },
    // Calls that were under way when a process was killed.
    quiet: { 'tollbridge_call_timeouts_total{app="gateway",callee="pay-orders"}': '0 3x600' },
  },
];

/** @type {Alert[]} */
const database = [
  {
    name: 'TollbridgePoolWaits',
    severity: 'page',
    expr: 'max by (app) (avg_over_time(db_client_connection_pending_requests[5m])) > 1',
    for: '5m',
    summary: 'Calls of {{ $labels.app }} wait for a database connection',
    labels: { app: 'merchant' },
    fires: { 'db_client_connection_pending_requests{app="merchant"}': '12x600' },
    quiet: { 'db_client_connection_pending_requests{app="merchant"}': '0 0 0 8 0 0 0 0x600' },
  },
];

const lease = 'tollbridge_lease_held{app="pay-orders",lease="outbox"';

/** @type {Alert[]} */
const leases = [
  {
    name: 'TollbridgeNoLeader',
    severity: 'page',
    expr: 'sum by (app, lease) (tollbridge_lease_held) == 0',
    for: '1m',
    summary: 'No replica of {{ $labels.app }} does the work of the lease {{ $labels.lease }}',
    labels: { app: 'pay-orders', lease: 'outbox' },
    fires: { [`${lease},instance="a"}`]: '0x600', [`${lease},instance="b"}`]: '0x600' },
    quiet: { [`${lease},instance="a"}`]: '0x600', [`${lease},instance="b"}`]: '1x600' },
  },
  {
    name: 'TollbridgeTwoLeaders',
    severity: 'ticket',
    expr: 'sum by (app, lease) (tollbridge_lease_held) > 1',
    for: '2m',
    summary: 'Two replicas of {{ $labels.app }} believe that they hold the lease {{ $labels.lease }}',
    labels: { app: 'pay-orders', lease: 'outbox' },
    fires: { [`${lease},instance="a"}`]: '1x600', [`${lease},instance="b"}`]: '1x600' },
    quiet: { [`${lease},instance="a"}`]: '1x600', [`${lease},instance="b"}`]: '0 0 1 0 0x600' },
  },
  {
    name: 'TollbridgePruningLate',
    severity: 'ticket',
    expr: 'max by (app, table) (tollbridge_retention_oldest_due_seconds) > 86400',
    for: '20m',
    summary: 'Rows of {{ $labels.table }} in {{ $labels.app }} are kept a day longer than their period',
    labels: { app: 'merchant', table: 'inbox' },
    fires: { 'tollbridge_retention_oldest_due_seconds{app="merchant",table="inbox"}': '100000x600' },
    quiet: { 'tollbridge_retention_oldest_due_seconds{app="merchant",table="inbox"}': '600x600' },
  },
];

/** @type {Alert[]} */
const events = [
  ...[
    { name: 'TollbridgeStreamFilling', severity: /** @type {const} */ ('ticket'), limit: 0.25 },
    { name: 'TollbridgeStreamNearlyFull', severity: /** @type {const} */ ('page'), limit: 0.6 },
  ].map(({ name, severity, limit }) => ({
    name,
    severity,
    expr: `max by (app, consumer) (tollbridge_stream_unacknowledged_ratio) > ${limit}`,
    for: '5m',
    summary: `Events that {{ $labels.consumer }} has not acknowledged fill the stream of {{ $labels.app }} to ${limit * 100} %`,
    labels: { app: 'pay-orders', consumer: 'merchant-orders' },
    fires: {
      'tollbridge_stream_unacknowledged_ratio{app="pay-orders",consumer="merchant-orders"}':
        '0+0.1x9 0.9x600',
    },
    quiet: {
      'tollbridge_stream_unacknowledged_ratio{app="pay-orders",consumer="merchant-orders"}': '0.1x600',
    },
  })),
  {
    name: 'TollbridgeStreamSettingsRejected',
    severity: 'ticket',
    expr: 'max by (app) (tollbridge_stream_update_rejected) == 1',
    for: '10m',
    summary: 'NATS rejects the settings of the stream of {{ $labels.app }}',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_stream_update_rejected{app="pay-orders"}': '1x600' },
    quiet: { 'tollbridge_stream_update_rejected{app="pay-orders"}': '0 1 0x600' },
  },
  {
    name: 'TollbridgeOutboxOld',
    severity: 'page',
    expr: 'max by (app) (tollbridge_outbox_oldest_seconds) > 60',
    for: '2m',
    summary: '{{ $labels.app }} does not publish its events',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_outbox_oldest_seconds{app="pay-orders"}': '0+60x600' },
    quiet: { 'tollbridge_outbox_oldest_seconds{app="pay-orders"}': '4x600' },
  },
  {
    name: 'TollbridgePublishingHeldBack',
    severity: 'page',
    expr: 'max by (app) (tollbridge_outbox_held_back) == 1',
    for: '2m',
    summary: 'The stream of {{ $labels.app }} is full of events that a consumer has not acknowledged',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_outbox_held_back{app="pay-orders"}': '1x600' },
    quiet: { 'tollbridge_outbox_held_back{app="pay-orders"}': '0 1 0 0 1 0x600' },
  },
  {
    name: 'TollbridgeEventsRejected',
    severity: 'page',
    expr: 'sum by (app) (increase(tollbridge_event_publish_failures_total[5m])) > 3',
    summary: 'NATS does not store the events of {{ $labels.app }}: check its disk and max_file_store',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_event_publish_failures_total{app="pay-orders"}': '0+2x600' },
    quiet: { 'tollbridge_event_publish_failures_total{app="pay-orders"}': '1x600' },
  },
  {
    name: 'TollbridgeConsumerLagging',
    severity: 'page',
    expr: 'max by (app, consumer) (tollbridge_consumer_lag) > 10000',
    for: '5m',
    summary: '{{ $labels.consumer }} is far behind the events of {{ $labels.app }}',
    labels: { app: 'pay-orders', consumer: 'merchant-orders' },
    fires: { 'tollbridge_consumer_lag{app="pay-orders",consumer="merchant-orders"}': '0+5000x600' },
    quiet: { 'tollbridge_consumer_lag{app="pay-orders",consumer="merchant-orders"}': '250x600' },
  },
  {
    name: 'TollbridgeDeadLetters',
    severity: 'ticket',
    expr: 'max by (app, consumer) (tollbridge_dead_letters) > 0',
    for: '5m',
    summary: '{{ $labels.consumer }} could not handle an event',
    labels: { app: 'merchant', consumer: 'merchant-orders' },
    fires: { 'tollbridge_dead_letters{app="merchant",consumer="merchant-orders"}': '1x600' },
    quiet: { 'tollbridge_dead_letters{app="merchant",consumer="merchant-orders"}': '0x600' },
  },
];

const base = 'app="pay-orders",chain="eip155:8453"';

/** @type {Alert[]} */
const chains = [
  {
    name: 'TollbridgeChainNotRead',
    severity: 'page',
    expr: 'time() - max by (chain) (tollbridge_chain_polled_timestamp_seconds) > 120',
    for: '2m',
    summary: 'No replica has read {{ $labels.chain }} for two minutes: its orders do not settle',
    labels: { chain: 'eip155:8453' },
    fires: { [`tollbridge_chain_polled_timestamp_seconds{${base}}`]: '60x600' },
    quiet: { [`tollbridge_chain_polled_timestamp_seconds{${base}}`]: '0+60x600' },
  },
  {
    name: 'TollbridgeChainHeadOld',
    severity: 'page',
    expr: 'max by (chain) (tollbridge_chain_head_lag_seconds) > 300',
    for: '5m',
    summary: 'The newest block of {{ $labels.chain }} is old: the chain has stopped, or all its nodes lag',
    labels: { chain: 'eip155:8453' },
    fires: { [`tollbridge_chain_head_lag_seconds{${base}}`]: '0+60x600' },
    quiet: { [`tollbridge_chain_head_lag_seconds{${base}}`]: '6x600' },
  },
  {
    name: 'TollbridgeChainBehind',
    severity: 'page',
    expr: 'max by (chain) (tollbridge_chain_scan_lag_blocks) > 500',
    for: '10m',
    summary: 'The watcher is far behind the head of {{ $labels.chain }}',
    labels: { chain: 'eip155:8453' },
    fires: { [`tollbridge_chain_scan_lag_blocks{${base}}`]: '9000x600' },
    quiet: { [`tollbridge_chain_scan_lag_blocks{${base}}`]: '9000 7000 5000 3000 1000 2x600' },
  },
  {
    name: 'TollbridgeNoHealthyNode',
    severity: 'page',
    expr: 'max by (app, chain) (tollbridge_rpc_node_healthy) == 0',
    for: '2m',
    summary: '{{ $labels.app }} can use no RPC node of {{ $labels.chain }}',
    labels: { app: 'pay-orders', chain: 'eip155:8453' },
    fires: {
      [`tollbridge_rpc_node_healthy{${base},node="1"}`]: '0x600',
      [`tollbridge_rpc_node_healthy{${base},node="2"}`]: '0x600',
    },
    quiet: {
      [`tollbridge_rpc_node_healthy{${base},node="1"}`]: '0x600',
      [`tollbridge_rpc_node_healthy{${base},node="2"}`]: '1x600',
    },
  },
  {
    name: 'TollbridgeCircuitOpen',
    severity: 'ticket',
    expr: 'max by (app, provider) (tollbridge_circuit_open) == 1',
    for: '5m',
    summary: '{{ $labels.app }} has stopped calling {{ $labels.provider }}, since most calls fail',
    labels: { app: 'service-api', provider: 'reloadly' },
    fires: { 'tollbridge_circuit_open{app="service-api",provider="reloadly"}': '1x600' },
    quiet: { 'tollbridge_circuit_open{app="service-api",provider="reloadly"}': '0 1 0 0 0 0x600' },
  },
  {
    name: 'TollbridgePricesOld',
    severity: 'ticket',
    expr: 'max by (app) (tollbridge_price_age_seconds) > 900',
    for: '5m',
    summary: '{{ $labels.app }} has no recent prices: payments are stored without a value',
    labels: { app: 'pay-orders' },
    fires: { 'tollbridge_price_age_seconds{app="pay-orders"}': '0+60x600' },
    quiet: { 'tollbridge_price_age_seconds{app="pay-orders"}': '70x600' },
  },
];

const state = (/** @type {string} */ name) =>
  `tollbridge_orders_unsettled_oldest_seconds{app="pay-orders",state="${name}"}`;

/** @type {Alert[]} */
const money = [
  {
    name: 'TollbridgeOrdersNotExpiring',
    severity: 'ticket',
    expr: 'max(tollbridge_orders_unsettled_oldest_seconds{state="waiting_payment"}) > 900',
    for: '5m',
    summary: 'Unpaid orders stay open after their deadline',
    labels: {},
    fires: { [state('waiting_payment')]: '0+60x600' },
    quiet: { [state('waiting_payment')]: '40x600', [state('settling')]: '5000x600' },
  },
  {
    name: 'TollbridgeOrderStuck',
    severity: 'ticket',
    expr: 'max(tollbridge_orders_unsettled_oldest_seconds{state="settling"}) > 7200',
    for: '5m',
    summary: 'A paid order has not settled for two hours',
    labels: {},
    fires: { [state('settling')]: '9000x600' },
    quiet: { [state('settling')]: '120x600', [state('waiting_payment')]: '9000x600' },
  },
  {
    name: 'TollbridgePaymentMismatched',
    severity: 'ticket',
    expr: 'sum by (chain) (increase(tollbridge_payments_mismatched_total[1h])) > 0',
    summary: 'A payment on {{ $labels.chain }} does not match its order: money without an order',
    labels: { chain: 'eip155:8453' },
    fires: { [`tollbridge_payments_mismatched_total{${base}}`]: '0 0 0 0 0 1x600' },
    quiet: { [`tollbridge_payments_mismatched_total{${base}}`]: '4x600' },
  },
  {
    name: 'TollbridgeDepositsUnmatched',
    severity: 'ticket',
    expr: 'max(tollbridge_deposits_unmatched) > 0',
    for: '15m',
    summary: 'A cross-chain deposit was delivered, but settles no order',
    labels: {},
    fires: { 'tollbridge_deposits_unmatched{app="pay-orders"}': '1x600' },
    quiet: { 'tollbridge_deposits_unmatched{app="pay-orders"}': '0 0 1 1 0 0x600' },
  },
  {
    name: 'TollbridgeNanoDepositUnmatched',
    severity: 'ticket',
    expr: 'sum by (reason) (increase(tollbridge_nano_deposits_unmatched_total[1h])) > 0',
    summary: 'A transfer to the nano-payment contract was credited to no account: {{ $labels.reason }}',
    labels: { reason: 'no_sender' },
    fires: {
      'tollbridge_nano_deposits_unmatched_total{app="nanopay",reason="no_sender"}': '0 0 0 0 0 1x600',
    },
    quiet: { 'tollbridge_nano_deposits_unmatched_total{app="nanopay",reason="no_sender"}': '2x600' },
  },
  {
    name: 'TollbridgeRefundsManual',
    severity: 'ticket',
    expr: 'max(tollbridge_refunds_manual) > 0',
    for: '5m',
    summary: 'A refund waits for an operator',
    labels: {},
    fires: { 'tollbridge_refunds_manual{app="pay-orders"}': '2x600' },
    quiet: { 'tollbridge_refunds_manual{app="pay-orders"}': '0x600' },
  },
  {
    name: 'TollbridgeSaleRefundsStuck',
    severity: 'ticket',
    expr: 'max(tollbridge_sale_refunds_stuck) > 0',
    for: '5m',
    summary: 'A refund of a service sold by 402 failed and waits for an operator',
    labels: {},
    fires: { 'tollbridge_sale_refunds_stuck{app="service-api"}': '1x600' },
    quiet: { 'tollbridge_sale_refunds_stuck{app="service-api"}': '0x600' },
  },
  {
    name: 'TollbridgeSalePaymentUnclaimed',
    severity: 'ticket',
    expr: 'delta(max(tollbridge_sale_payments_unclaimed)[1h:1m]) > 0',
    for: '5m',
    summary: 'A payment to a wallet of sold services belongs to no sale and waits for an operator',
    labels: {},
    fires: { 'tollbridge_sale_payments_unclaimed{app="service-api"}': '0x10 1x600' },
    quiet: { 'tollbridge_sale_payments_unclaimed{app="service-api"}': '1x600' },
  },
  {
    name: 'TollbridgeFacilitatorGasLow',
    severity: 'ticket',
    expr: 'max by (chain) (tollbridge_facilitator_missing_coins) > 0',
    for: '5m',
    summary: 'The wallet that settles x402 payments is low on coins: {{ $labels.chain }}',
    labels: { chain: 'eip155:8453' },
    fires: { 'tollbridge_facilitator_missing_coins{app="pay-orders",chain="eip155:8453"}': '0.004x600' },
    quiet: { 'tollbridge_facilitator_missing_coins{app="pay-orders",chain="eip155:8453"}': '0x600' },
  },
  {
    name: 'TollbridgeWebhooksOverdue',
    severity: 'page',
    expr: 'max(tollbridge_webhooks_overdue_seconds) > 60',
    for: '5m',
    summary: 'Webhooks to healthy endpoints are not sent',
    labels: {},
    fires: { 'tollbridge_webhooks_overdue_seconds{app="merchant"}': '0+60x600' },
    quiet: { 'tollbridge_webhooks_overdue_seconds{app="merchant"}': '0x600' },
  },
  {
    name: 'TollbridgeWebhooksWaiting',
    severity: 'ticket',
    expr: 'max(tollbridge_webhooks_waiting) > 10000',
    for: '15m',
    summary: 'Many webhooks wait for their endpoints',
    labels: {},
    fires: { 'tollbridge_webhooks_waiting{app="merchant"}': '20000x600' },
    quiet: { 'tollbridge_webhooks_waiting{app="merchant"}': '90x600' },
  },
  {
    name: 'TollbridgeMerchantLedgerHalted',
    severity: 'page',
    expr: 'sum(increase(tollbridge_ledgers_halted_total[1h])) > 0',
    summary: "A merchant's ledger does not match its proof",
    labels: {},
    fires: { 'tollbridge_ledgers_halted_total{app="merchant"}': '0 0 0 0 1x600' },
    quiet: { 'tollbridge_ledgers_halted_total{app="merchant"}': '1x600' },
  },
];

/** @type {Alert[]} */
const nano = [
  {
    name: 'TollbridgeLedgerCommitStuck',
    severity: 'page',
    expr: 'max(tollbridge_ledger_commit_age_seconds) > 5',
    for: '1m',
    summary: 'Decisions of the payment ledger wait for their commit',
    labels: {},
    fires: { 'tollbridge_ledger_commit_age_seconds{app="tee"}': '0+60x600' },
    quiet: { 'tollbridge_ledger_commit_age_seconds{app="tee"}': '0.01x600' },
  },
  {
    name: 'TollbridgeLedgerNotServing',
    severity: 'page',
    expr: 'max(tollbridge_ledger_ready) == 0',
    for: '1m',
    summary: 'No process of the payment ledger decides payments',
    labels: {},
    fires: {
      'tollbridge_ledger_ready{app="tee",instance="a"}': '0x600',
      'tollbridge_ledger_ready{app="tee",instance="b"}': '0x600',
    },
    quiet: {
      'tollbridge_ledger_ready{app="tee",instance="a"}': '1x600',
      'tollbridge_ledger_ready{app="tee",instance="b"}': '0x600',
    },
  },
  {
    name: 'TollbridgeLedgerUnbalanced',
    severity: 'page',
    expr: 'max by (sum) (abs(tollbridge_ledger_difference)) > 0',
    summary: 'The payment ledger does not balance ({{ $labels.sum }}) and is halted',
    labels: { sum: 'balance' },
    fires: { 'tollbridge_ledger_difference{app="tee",sum="balance"}': '-3x600' },
    quiet: { 'tollbridge_ledger_difference{app="tee",sum="balance"}': '0x600' },
  },
  {
    name: 'TollbridgeLedgerNotAudited',
    severity: 'ticket',
    expr: 'time() - max(tollbridge_ledger_audited_timestamp_seconds) > 900',
    for: '5m',
    summary: 'The payment ledger was not audited for 15 minutes',
    labels: {},
    fires: { 'tollbridge_ledger_audited_timestamp_seconds{app="tee"}': '60x600' },
    quiet: { 'tollbridge_ledger_audited_timestamp_seconds{app="tee"}': '0+60x600' },
  },
  {
    name: 'TollbridgePayoutsShort',
    severity: 'page',
    expr: 'max(tollbridge_payout_missing_coins) > 0 or max(tollbridge_payout_missing_reserve) > 0',
    for: '5m',
    summary: 'Withdrawals stopped: the contract lacks coins for fees, or its reserve',
    labels: {},
    fires: {
      'tollbridge_payout_missing_coins{app="nanopay"}': '0x600',
      'tollbridge_payout_missing_reserve{app="tee"}': '7x600',
    },
    quiet: {
      'tollbridge_payout_missing_coins{app="nanopay"}': '0x600',
      'tollbridge_payout_missing_reserve{app="tee"}': '0x600',
    },
  },
  {
    name: 'TollbridgePayoutBatchUnknown',
    severity: 'page',
    expr: 'max(tollbridge_payout_unknown_batches) > 0',
    for: '1m',
    summary: 'Withdrawals stopped: the newest batch on the chain is no payout of the ledger',
    labels: {},
    fires: { 'tollbridge_payout_unknown_batches{app="tee"}': '1x600' },
    quiet: { 'tollbridge_payout_unknown_batches{app="tee"}': '0x600' },
  },
];

/** @type {Record<string, Alert[]>} */
export const alertGroups = { availability, bus, database, leases, events, chains, money, nano };
export const alerts = Object.values(alertGroups).flat();
