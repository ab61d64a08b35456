/**
 * Panels of the dashboards. An expression is `[query, legend]`.
 * @typedef {object} Panel
 * @property {string} title
 * @property {[expr: string, legend: string][]} of
 * @property {string} [unit] of Grafana: s, bytes, percentunit, reqps
 * @property {'timeseries' | 'stat'} [type]
 */

const http = 'http_server_request_duration_seconds';
const rpc = 'rpc_server_call_duration_seconds';
const statement = 'db_client_operation_duration_seconds';
/** @param {number} share @param {string} histogram @param {string} by @param {string} [labels] */
const quantile = (share, histogram, by, labels = '') =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${histogram}_bucket{${labels}}[$__rate_interval])))`;
/** @param {string} counter @param {string} by @param {string} [labels] */
const rate = (counter, by, labels = '') => `sum by (${by}) (rate(${counter}{${labels}}[$__rate_interval]))`;
/** @param {string} gauge @param {string} by */
const most = (gauge, by) => `max by (${by}) (${gauge})`;

/** @type {{ uid: string, title: string, rows: { title: string, panels: Panel[] }[] }[]} */
export const dashboards = [
  {
    uid: 'tollbridge-overview',
    title: 'Tollbridge: overview',
    rows: [
      {
        title: 'Objectives',
        panels: [
          {
            title: 'Error budget left (30 days)',
            of: [['1 - tollbridge:slo_errors:ratio30d / on (slo) tollbridge:slo_budget:ratio', '{{slo}}']],
            unit: 'percentunit',
            type: 'stat',
          },
          {
            title: 'Burn rate, 1 h (1 spends the budget exactly)',
            of: [['tollbridge:slo_errors:ratio1h / on (slo) tollbridge:slo_budget:ratio', '{{slo}}']],
          },
          {
            title: 'Builds',
            of: [
              ['count by (app, version, commit) (tollbridge_build_info)', '{{app}} {{version}} {{commit}}'],
            ],
          },
        ],
      },
      {
        title: 'HTTP',
        panels: [
          {
            title: 'Requests by status',
            of: [[rate(`${http}_count`, 'http_response_status_code'), '{{http_response_status_code}}']],
            unit: 'reqps',
          },
          {
            title: 'Latency of all routes (exemplars lead to traces)',
            of: [0.5, 0.95, 0.99].map((share) => [quantile(share, http, 'app'), `p${share * 100}`]),
            unit: 's',
          },
          {
            title: 'Slowest routes, p95',
            of: [[`topk(10, ${quantile(0.95, http, 'http_route')})`, '{{http_route}}']],
            unit: 's',
          },
        ],
      },
      {
        title: 'Money',
        panels: [
          {
            title: 'Orders that are not final',
            of: [[most('tollbridge_orders_unsettled', 'state'), '{{state}}']],
          },
          {
            title: 'Oldest of them',
            of: [[most('tollbridge_orders_unsettled_oldest_seconds', 'state'), '{{state}}']],
            unit: 's',
          },
          {
            title: 'Settlement after the last confirmation, p95',
            of: [[quantile(0.95, 'tollbridge_order_settle_delay_seconds', 'chain'), '{{chain}}']],
            unit: 's',
          },
          {
            title: 'Nano-payments',
            of: [[rate('tollbridge_nano_payments_total', 'outcome'), '{{outcome}}']],
            unit: 'reqps',
          },
          {
            title: 'Money without an owner',
            of: [
              ['max(tollbridge_deposits_unmatched)', 'deposits unmatched'],
              ['max(tollbridge_refunds_manual)', 'manual refunds'],
              ['sum(increase(tollbridge_payments_mismatched_total[1d]))', 'payments mismatched, 1 d'],
              ['sum(increase(tollbridge_nano_deposits_unmatched_total[1d]))', 'nano deposits unmatched, 1 d'],
            ],
          },
        ],
      },
    ],
  },
  {
    uid: 'tollbridge-payments',
    title: 'Tollbridge: chains, providers, webhooks, ledger',
    rows: [
      {
        title: 'Chains',
        panels: [
          {
            title: 'Age of the newest block',
            of: [[most('tollbridge_chain_head_lag_seconds', 'chain'), '{{chain}}']],
            unit: 's',
          },
          {
            title: 'Blocks not applied yet',
            of: [[most('tollbridge_chain_scan_lag_blocks', 'chain'), '{{chain}}']],
          },
          {
            title: 'Since the chain was read',
            of: [['time() - max by (chain) (tollbridge_chain_polled_timestamp_seconds)', '{{chain}}']],
            unit: 's',
          },
          {
            title: 'Healthy RPC nodes',
            of: [['sum by (app, chain) (tollbridge_rpc_node_healthy)', '{{app}} {{chain}}']],
          },
        ],
      },
      {
        title: 'Providers',
        panels: [
          {
            title: 'Open circuits',
            of: [[most('tollbridge_circuit_open', 'app, provider'), '{{app}} {{provider}}']],
          },
          {
            title: 'Latency, p95',
            of: [[quantile(0.95, 'http_client_request_duration_seconds', 'provider'), '{{provider}}']],
            unit: 's',
          },
          {
            title: 'Failures',
            of: [
              [
                rate('http_client_request_duration_seconds_count', 'provider, error_type', 'error_type!=""'),
                '{{provider}} {{error_type}}',
              ],
            ],
            unit: 'reqps',
          },
          {
            title: 'Age of prices',
            of: [[most('tollbridge_price_age_seconds', 'app'), '{{app}}']],
            unit: 's',
          },
        ],
      },
      {
        title: 'Webhooks',
        panels: [
          { title: 'Waiting', of: [['max(tollbridge_webhooks_waiting)', 'waiting']] },
          {
            title: 'Oldest and overdue',
            of: [
              ['max(tollbridge_webhooks_oldest_seconds)', 'oldest'],
              ['max(tollbridge_webhooks_overdue_seconds)', 'overdue'],
            ],
            unit: 's',
          },
          {
            title: 'Attempts',
            of: [[rate('tollbridge_webhook_attempts_total', 'outcome'), '{{outcome}}']],
            unit: 'reqps',
          },
          {
            title: 'First attempt, p95',
            of: [[quantile(0.95, 'tollbridge_webhook_delay_seconds', 'app'), 'p95']],
            unit: 's',
          },
        ],
      },
      {
        title: 'Payment ledger',
        panels: [
          {
            title: 'Commits',
            of: [[rate('tollbridge_ledger_commits_total', 'app'), 'commits']],
            unit: 'reqps',
          },
          {
            title: 'Age of the oldest commit',
            of: [['max(tollbridge_ledger_commit_age_seconds)', 'age']],
            unit: 's',
          },
          { title: 'Processes that serve', of: [['sum(tollbridge_ledger_ready)', 'serving']] },
          { title: 'Differences', of: [[most('tollbridge_ledger_difference', 'sum'), '{{sum}}']] },
        ],
      },
    ],
  },
  {
    uid: 'tollbridge-platform',
    title: 'Tollbridge: calls, events, database, processes',
    rows: [
      {
        title: 'Calls over NATS',
        panels: [
          { title: 'Calls', of: [[rate(`${rpc}_count`, 'app'), '{{app}}']], unit: 'reqps' },
          { title: 'Latency, p95', of: [[quantile(0.95, rpc, 'app'), '{{app}}']], unit: 's' },
          {
            title: 'Failures',
            of: [
              [
                rate(
                  `${rpc}_count`,
                  'rpc_method, rpc_response_status_code',
                  'rpc_response_status_code=~"INTERNAL_ERROR|SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN"',
                ),
                '{{rpc_method}} {{rpc_response_status_code}}',
              ],
            ],
            unit: 'reqps',
          },
        ],
      },
      {
        title: 'Events',
        panels: [
          { title: 'Outbox: events waiting', of: [[most('tollbridge_outbox_waiting', 'app'), '{{app}}']] },
          {
            title: 'Outbox: age of the oldest',
            of: [[most('tollbridge_outbox_oldest_seconds', 'app'), '{{app}}']],
            unit: 's',
          },
          {
            title: 'Consumer lag',
            of: [[most('tollbridge_consumer_lag', 'app, consumer'), '{{app}} {{consumer}}']],
          },
          {
            title: 'Published',
            of: [[rate('messaging_client_sent_messages_total', 'app'), '{{app}}']],
            unit: 'reqps',
          },
          {
            title: 'Handled',
            of: [
              [
                rate('messaging_client_consumed_messages_total', 'messaging_consumer_group_name'),
                '{{messaging_consumer_group_name}}',
              ],
            ],
            unit: 'reqps',
          },
          {
            title: 'Time of a batch, p95',
            of: [
              [
                quantile(0.95, 'messaging_process_duration_seconds', 'messaging_consumer_group_name'),
                '{{messaging_consumer_group_name}}',
              ],
            ],
            unit: 's',
          },
          {
            title: 'Size of the stream',
            of: [[most('tollbridge_stream_bytes', 'app'), '{{app}}']],
            unit: 'bytes',
          },
          {
            title: 'Dead letters',
            of: [[most('tollbridge_dead_letters', 'app, consumer'), '{{app}} {{consumer}}']],
          },
        ],
      },
      {
        title: 'PostgreSQL',
        panels: [
          {
            title: 'Connections in use',
            of: [['sum by (app) (db_client_connection_count{db_client_connection_state="used"})', '{{app}}']],
          },
          {
            title: 'Callers that wait',
            of: [[most('db_client_connection_pending_requests', 'app'), '{{app}}']],
          },
          {
            title: 'Waits, p95',
            of: [[quantile(0.95, 'db_client_connection_wait_time_seconds', 'app'), '{{app}}']],
            unit: 's',
          },
          {
            title: 'Slowest statements, p95',
            of: [
              [
                `topk(10, ${quantile(0.95, statement, 'app, db_query_summary')})`,
                '{{app}} {{db_query_summary}}',
              ],
            ],
            unit: 's',
          },
          {
            title: 'Most time spent',
            of: [
              [
                `topk(10, ${rate(`${statement}_sum`, 'app, db_query_summary')})`,
                '{{app}} {{db_query_summary}}',
              ],
            ],
            unit: 's',
          },
        ],
      },
      {
        title: 'Processes',
        panels: [
          { title: 'CPU', of: [[rate('process_cpu_seconds_total', 'app'), '{{app}}']], unit: 'percentunit' },
          { title: 'Memory', of: [[most('process_resident_memory_bytes', 'app'), '{{app}}']], unit: 'bytes' },
          {
            title: 'Event loop lag, p99',
            of: [[most('nodejs_eventloop_lag_p99_seconds', 'app'), '{{app}}']],
            unit: 's',
          },
        ],
      },
    ],
  },
];

const width = 8;
const height = 7;
const columns = 24 / width;

/** A dashboard in Grafana's JSON. */
export function renderDashboard({ uid, title, rows }) {
  const panels = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      type: 'row',
      id: panels.length + 1,
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: 24, h: 1 },
    });
    row.panels.forEach((panel, at) => {
      const gridPos = {
        x: (at % columns) * width,
        y: y + Math.floor(at / columns) * height,
        w: width,
        h: height,
      };
      panels.push(renderPanel(panel, panels.length + 1, gridPos));
    });
    y += Math.ceil(row.panels.length / columns) * height;
  }
  const datasource = {
    name: 'datasource',
    label: 'Data source',
    type: 'datasource',
    query: 'prometheus',
    hide: 0,
  };
  return {
    uid,
    title,
    tags: ['tollbridge'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [datasource] },
    panels,
  };
}

function renderPanel({ title, of, unit = 'short', type = 'timeseries' }, id, gridPos) {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  const targets = of.map(([expr, legendFormat], at) => ({
    refId: String.fromCharCode(65 + at),
    datasource,
    expr,
    legendFormat,
    exemplar: type === 'timeseries',
  }));
  return {
    id,
    type,
    title,
    datasource,
    gridPos,
    targets,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: {},
  };
}
