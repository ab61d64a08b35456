import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { repository } from '../local/directory.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-cli-'));
const program = join(folder, 'package/tollbridge.js');
const env = { PATH: process.env.PATH, HOME: folder };
const tollbridge = (...words) => run(process.execPath, [program, ...words], { env, cwd: folder });

before(async () => {
  const { stdout } = await run(process.execPath, [join(repository, 'tools/pack-cli.mjs'), folder]);
  await run('tar', ['-xzf', stdout.trim(), '-C', folder]);
});
after(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('is one program without a dependency, with the licences of what it contains', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.name, manifest.dependencies, manifest.peerDependencies, manifest.bin],
      ['tollbridge', undefined, undefined, { tollbridge: 'tollbridge.js' }],
    );
    const files = ['LICENSE', 'LICENSES-OF-PACKAGES.txt', 'README.md', 'package.json', 'tollbridge.js'];
    assert.deepEqual(readdirSync(join(folder, 'package')).sort(), files);
    assert.notEqual(statSync(program).mode & 0o111, 0);
    const licences = readFileSync(join(folder, 'package/LICENSES-OF-PACKAGES.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) \S+ \((.+)\)$/gm)];
    assert.ok(named.some(([, name]) => name === 'viem'));
    for (const [, name, licence] of named)
      assert.match(licence, /^(MIT|Apache-2\.0|BSD-[23]-Clause|ISC)$/, name);
  });

  it('is less than half a megabyte', () => {
    assert.ok(statSync(program).size < 500_000, `${statSync(program).size} bytes`);
  });

  it('runs alone, and has a command for every operation', async () => {
    const { stdout } = await tollbridge('--help');
    assert.match(stdout, /tollbridge login --sandbox/);
    const source = readFileSync(join(repository, 'libs/cli/src/generated/operations.ts'), 'utf8');
    const ids = [...source.matchAll(/^ {4}"id": "(\w+)"/gm)].map(([, id]) => id);
    assert.ok(ids.length > 100);
    const groups = stdout.match(/^ {2}[a-z-]+(?= {2,}\S)/gm).map((line) => line.trim());
    const listed = await Promise.all(groups.map((group) => tollbridge('__complete', group, '')));
    const names = listed.flatMap(({ stdout: lines }) => lines.split('\n'));
    const missing = ids.filter((id) => !names.some((each) => each.replaceAll('-', '') === id.toLowerCase()));
    assert.deepEqual(missing, []);
  });

  it('starts fast', () => {
    const timeOf = (...args) => {
      const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null';
      const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, ...args], {
        env,
        encoding: 'utf8',
      });
      assert.equal(status, 0);
      const [user, system] = stderr.trim().split(' ').map(Number);
      return (user + system) * 1_000;
    };
    // The time of the processor, since this machine has other work; the best of five is without most of it.
    const bestMs = Math.min(...Array.from({ length: 5 }, () => timeOf(program, 'completion', 'bash')));
    assert.ok(bestMs < 250, `${bestMs} ms`);
  });
});

describe('completion', () => {
  it('completes in bash', () => {
    const script = `
      tollbridge() { ${process.execPath} ${program} "$@"; }
      source <(tollbridge completion bash)
      COMP_WORDS=(tollbridge orders create-o); COMP_CWORD=2
      _tollbridge; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['create-order\n', '']);
  });

  it('has a script for zsh and fish that calls the program', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = await tollbridge('completion', shell);
      assert.match(stdout, /tollbridge __complete/);
    }
  });
});
