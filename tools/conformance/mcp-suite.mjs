import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { runCommand } from '../local/run-command.mjs';

const suite = join(repository, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const preload = join(repository, 'e2e/mcp/conformance-node-20.mjs');
const revisions = ['2026-07-28', '2025-11-25'];
const timeoutMs = 300_000;

/**
 * @typedef {{ name: string, passed: number, failed: number, isExpected: boolean }} McpScenario
 * @typedef {{ revision: string, scenarios: McpScenario[] }} McpRun
 * @typedef {{ runs: McpRun[], missing?: string }} McpResult
 */

/**
 * Runs the official MCP suite against `/mcp` of a gateway, with the lists of scenarios that the e2e tests expect to
 * fail.
 * @param {string} gateway @param {string} folder for its output
 * @returns {Promise<McpResult>} `missing` is the reason of a missing result
 */
export async function runMcpSuite(gateway, folder) {
  if ((await fetch(`${gateway}/mcp`)).status === 404)
    return { runs: [], missing: 'the gateway of this build has no `/mcp`' };
  if (!existsSync(suite) || !existsSync(preload)) return { runs: [], missing: 'the suite is not installed' };
  const runs = [];
  for (const revision of revisions) {
    const args = [
      '--import',
      preload,
      suite,
      'server',
      '--url',
      `${gateway}/mcp`,
      '--requirements',
      revision,
    ];
    const lists = join(repository, 'e2e/mcp', `conformance-${revision}.yml`);
    const more = ['--expected-failures', lists, '-o', join(folder, `mcp-${revision}`)];
    const { output } = await runCommand(process.execPath, [...args, ...more], { cwd: repository, timeoutMs });
    runs.push({ revision, scenarios: readSummary(output, readFileSync(lists, 'utf8')) });
  }
  return { runs };
}

/**
 * Reads the summary of the suite. Expected failures are in the list, each with its reason.
 * @param {string} output @param {string} list YAML @returns {McpScenario[]}
 */
export function readSummary(output, list) {
  const expected = new Set(list.split('\n').flatMap((line) => /^ {2}- ([^:\s]+)/.exec(line)?.[1] ?? []));
  return output.split('\n').flatMap((line) => {
    const [, name, passed, failed] = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/.exec(line) ?? [];
    return name
      ? [{ name, passed: Number(passed), failed: Number(failed), isExpected: expected.has(name) }]
      : [];
  });
}
