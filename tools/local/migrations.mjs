import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appProgram, migratedApps, migrationEnvironment, schemaOf } from './apps.mjs';
import { runSql } from './postgres.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Returns the apps with pending migrations. Uses one query, because TypeORM takes seconds to load for each app.
 * @param {import('./local-sandbox.mjs').LocalSandboxOptions} options
 * @returns {Promise<string[]>}
 */
export async function pendingApps({ programs, ports, passwords }) {
  const lines = await runSql(
    { programs: programs.postgres, port: ports.postgres, passwords: passwords.postgres },
    join(here, 'migrations.sql'),
  );
  const done = new Set(lines.split('\n'));
  return migratedApps().filter((app) =>
    timestampsOf(app).some((timestamp) => !done.has(`${schemaOf(app)}|${timestamp}`)),
  );
}

/**
 * Returns the timestamps at the end of migration names. A file contains one or several migrations.
 * @param {string} app
 */
function timestampsOf(app) {
  const folder = join(dirname(appProgram(app, 'migrate')), 'migrations');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^\d{13}-.*\.js$/.test(name))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bclass \w*?(\d{13})\b/g)])
    .map(([, timestamp]) => timestamp);
}

/**
 * Migrates the schemas of these apps in one process, because separate processes would load the same packages.
 * @param {import('./local-sandbox.mjs').LocalSandboxOptions} options @param {string[]} apps
 */
export async function migrate(options, apps) {
  if (apps.length === 0) return;
  const env = Object.assign({}, ...apps.map((app) => migrationEnvironment(options, app)));
  const programs = apps.map((app) => appProgram(app, 'migrate'));
  const args = [join(here, 'migrate-apps.cjs'), ...programs];
  const { code, output } = await runCommand(process.execPath, args, { env });
  if (code !== 0)
    throw new Problem('A migration failed; the last lines say why:', { details: lastLines(output, 30) });
}
