import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDeployCommand } from './deploy-command';
import { readKeyFile } from './key-file';
import { runSolanaDeployCommand } from './solana/deployment/deploy-command';
import { runSuiDeployCommand } from './sui/deploy-sui-command';
import { runTronDeployCommand } from './tron/deploy/command';

const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const nodeUrl = 'http://127.0.0.1:1';
const ignore = (): void => undefined;

describe('readKeyFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-key-file-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('returns the text of the file', () => {
    writeFileSync(join(folder, 'key'), key);
    expect(readKeyFile(join(folder, 'key'))).toBe(key);
  });

  it('rejects a folder by its error code', () => {
    expect(() => readKeyFile(folder)).toThrow('The file of --key-file cannot be read (EISDIR)');
  });
});

describe('a key that is passed as the path of its file', () => {
  const args = [nodeUrl, '--key-file', key];
  it.each([
    ['EVM', () => runDeployCommand(args, {})],
    ['Solana', () => runSolanaDeployCommand(args)],
    ['Sui', () => runSuiDeployCommand(args, {}, ignore)],
    ['Tron', () => runTronDeployCommand(args, {}, ignore)],
  ])('does not appear in the error of the deployment on %s', async (_family, run) => {
    const failure = await run().catch(String);
    expect(failure).toBe('Error: The file of --key-file cannot be read (ENOENT)');
  });
});
