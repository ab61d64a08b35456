import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationEnvironment } from '../local/apps.mjs';
import { repository } from '../local/directory.mjs';
import { writeIdentities } from '../local/identities.mjs';
import { LocalSandbox } from '../local/local-sandbox.mjs';
import { Problem } from '../local/problem.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { readPlatform } from './app-packages.mjs';
import { assembleImage } from './assemble.mjs';
import { PlainRoot, SealedRoot } from './sealed-root.mjs';

/** A sandbox whose apps and migrations run from the content of their images, each in a root file system of its own. */
export class ImageSandbox extends LocalSandbox {
  /**
   * @param {import('../local/local-sandbox.mjs').LocalSandboxOptions} options
   * @param {{ apps: string[], isSealed: boolean, print: (text: string) => void }} run
   */
  constructor(options, { apps, isSealed, print }) {
    super(options, print);
    this.apps = apps;
    this.Root = isSealed ? SealedRoot : PlainRoot;
  }

  /** @param {string} app */
  contentOf(app) {
    return this.options.directory.file('images', app, 'content');
  }

  /** Writes what each image holds. @returns {Promise<void>} */
  async assemble() {
    const platform = readPlatform();
    const write = (/** @type {string} */ app) =>
      assembleImage({ root: repository, app, output: this.contentOf(app), platform, links: true });
    await Promise.all(this.apps.map(write));
  }

  /** Each by the image of its app, under the role that owns the schema, as a job does it. */
  async migrate() {
    const migrated = this.apps.filter((app) =>
      existsSync(join(this.contentOf(app), 'apps', app, 'dist/migrate.js')),
    );
    await Promise.all(migrated.map((app) => this.migrateApp(app)));
    return migrated;
  }

  /** @param {string} app */
  async migrateApp(app) {
    const { program, args, env } = this.commandOf(
      app,
      'migrate',
      [],
      migrationEnvironment(this.options, app),
    );
    const { code, output } = await runCommand(program, args, { env });
    if (code !== 0)
      throw new Problem(`The migrations of ${app} failed; the last lines say why:`, {
        details: lastLines(output, 30),
      });
  }

  /** Apps that are not wanted are not started. */
  async startApps() {
    const { directory, passwords } = this.options;
    writeIdentities(directory.file('identities.json'), passwords.identities);
    for (const app of this.apps) this.supervisor.start(this.appPlan(app, [app]));
    await this.supervisor.untilReady(this.apps);
  }

  /** @param {string} name @param {string[]} apps */
  appPlan(name, apps) {
    const plan = super.appPlan(name, apps);
    const command = async () => {
      const { args, env } = await plan.command();
      if (!this.apps.includes('sandbox')) {
        // Both come from the sandbox app: the file with the demo key, and contracts on local chains.
        delete env?.MERCHANT_SANDBOX_WORLD_FILE;
        Object.assign(env ?? {}, { PAYOUT_ONCHAIN: 'off' });
      }
      return this.commandOf(name, 'main', args.slice(0, -1), env);
    };
    return { ...plan, command };
  }

  /**
   * @param {string} app @param {'main' | 'migrate'} program @param {string[]} flags of Node.js
   * @param {Record<string, string>} env with paths of this machine
   */
  commandOf(app, program, flags, env) {
    const folder = this.options.directory.file('images', app, program);
    const root = new this.Root(folder, this.contentOf(app));
    const inside = Object.entries(env).map(([name, value]) => [name, this.pathInside(root, name, value)]);
    return root.command([...flags, `apps/${app}/dist/${program}.js`], Object.fromEntries(inside));
  }

  /** @param {SealedRoot | PlainRoot} root @param {string} name @param {string} value */
  pathInside(root, name, value) {
    if (!value.startsWith(`${this.options.directory.path}/`)) return value;
    return name === 'TEE_KEY_FILE' ? root.dataFile('tee.key') : root.addFile(value);
  }

  /** Why an app that turned ready does not pass. @param {string} app @returns {string[]} */
  faultsOf(app) {
    const deaths = this.supervisor.children.get(app)?.deaths ?? 0;
    return [
      ...(deaths > 0 ? [`${app} ended ${deaths} times before it was ready`] : []),
      ...this.foreignSecrets(app),
    ];
  }

  /** Passwords of others in the environment of a running app; there must be none. @param {string} app */
  foreignSecrets(app) {
    const environment = readFileSync(`/proc/${this.supervisor.pids[app]}/environ`, 'utf8');
    const { postgres, nats, identities } = this.options.passwords;
    const own = [app, app.replaceAll('-', '_')];
    return [postgres, nats, identities].flatMap((secrets) =>
      Object.entries(secrets).flatMap(([user, secret]) =>
        !own.includes(user) && environment.includes(secret) ? [`${app} holds a secret of ${user}`] : [],
      ),
    );
  }
}
