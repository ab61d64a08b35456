import { table } from './render-operations.mjs';

/** Renders docs/mcp.md. @param {import('./product.mjs').Product} product */
export function renderTools({ features, gateway, api }) {
  const tools = gateway.toolsOf(gateway.gatewayRoutes('sandbox'));
  const groups = [...new Set(features.map(({ name }) => name))];
  return [
    '<!-- Written by `npm run docs` from libs/contracts. Do not edit: the text is in tools/docs/render-tools.mjs. -->',
    '# MCP tools',
    introduction(tools.size),
    '## Rules',
    rules,
    ...groups.flatMap((group) => toolsOfGroup(group, tools)),
    '## Operations without a tool',
    table(
      ['Operation', 'Why'],
      Object.entries(api.withheldTools).map(([id, why]) => [`\`${id}\``, why]),
    ),
    '## Conformance',
    conformance,
  ].join('\n\n');
}

function toolsOfGroup(group, tools) {
  const own = [...tools.values()].filter((tool) => tool.group === group);
  if (own.length === 0) return [];
  return [
    `## \`${group}\``,
    table(
      ['Tool', 'Does', 'Kind', 'Needs'],
      own.map((tool) => [
        `\`${tool.definition.name}\``,
        tool.operation.isSandboxOnly ? `${tool.definition.title} (sandbox only)` : tool.definition.title,
        kindOf(tool),
        needs(tool.operation.auth),
      ]),
    ),
  ];
}

function kindOf({ isPurchase, definition: { annotations } }) {
  if (isPurchase) return 'costs money';
  if (annotations.readOnlyHint) return 'reads';
  return annotations.destructiveHint ? 'destructive' : 'adds';
}

function needs(auth) {
  if (auth === 'public') return '';
  if ('wallet' in auth) return 'session';
  return `\`${auth.permission}\``;
}

const introduction = (
  count,
) => `Use this page to see what an agent can do through \`POST /mcp\`, the Model Context Protocol over Streamable HTTP. [The guide](guides/agents.md) connects an agent and buys something; [decision 74](decisions/0074-tools-for-agents.md) has the reasons.

${count} tools, one for each operation of the API, named by its \`operationId\`. Their JSON schemas are in \`tools/list\`; arguments are the fields of path, query and body of the operation, as one flat object. \`/mcp?features=gift,sms\` lists the tools of these features only, by the names of the sections below.`;

const rules = `- **Credentials** are those of the API: an API key or a session token as \`Authorization: Bearer\`, or \`X-API-Key\`. An invalid one is \`401\`, none is an anonymous client. Only permitted tools are listed, and each call is admitted again by its own operation.
- **Costs first.** A tool that costs money buys nothing at its first call: it returns \`bought: false\`, \`cost\` and \`confirm\`, or asks the person where the client has \`elicitation\`. Called with the same arguments and that \`confirm\` within 15 minutes, it buys once. Another argument or caller needs a new one; a price that has risen since is \`PRICE_CHANGED\`. Prices of services that are sold are those of the provider for the given input, in dollars.
- **Payments instead of a key.** Operations that are sold by HTTP 402 are listed for clients without an account. Their price is a result with \`isError\` and the \`PaymentRequired\` of x402; the client repeats the call with the payment in \`_meta["x402/payment"]\`, and gets its receipt in \`_meta["x402/payment-response"]\` and, to read what was bought, a token in \`_meta["tollbridge/purchase-token"]\` and in the text: tools that read a purchase take it as \`purchase_token\`.
- **Repetitions.** Other tools that change something take \`idempotency_key\`: the same one repeats a call without a second effect, for 24 hours.
- **People decide** payouts and nano-payments above a limit. The result says what waits, and how it is approved: with the wallet and another key, in the dashboard.
- **Failures** are results with \`isError\`, and hold \`code\`, \`error\`, \`details\`, \`retryAfter\` and \`request_id\` of the [API's errors](errors.md) as JSON, behind the \`data_notice\` of every result. Beside them: \`RESULT_TOO_LONG\`, \`PURCHASE_DECLINED\`, \`CONFIRMATION_EXPIRED\`, \`PRICE_CHANGED\`.
- **Lists** that the API returns bare are \`{ items, next_cursor }\`; without \`limit\` a whole list has 50 items. A result has at most 256 KiB.
- **Resources**: \`tollbridge://docs/{page}\`, the guides as Markdown, and \`tollbridge://orders/{id}\`. \`subscriptions/listen\` with \`resourceSubscriptions\` of up to 20 orders notifies of each change (\`notifications/resources/updated\`). Revisions before 2026-07-28 subscribe within sessions; this server has no sessions.
- **Revisions**: 2026-07-28, and those from 2025 without sessions. There are no prompts and no sampling; a subscription ends after 10 minutes. One message a request.
- **Pages** of other origins are rejected (\`403\`): call from programs, or from pages of the gateway.
- Limits count the message and the operation that it calls: a tool call is two requests.`;

const conformance = `\`npx jest e2e/api.e2e.spec.ts --selectProjects e2e\` runs the scenarios of \`@modelcontextprotocol/conformance\` that a server of its own tools can pass, for 2026-07-28 and 2025-11-25, against a running gateway. The other ones call tools, prompts and resources of the suite's own example server (\`test_simple_text\`, \`test://static-text\` and so on), or features that this server does not declare: prompts, completion, logging, subscriptions to resources within a session. \`e2e/mcp/conformance-*.yml\` list each with its reason.`;
