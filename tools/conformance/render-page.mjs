import { reasonOf } from './reasons.mjs';
import { packagesVersion } from './x402-workspace.mjs';

/**
 * @typedef {import('./x402-matrix.mjs').Scenario} Scenario
 * @typedef {object} Results
 * @property {string} date in ISO 8601
 * @property {string} commit of the x402 tests
 * @property {string} endpoints regular expression of the endpoints that were run
 * @property {Scenario[]} scenarios
 * @property {import('./bazaar-vectors.mjs').BazaarResult} bazaar
 * @property {import('./mcp-suite.mjs').McpResult} mcp
 */

/** Renders docs/conformance.md. @param {Results} results */
export function renderPage(results) {
  return `# Conformance

See which public test suites of x402 and MCP this product passes, which it fails and why, and run them yourself. \`npm run conformance\` writes this page; do not edit it.

| Suite | Passed | Failed | Not run |
| --- | --- | --- | --- |
${row(['[x402 end-to-end tests](#x402-end-to-end-tests)', ...counts(results.scenarios), 'see below'])}
${row(['[Discovery vectors](#discovery-vectors)', ...bazaarCounts(results.bazaar)])}
${row(['[MCP](#mcp)', ...mcpCounts(results.mcp)])}
| [Core vectors and offer-receipt vectors](#vectors-that-were-not-run) | 0 | 0 | all |

Run on ${results.date}.

${x402Section(results)}

${bazaarSection(results.bazaar)}

${mcpSection(results.mcp)}

${otherSections}
`;
}

/** @param {(string | number)[]} cells */
const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;

/** @param {Scenario[]} scenarios */
const counts = (scenarios) => {
  const passed = scenarios.filter((it) => it.passed).length;
  return [passed, scenarios.length - passed];
};

/** @param {Results} results */
function x402Section({ commit, endpoints, scenarios }) {
  const some = endpoints === '.*' ? '' : ` Only endpoints that match \`${endpoints}\` were run.`;
  return `## x402 end-to-end tests

\`e2e/\` of the x402 repository at commit \`${commit.slice(0, 12)}\`, run by its own harness with unmodified clients, servers and facilitator.${some} Each scenario is one purchase: the client reads the 402, pays on a local chain, and must get the response with a successful settlement and its transaction.

Passed scenarios of all, by seller and facilitator. \`tollbridge\` is \`@tollbridge/paywall\` as seller, and the gateway of \`npm start\` as facilitator; the others are the official ones.

${matrix(scenarios)}

${byEndpoint(scenarios)}

${failures(scenarios)}

### How this run differs from one on public networks

- The chain is the sandbox's local node of Base (chain 8453, \`--mainnet\` of the harness), with Circle's USDC contract at its address on Base, Permit2, and stand-ins for the x402 proxies with the same interface.
- \`@x402/core\`, \`evm\`, \`svm\`, \`extensions\`, \`express\`, \`hono\` and \`fetch\` are those of npm, version ${packagesVersion}. npm has no such version of \`axios\`, \`fastify\`, \`aptos\`, \`avm\` and \`stellar\`: they are built from the source of the commit.
- \`pnpm\`, \`npx\` and \`tsx\` are small scripts that start the same files, so that the workspace of the repository, with the packages of all its networks, is not needed. On Base, the harness approves and revokes Permit2 for the token of Base Sepolia; the script names that of Base.
- Each pair of seller and facilitator is a run of its own: a seller that does not start ends the whole run of the harness without a result.

Not run: participants in Go and Python, the \`next\` seller, x402 version 1, the MCP transport, and the networks Solana, Aptos, Algorand and Stellar, which need public nodes.`;
}

/** @param {Scenario[]} scenarios */
function matrix(scenarios) {
  const facilitators = unique(scenarios, 'facilitator');
  const clients = unique(scenarios, 'client');
  const columns = clients.flatMap((client) => facilitators.map((facilitator) => ({ client, facilitator })));
  const head = columns.map(({ client, facilitator }) => `${client}, facilitator ${facilitator}`);
  const lines = unique(scenarios, 'server').map((server) =>
    row([
      server,
      ...columns.map((column) =>
        share(
          scenarios.filter(
            (it) =>
              it.server === server && it.client === column.client && it.facilitator === column.facilitator,
          ),
        ),
      ),
    ]),
  );
  return [row(['Seller', ...head]), row(['---', ...head.map(() => '---')]), ...lines].join('\n');
}

/** @param {Scenario[]} scenarios */
function byEndpoint(scenarios) {
  const facilitators = unique(scenarios, 'facilitator');
  const lines = unique(scenarios, 'endpoint').map((endpoint) =>
    row([
      `\`${endpoint}\``,
      ...facilitators.map((facilitator) =>
        share(scenarios.filter((it) => it.endpoint === endpoint && it.facilitator === facilitator)),
      ),
    ]),
  );
  const head = ['Endpoint', ...facilitators.map((it) => `facilitator ${it}`)];
  return [row(head), row(head.map(() => '---')), ...lines].join('\n');
}

/** @param {Scenario[]} scenarios */
function failures(scenarios) {
  const failed = scenarios.filter(({ passed }) => !passed);
  if (failed.length === 0) return 'No scenario failed.';
  const sections = [...new Set(failed.map(reasonOf))].map((reason) => {
    const head = ['Seller', 'Facilitator', 'Scenarios', 'Endpoints', 'Clients', 'Error'];
    const lines = alike(failed.filter((it) => reasonOf(it) === reason)).map((group) => {
      const [{ server, facilitator, error = '' }] = group;
      const endpoints = unique(group, 'endpoint').map((it) => `\`${it}\``);
      const clients = unique(group, 'client').join(', ');
      return row([
        server,
        facilitator,
        group.length,
        endpoints.join(', '),
        clients,
        `\`${shortened(error)}\``,
      ]);
    });
    return [reason, '', row(head), row(head.map(() => '---')), ...lines].join('\n');
  });
  return ['### Failed scenarios', ...sections].join('\n\n');
}

