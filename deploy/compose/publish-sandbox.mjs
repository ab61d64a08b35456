// Replaces the URLs of the local chains for GET /sandbox. Services use container names, but clients connect from
// outside.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const { SANDBOX_WORLD_FILE: path, SANDBOX_PUBLIC_EVM_NODES: nodes } = process.env;
if (!path || !nodes) throw new Error('Set SANDBOX_WORLD_FILE and SANDBOX_PUBLIC_EVM_NODES');

const urls = new Map(nodes.split(',').map((node) => node.split('=')));
const sandbox = JSON.parse(readFileSync(path, 'utf8'));
for (const chain of sandbox.chains) chain.rpcUrl = urls.get(String(chain.chainId)) ?? chain.rpcUrl;
writeFileSync(`${path}.new`, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 });
renameSync(`${path}.new`, path);
