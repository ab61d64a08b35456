import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationEnvironment } from '../local/apps.mjs';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { writeIdentities } from '../local/identities.mjs';
import { LocalSandbox } from '../local/local-sandbox.mjs';
import { Problem } from '../local/problem.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';
import { readPlatform } from './app-packages.mjs';
import { assembleImage } from './assemble.mjs';
import { PlainRoot, SealedRoot } from './sealed-root.mjs';

/** A sandbox that runs its apps and migrations from the content of their images, each in its own root file system. */
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

  /** Writes the content of each image. @returns {Promise<void>} */
  async assemble() {
    const platform = readPlatform();
    const write = (/** @type {string} */ app) =>
      assembleImage({ root: repository, app, output: this.contentOf(app), platform, links: true });
    await Promise.all(this.apps.map(write));
  }

  /** Runs each migration from the image of its app as the owner of the schema, in the same way as a Job. */
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

  /** Starts only the selected apps. */
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
        // Both values come from the sandbox app: the file with the demo key, and the contracts on local chains.
        delete env?.MERCHANT_SANDBOX_WORLD_FILE;
        Object.assign(env ?? {}, { PAYOUT_ONCHAIN: 'off' });
      }
      return this.commandOf(name, 'main', args.slice(0, -1), env);
    };
    return { ...plan, command };
  }

  /**
   * @param {string} app @param {'main' | 'migrate'} program @param {string[]} flags of Node.js
   * @param {Record<string, string>} env with paths on this machine
   */
  commandOf(app, program, flags, env) {
    const folder = this.options.directory.file('images', app, program);
    const root = new this.Root(folder, this.contentOf(app));
    const inside = Object.entries(env).map(([name, value]) => this.settingInside(root, name, value));
    return root.command([...flags, `apps/${app}/dist/${program}.js`], Object.fromEntries(inside));
  }

  /**
   * Returns the value of a setting inside the root. Paths are translated, and a secret becomes a file, as orchestrators
   * mount it.
   * @param {SealedRoot | PlainRoot} root @param {string} name @param {string} value
   */
  settingInside(root, name, value) {
    const isSecret = this.secrets.some(({ secret }) => value.includes(secret));
    if (isSecret) return [`${name}_FILE`, root.addText(name, value)];
    if (!value.startsWith(`${this.options.directory.path}/`)) return [name, value];
    return [name, name === 'TEE_KEY_FILE' ? root.dataFile('tee.key') : root.addFile(value)];
  }

  /** All secrets of the sandbox with their users. @returns {{ user: string, secret: string }[]} */
  get secrets() {
    const { postgres, nats, identities, keyPepper, redis } = this.options.passwords;
    const all = {
      ...prefixed('postgres', postgres),
      ...prefixed('nats', nats),
      ...prefixed('identity', identities),
    };
    const shared = { 'pepper merchant': keyPepper, 'redis gateway pay-orders': redis };
    return Object.entries({ ...all, ...shared }).map(([user, secret]) => ({ user, secret }));
  }

  /** The faults of an app that is ready but does not pass the check. @param {string} app @returns {string[]} */
  faultsOf(app) {
    const deaths = this.supervisor.children.get(app)?.deaths ?? 0;
    return [
      ...(deaths > 0 ? [`${app} ended ${deaths} times before it was ready`] : []),
      ...this.exposedSecrets(app),
    ];
  }

  /**
   * Finds secrets of other apps in the settings of a running app, and any secret in its environment. @param {string}
   * app
   */
  exposedSecrets(app) {
    const environment = readFileSync(`/proc/${this.supervisor.pids[app]}/environ`, 'utf8');
    const config = this.options.directory.file('images', app, 'main/config');
    const files = filesIn(config).map((path) => readFileSync(path, 'utf8'));
    const isOwn = (/** @type {string} */ user) => user.split(' ').slice(1).includes(app);
    return this.secrets.flatMap(({ user, secret }) => {
      const faults = [];
      if (environment.includes(secret)) faults.push(`the environment of ${app} holds a secret: ${user}`);
      if (files.some((text) => text.includes(secret)) && !isOwn(user))
        faults.push(`${app} can read a secret of others: ${user}`);
      return faults;
    });
  }
}

/** @param {string} kind @param {Record<string, string>} secrets by user or role */
const prefixed = (kind, secrets) =>
  Object.fromEntries(
    Object.entries(secrets).map(([user, secret]) => [`${kind} ${user.replaceAll('_', '-')}`, secret]),
  );
