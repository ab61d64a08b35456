import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';

/**
 * Installs servers with the package manager of the system, if this is permitted.
 * @param {{ program: string, package: string }[]} missing
 * @param {(text: string) => void} note
 */
export async function installServers(missing, note) {
  const names = sentenceList(missing.map(({ program }) => program));
  const verb = missing.length > 1 ? 'are' : 'is';
  const packages = missing.map((server) => server.package);
  if (!hasApt()) {
    throw new Problem(
      `${names} ${verb} missing, and this system is neither Debian nor Ubuntu. ` +
        'Install Postgres 14, nats-server 2.9, Redis 6 or newer so that they are in the PATH, and try again.',
    );
  }
  const typed = `sudo apt-get install -y ${packages.join(' ')}`;
  const asRoot = rightsPrefix();
  if (!asRoot) throw new Problem(`${names} ${verb} missing. Type: ${typed}`);

  note(`installing ${packages.join(', ')}`);
  const script = join(repository, 'tools/local/install-servers.sh');
  const [program, ...args] = [...asRoot, 'sh', script, ...packages];
  const { code, output } = await runCommand(program, args);
  if (code !== 0) throw failure(names, typed, output);
}

function hasApt() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) && existsSync('/usr/bin/apt-get');
}

/** The prefix that runs a command as root without a password prompt, or undefined if this is not permitted. */
function rightsPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined;
}

/** @param {string} names @param {string} typed @param {string} output */
function failure(names, typed, output) {
  const details = lastLines(output);
  if (/No space left|ENOSPC/.test(output)) {
    return new Problem('The disk is full. Free some space and try again.', { details });
  }
  if (
    /Could not resolve|Temporary failure|Could not connect|Cannot initiate|Unable to connect|Failed to fetch/.test(
      output,
    )
  ) {
    return new Problem(`${names} could not be downloaded: no network. Connect to it and try again.`, {
      details,
    });
  }
  if (/Unable to locate package|has no installation candidate/.test(output)) {
    return new Problem(`Your system has no package of ${names}. Install them so that they are in the PATH.`, {
      details,
    });
  }
  return new Problem(`${names} could not be installed. Type: ${typed}`, { details });
}

/** @param {string[]} words */
function sentenceList(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