/**
 * Groups failures with the same seller, facilitator and error.
 * @param {Scenario[]} scenarios
 * @returns {[Scenario, ...Scenario[]][]}
 */
function alike(scenarios) {
  /** @type {Map<string, [Scenario, ...Scenario[]]>} */
  const groups = new Map();
  for (const scenario of scenarios) {
    const { server, facilitator, error = '' } = scenario;
    const key = JSON.stringify([server, facilitator, shortened(error)]);
    const group = groups.get(key);
    if (group) group.push(scenario);
    else groups.set(key, [scenario]);
  }
  return [...groups.values()];
}

/** Returns the message of an error, without parts that differ between runs. @param {string} text */
export function shortened(text) {
  const stable = messageIn(text)
    .replaceAll(/0x[0-9a-fA-F]{16,}/g, '0x…')
    .replaceAll(/localhost:\d+/g, 'localhost')
    .replaceAll('`', "'")
    .trim();
  return stable.length > 200 ? `${stable.slice(0, 200).trim()}…` : stable;
}

/**
 * Extracts the message: clients print an object with their error, or an uncaught error with its location before it.
 * @param {string} text
 */
function messageIn(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  try {
    const { error } = JSON.parse(first);
    if (typeof error === 'string') return error;
  } catch {
    // The text is not an object.
  }
  return lines.find((line) => /^\w*Error: /.test(line)) ?? first;
}

/** @param {Scenario[]} scenarios */
function share(scenarios) {
  const [passed] = counts(scenarios);
  return scenarios.length === 0 ? '–' : `${passed} of ${scenarios.length}`;
}

/** @param {Scenario[]} scenarios @param {'client' | 'server' | 'facilitator' | 'endpoint'} key */
const unique = (scenarios, key) => [...new Set(scenarios.map((it) => it[key]))];

/** @param {Results['bazaar']} result */
function bazaarCounts({ vectors, missing }) {
  if (missing) return [0, 0, 'all'];
  const having = (/** @type {string} */ outcome) => vectors.filter((it) => it.outcome === outcome).length;
  return [having('ok'), having('FAIL'), having('INCOMPLETE')];
}

/** @param {Results['bazaar']} result */
function bazaarSection({ vectors, missing }) {
  const intro =
    'Vectors of the bazaar extension, `specs/extensions/run_bazaar_discovery_vectors.sh` of the x402 repository (V0 to V7: filters of `GET /discovery/resources` apply, or say that they do not). They are in a pull request, not in a release; `--vectors DIR` names a folder with the script.';
  if (missing) return `## Discovery vectors\n\n${intro}\n\nNot run: ${missing}.`;
  const lines = vectors.map(({ id, outcome, note }) => row([id, outcome, shortened(note)]));
  return [
    '## Discovery vectors',
    '',
    intro,
    '',
    '| Vector | Outcome | Result |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** @param {Results['mcp']} result */
function mcpCounts({ runs, missing }) {
  if (missing) return [0, 0, 'all'];
  const all = runs.flatMap(({ scenarios }) => scenarios);
  const failed = all.filter((it) => it.failed > 0);
  return [all.length - failed.length, failed.length, 0];
}

/** @param {Results['mcp']} result */
function mcpSection({ runs, missing }) {
  const intro =
    'The official suite `@modelcontextprotocol/conformance`, `server --requirements REVISION`, against `/mcp`. It expects the tools, prompts and resources of its own example server, so a part of it cannot pass elsewhere: `e2e/mcp/conformance-*.yml` list each such scenario with its reason.';
  if (missing) return `## MCP\n\n${intro}\n\nNot run: ${missing}.`;
  const lines = runs.map(({ revision, scenarios }) => {
    const failed = scenarios.filter((it) => it.failed > 0);
    const listed = failed.filter(({ isExpected }) => isExpected);
    const others = failed.filter(({ isExpected }) => !isExpected).map(({ name }) => `\`${name}\``);
    return row([revision, scenarios.length - failed.length, listed.length, others.join(', ') || 'none']);
  });
  const head = '| Revision | Scenarios passed | Failed, with a listed reason | Failed, others |';
  return ['## MCP', '', intro, '', head, '| --- | --- | --- | --- |', ...lines].join('\n');
}

const otherSections = `## Vectors that were not run

- Core vectors (\`conformance/\`, pull request 2776 of the x402 repository, 52 vectors): not published in a release. Their runner replays requests and reports status codes without expected values, so there is nothing to pass or fail.
- Offer-receipt vectors (pull request 3207): not published in a release.

## Run it

\`\`\`sh
npm run conformance                                        # clones the x402 repository at a pinned commit
npm run conformance -- --x402 DIR                          # a checkout, or its Git directory
npm run conformance -- --vectors DIR                       # a folder with the discovery vectors
npm run conformance -- --endpoints '/exact/evm/eip3009'    # a part; --keep-page leaves this page alone
npm run conformance -- --sellers fastify --facilitators tollbridge    # a pair; the others keep their last results
\`\`\`

Everything it downloads and writes is in \`.tollbridge/conformance\`, except for this page. The harness uses ports from 4022 on.`;
