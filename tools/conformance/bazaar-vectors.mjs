import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../local/run-command.mjs';

const script = 'run_bazaar_discovery_vectors.sh';
const timeoutMs = 120_000;
const line = /^\s*\[(ok|FAIL|INCOMPLETE)\] (V\d+)\s+(.*)$/;

/**
 * @typedef {{ id: string, outcome: 'ok' | 'FAIL' | 'INCOMPLETE', note: string }} Vector
 * @typedef {{ vectors: Vector[], missing?: string }} BazaarResult
 */

/**
 * Runs the vectors of the discovery extension against `GET /discovery/resources` of a gateway.
 * @param {string} gateway @param {string | undefined} folder that contains their script
 * @returns {Promise<BazaarResult>} `missing` is the reason of a missing result
 */
export async function runBazaarVectors(gateway, folder) {
  if ((await fetch(`${gateway}/discovery/resources`)).status === 404)
    return { vectors: [], missing: 'the gateway of this build has no `GET /discovery/resources`' };
  const path = folder && join(folder, script);
  if (!path || !existsSync(path))
    return { vectors: [], missing: `no folder with ${script} was named (--vectors)` };
  const { output } = await runCommand('bash', [path, `${gateway}/discovery/resources`], { timeoutMs });
  const vectors = readVectors(output);
  return vectors.length > 0 ? { vectors } : { vectors, missing: output.trim().slice(-300) };
}

/** @param {string} output of the script @returns {Vector[]} */
export function readVectors(output) {
  return output.split('\n').flatMap((text) => {
    const [, outcome, id, note] = line.exec(text) ?? [];
    return id
      ? [
          {
            id,
            outcome: /** @type {Vector['outcome']} */ (outcome),
            note: (note ?? '').replace(/; sha256=\S+$/, '').trim(),
          },
        ]
      : [];
  });
}
