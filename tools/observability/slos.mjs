/**
 * Service level objectives, over 30 days. `errors` and `requests` are rates over the window `W`.
 * @typedef {object} Slo
 * @property {string} name value of the label `slo`
 * @property {string} alert
 * @property {number} objective share of good events
 * @property {string} what the sentence of docs/operations/slo.md
 * @property {string} errors
 * @property {string} requests
 * @property {Record<string, string>} good series of good events, per minute, in promtool's notation
 * @property {Record<string, string>} bad the same while half of the events are bad
 * @property {Record<string, string>} blip the same with a few bad events in the first minute
 */

/** @type {(name: string, labels: string) => string} */
const rate = (name, labels) => `sum(rate(${name}{${labels}}[W]))`;
const http = 'http_server_request_duration_seconds';
const create = 'http_route="/api/v1/pay/create-order"';
const charge = 'http_route=~"/verify|/settle"';
// A client that closed the connection says nothing about the service.
const answered = 'http_response_status_code!="499"';
const failed = 'http_response_status_code=~"5.."';

/** @param {string} alert @param {string} name @param {number} objective @param {string} what @param {string} labels @returns {Slo} */
function availability(alert, name, objective, what, labels) {
  const [route] = labels.replaceAll('=~', '=').replace('|/settle', '').split(',');
  const series = (/** @type {string} */ status) =>
    `${http}_count{app="gateway",http_request_method="POST",${route},http_response_status_code="${status}"}`;
  return {
    name,
    alert,
    objective,
    what,
    errors: rate(`${http}_count`, `${labels},${failed}`),
    requests: rate(`${http}_count`, `${labels},${answered}`),
    good: { [series('200')]: '0+600x600', [series('503')]: '0x600' },
    bad: { [series('200')]: '0+300x600', [series('503')]: '0+300x600' },
    blip: { [series('200')]: '0+600x600', [series('503')]: '0 30 30x600' },
  };
}

/**
 * Share of events of a histogram that took at most `le`.
 * @param {Pick<Slo, 'alert' | 'name' | 'objective' | 'what'>} slo
 * @param {string} histogram
 * @param {{ labels: string, sample: string, le: string }} of
 * @returns {Slo}
 */
function latency(slo, histogram, { labels, sample, le }) {
  const both = [labels, `le="${le}"`].filter(Boolean).join(',');
  const count = `${histogram}_count{${sample}}`;
  const bucket = `${histogram}_bucket{${sample},le="${le}"}`;
  const requests = rate(`${histogram}_count`, labels);
  return {
    ...slo,
    errors: `(${requests} - ${rate(`${histogram}_bucket`, both)})`,
    requests,
    good: { [count]: '0+600x600', [bucket]: '0+600x600' },
    bad: { [count]: '0+600x600', [bucket]: '0+300x600' },
    blip: { [count]: '0+600x600', [bucket]: '0+300x1 900+600x600' },
  };
}

const httpSample = (/** @type {string} */ route) =>
  `app="gateway",http_request_method="POST",http_route="${route}",http_response_status_code="200"`;

/** @type {Slo[]} */
export const slos = [
  availability(
    'TollbridgeCreateOrderErrors',
    'create-availability',
    0.999,
    'Of all calls of `POST /api/v1/pay/create-order`, 99.9 % get an answer other than 5xx.',
    create,
  ),
  latency(
    {
      alert: 'TollbridgeCreateOrderSlow',
      name: 'create-latency',
      objective: 0.99,
      what: 'Of those calls, 99 % are answered within 0.5 s. A cross-chain order waits for its provider.',
    },
    http,
    { labels: `${create},${answered}`, sample: httpSample('/api/v1/pay/create-order'), le: '0.5' },
  ),
  latency(
    {
      alert: 'TollbridgeSettlementSlow',
      name: 'settle-time',
      objective: 0.99,
      what: 'Of all paid orders, 99 % settle within 30 s of the block with the last required confirmation.',
    },
    'tollbridge_order_settle_delay_seconds',
    { labels: '', sample: 'app="pay-orders",chain="eip155:8453"', le: '30' },
  ),
  latency(
    {
      alert: 'TollbridgeWebhooksSlow',
      name: 'webhook-time',
      objective: 0.99,
      what: 'Of all webhooks to healthy endpoints, 99 % are attempted within 30 s of their change.',
    },
    'tollbridge_webhook_delay_seconds',
    { labels: '', sample: 'app="merchant"', le: '30' },
  ),
  availability(
    'TollbridgePaywallErrors',
    'paywall-availability',
    0.999,
    'Of all calls of `POST /verify` and `POST /settle` (HTTP 402), 99.9 % get an answer other than 5xx.',
    charge,
  ),
  latency(
    {
      alert: 'TollbridgePaywallSlow',
      name: 'paywall-latency',
      objective: 0.99,
      what: 'Of those calls, 99 % are answered within 0.25 s.',
    },
    http,
    { labels: `${charge},${answered}`, sample: httpSample('/settle'), le: '0.25' },
  ),
];

/**
 * Burn rates by the Site Reliability Workbook: a long window shows that budget is lost, a short one that it still is.
 * `budget` is the share of 30 days' budget that is spent when the alert fires.
 */
export const burns = [
  { severity: 'page', factor: 14.4, long: '1h', short: '5m', budget: '2 %' },
  { severity: 'page', factor: 6, long: '6h', short: '30m', budget: '5 %' },
  { severity: 'ticket', factor: 1, long: '3d', short: '6h', budget: '10 %' },
];

export const windows = ['5m', '30m', '1h', '6h', '3d'];
