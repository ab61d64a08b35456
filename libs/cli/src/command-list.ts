import type { CommandInfo } from './command';
import type { FlagInfo } from './parse-flags';
import { requestFlags } from './x402/priced-request';

const yes: FlagInfo = { name: 'yes', description: 'Spend without a question' };
const scheme = {
  name: 'scheme',
  value: '<ton-nanopay|exact>',
  values: ['ton-nanopay', 'exact'],
  description: 'Scheme of x402; by default the first that can be paid',
};
const network = {
  name: 'network',
  value: '<id>',
  description: 'Network of x402, for example solana or eip155:8453; by default the first that can be paid',
};
const max: FlagInfo = {
  name: 'max',
  value: '<amount>',
  description: 'Reject a payment above this amount of its token, for example 5 or 0.01',
};
const forwardTo: FlagInfo = {
  name: 'forward-to',
  value: '<url>',
  description: 'Address on your machine, for example http://localhost:4000/webhooks',
};
const secret: FlagInfo = {
  name: 'secret',
  value: '<whsec_…>',
  description: 'Signing secret; by default TOLLBRIDGE_WEBHOOK_SECRET, else a new one, which is printed',
};
const count: FlagInfo = { name: 'count', value: '<number>', description: 'End after this many' };

/** The handwritten commands, in the order of the help. */
export const commands: readonly CommandInfo[] = [
  {
    name: 'login',
    namesProfile: true,
    summary: 'Store the address and key of a deployment',
    description:
      'Asks for the key, or reads it from standard input. The file is readable by you only. In the sandbox --sandbox takes the demo merchant.',
    flags: [{ name: 'sandbox', description: 'Log in as the demo merchant of a sandbox' }],
    examples: [
      'tollbridge login --sandbox',
      'tollbridge login --api-url https://pay.example.com --profile live',
      'tollbridge login --api-url https://pay.example.com < key.txt',
    ],
    load: () => import('./commands/login'),
  },
  {
    name: 'logout',
    namesProfile: true,
    summary: 'Delete the stored key of a profile',
    flags: [],
    examples: ['tollbridge logout', 'tollbridge logout --profile live'],
    load: () => import('./commands/logout'),
  },
  {
    name: 'whoami',
    summary: 'Show the deployment, and whether the key is valid',
    flags: [],
    examples: ['tollbridge whoami', 'tollbridge whoami --json'],
    load: () => import('./commands/whoami'),
  },
  {
    name: 'listen',
    summary: 'Receive webhooks on this machine, without a public address',
    description:
      'Forwards new messages, signed like those of the API, with a secret that is printed at the start. Failed deliveries are retried three times. Needs a key with the permissions read and write.',
    flags: [
      forwardTo,
      secret,
      {
        name: 'events',
        value: '<types>',
        description: 'Only these types, separated by commas; order.* takes all of orders',
      },
      { name: 'print-json', description: 'Print each message as a line of JSON' },
      count,
    ],
    examples: [
      'tollbridge listen --forward-to http://localhost:4000/webhooks',
      "tollbridge listen --events 'order.*,paylink.paid' --print-json",
    ],
    load: () => import('./commands/listen'),
  },
  {
    name: 'trigger',
    usage: '<type>',
    summary: 'Make a webhook happen in the sandbox',
    description:
      'What causes the message is really done, with money of the demo payer; --list says what. order.reorged reorganises a local chain: newer payments on it settle again, too. Needs an endpoint, or tollbridge listen.',
    positionals: { min: 0, max: 1 },
    completes: 'webhook-types',
    flags: [
      { name: 'list', description: 'List the types' },
      { name: 'example', description: 'Do nothing, and send the example of the type' },
    ],
    examples: ['tollbridge trigger order.settled', 'tollbridge trigger --list'],
    load: () => import('./commands/trigger'),
  },
  {
    name: 'logs tail',
    summary: 'Follow transactions and webhook deliveries',
    flags: [count],
    examples: ['tollbridge logs tail', 'tollbridge logs tail --json'],
    load: () => import('./commands/logs-tail'),
  },
  {
    name: 'events replay',
    usage: '<id>',
    summary: 'Send a webhook message again',
    description:
      'To the webhookUrl of the settings; with --forward-to once from here to your machine, which needs no webhookUrl.',
    positionals: { min: 1, max: 1 },
    flags: [forwardTo, secret],
    examples: [
      'tollbridge events replay msg_0198f3a27c5e7d419a553f0e2c1b4a6d',
      'tollbridge events replay msg_0198f3a27c5e7d419a553f0e2c1b4a6d --forward-to http://localhost:4000/webhooks',
    ],
    load: () => import('./commands/events-replay'),
  },
  {
    name: 'pay',
    usage: '<order id | checkout or PayLink URL | URL that answers 402>',
    summary: 'Pay from a wallet of the sandbox',
    description:
      'Shows the amount and asks before it spends. Orders, checkout pages and PayLinks are paid by the demo payer on the local networks of EVM chains, Solana, TON, Tron and Sui; 402 by a nano-payment, or by the scheme exact of x402 on EVM chains and Solana.',
    positionals: { min: 1, max: 1 },
    flags: [yes, max, scheme, network, ...requestFlags],
    examples: [
      'tollbridge pay 0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
      'tollbridge pay http://127.0.0.1:3000/demo/premium --yes --max 0.01',
      `tollbridge pay http://127.0.0.1:3000/sms/number --data '{"service": "tg", "country": 44}'`,
    ],
    load: () => import('./commands/pay'),
  },
  {
    name: 'gate',
    usage: '<url>',
    summary: 'Show the 402 exchange with a seller, step by step',
    description:
      'Asks for the price. With --debug it pays, and shows every message with its headers decoded.',
    positionals: { min: 1, max: 1 },
    flags: [
      { name: 'debug', description: 'Pay, and show the whole exchange as a sequence' },
      yes,
      max,
      scheme,
      network,
      ...requestFlags,
    ],
    examples: [
      'tollbridge gate http://127.0.0.1:3000/demo/premium',
      'tollbridge gate --debug http://127.0.0.1:3000/demo/premium --yes',
      'tollbridge gate --method POST http://127.0.0.1:3000/sms/number',
    ],
    load: () => import('./commands/gate'),
  },
  {
    name: 'clock advance',
    usage: '<time>',
    summary: 'Let time pass in the sandbox',
    description:
      'Orders and quotes expire, retries become due, and the local chains get blocks up to the new time. It goes forward only.',
    positionals: { min: 1, max: 1 },
    flags: [],
    examples: ['tollbridge clock advance 40m', 'tollbridge clock advance 7d'],
    load: () => import('./commands/clock-advance'),
  },
  {
    name: 'doctor',
    summary: 'Check a deployment',
    description:
      'Checks the gateway, its clock, chains and facilitator, your key and webhook endpoint; in the sandbox also nodes and contracts. With --env-file it reads settings on this machine by the parsers of the apps, and names every one that would stop a start. Exits with 1 when a check fails.',
    flags: [
      { name: 'env-file', value: '<path>', description: 'Check the settings of this file instead' },
      { name: 'app', value: '<name>', description: 'With --env-file: only the settings of this app' },
    ],
    examples: ['tollbridge doctor', 'tollbridge doctor --env-file gateway.env --app gateway'],
    load: () => import('./commands/doctor'),
  },
  {
    name: 'completion',
    usage: '<bash|zsh|fish>',
    summary: 'Print a script that completes commands and options',
    positionals: { min: 1, max: 1 },
    completes: 'shells',
    flags: [],
    examples: ['source <(tollbridge completion bash)', 'tollbridge completion fish | source'],
    load: () => import('./commands/completion'),
  },
];
