// A pgBackRest repository for the database of a sandbox.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../local/run-command.mjs';
import { chooseServerUser } from '../../local/server-user.mjs';

const stanza = 'tollbridge';

export class BackupRepository {
  /** @param {{ directory: string, program: string, port: number, password: string }} options */
  constructor({ directory, program, port, password }) {
    Object.assign(this, { program, port, password });
    this.folder = join(directory, 'backup');
    this.data = join(directory, 'postgres/data');
    this.user = undefined;
  }

  /** Writes the configuration. pgBackRest runs as the user of PostgreSQL, because it copies the files of that user. */
  prepare() {
    mkdirSync(this.folder, { recursive: true, mode: 0o755 });
    this.user = chooseServerUser(this.folder);
    for (const name of ['repo', 'log', 'lock', 'spool', 'socket']) {
      const path = join(this.folder, name);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.user.own(path);
    }
    const lines = [
      '[global]',
      `repo1-path=${this.folder}/repo`,
      'repo1-retention-full=2',
      // A backup contains all data of the database, so a stolen backup must be unreadable.
      'repo1-cipher-type=aes-256-cbc',
      'repo1-cipher-pass=only-for-the-drill',
      `log-path=${this.folder}/log`,
      `lock-path=${this.folder}/lock`,
      `spool-path=${this.folder}/spool`,
      'log-level-console=warn',
      'start-fast=y',
      'compress-type=lz4',
      `[${stanza}]`,
      `pg1-path=${this.data}`,
      `pg1-socket-path=${this.folder}/socket`,
      `pg1-port=${this.port}`,
      'pg1-user=postgres',
    ];
    this.#write('pgbackrest.conf', lines);
    // The sandbox's own file allows only TCP and is rewritten at each start.
    this.#write('pg_hba.conf', [
      'local all postgres scram-sha-256',
      'host all all 127.0.0.1/32 scram-sha-256',
    ]);
  }

  #write(name, lines) {
    const path = join(this.folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    this.user.own(path);
  }

  /** The PostgreSQL settings for the archive. They take effect after a restart. */
  get settings() {
    const push = `${this.program} --config=${this.folder}/pgbackrest.conf --stanza=${stanza} archive-push %p`;
    return {
      archive_mode: 'on',
      archive_command: push,
      // Data that is not archived is lost with the disk. This limits the loss.
      archive_timeout: '5s',
      unix_socket_directories: join(this.folder, 'socket'),
      hba_file: join(this.folder, 'pg_hba.conf'),
    };
  }

  /** Runs pgBackRest as the user of PostgreSQL and returns its output. */
  async run(...args) {
    const all = [`--config=${this.folder}/pgbackrest.conf`, `--stanza=${stanza}`, ...args];
    const { program, args: wrapped } = this.user.command(this.program, all);
    const env = { PATH: process.env.PATH, PGPASSWORD: this.password, LANG: 'C.UTF-8' };
    const { code, output } = await runCommand(program, wrapped, { env });
    if (code !== 0) throw new Error(`pgbackrest ${args.join(' ')} failed:\n${output}`);
    return output;
  }
}
