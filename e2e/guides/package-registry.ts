import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { repository } from '../harness';

/**
 * A registry of the packages in this checkout. The `npm install` of a guide thus works as written, without a network,
 * and with the versions of all other tests.
 */
export class PackageRegistry {
  private constructor(
    private readonly server: Server,
    private readonly folders: ReadonlyMap<string, string[]>,
  ) {}

  static async start(): Promise<PackageRegistry> {
    const server = createServer();
    const registry = new PackageRegistry(server, installedFolders());
    server.on('request', ({ url = '' }, response) => void registry.answer(url, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(url.slice(1));
    if (path.startsWith('-/tarball/')) return sendTarball(path.slice('-/tarball/'.length), response);
    const document = this.describe(path);
    if (!document) return void response.writeHead(404).end('{}');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document));
  }

  private describe(name: string): unknown {
    const folders = this.folders.get(name);
    return folders ? this.describeInstalled(name, folders) : this.describeOptionalPeer(name);
  }

  /** The first folder is the one that the repository itself uses. */
  private describeInstalled(name: string, folders: string[]): unknown {
    const manifests = folders.map((folder) => ({ folder, manifest: readManifest(folder) }));
    // `overrides` of the repository replace versions in package manifests: a reader's npm requests the original
    // versions.
    const replaced = this.ranges('dependencies', name)
      .filter((range) => isVersion.test(range))
      .map((version) => ({ ...manifests[0]!, manifest: { ...manifests[0]!.manifest, version } }));
    const versions = [...replaced, ...manifests].map(({ folder, manifest }) => {
      const dist = { tarball: `${this.url}/-/tarball/${encodeURIComponent(folder)}` };
      return [manifest.version, { ...manifest, dist }] as const;
    });
    // Several folders may contain the same version.
    return {
      name,
      'dist-tags': { latest: manifests[0]!.manifest.version },
      versions: Object.fromEntries(versions),
    };
  }

  /** The ranges of a package in the manifests of all installed packages. */
  private ranges(kind: 'dependencies' | 'peerDependencies', name: string): string[] {
    return [...this.folders.values()].flat().flatMap((folder) => readManifest(folder)[kind]?.[name] ?? []);
  }

  /**
   * npm also requests optional peers, though it does not install them. The registry returns versions without content.
   */
  private describeOptionalPeer(name: string): unknown {
    const versions = this.ranges('peerDependencies', name).map(lowestVersion);
    if (versions.length === 0) return undefined;
    const dist = { tarball: `${this.url}/not-installed` };
    const entries = versions.map((version) => [version, { name, version, dist }] as const);
    return { name, 'dist-tags': { latest: versions[0] }, versions: Object.fromEntries(entries) };
  }
}

const isVersion = /^\d+\.\d+\.\d+$/;

/** Folders of all versions by package name, relative to the repository. */
function installedFolders(): Map<string, string[]> {
  const list = join(repository, 'node_modules/.package-lock.json');
  const { packages } = JSON.parse(readFileSync(list, 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  const folders = new Map<string, string[]>();
  const paths = Object.keys(packages).filter(
    (path) => path.startsWith('node_modules/') && !packages[path]!.link,
  );
  for (const path of paths.sort((one, other) => one.length - other.length)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (existsSync(join(repository, path, 'package.json')))
      folders.set(name, [...(folders.get(name) ?? []), path]);
  }
  return folders;
}

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const manifests = new Map<string, Manifest>();

function readManifest(folder: string): Manifest {
  const known = manifests.get(folder);
  if (known) return known;
  const {
    scripts: _scripts,
    devDependencies: _development,
    ...manifest
  } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest & {
    scripts?: unknown;
    devDependencies?: unknown;
  };
  manifests.set(folder, manifest);
  return manifest;
}

async function sendTarball(folder: string, response: ServerResponse): Promise<void> {
  const names = ['--exclude=./node_modules', '--transform=s,^\\.,package,'];
  const args = ['-cz', ...names, '-C', join(repository, folder), '.'];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.stdout.pipe(response);
  await once(tar, 'exit');
}

/** `^11.0.0` begins with 11.0.0, `>=5` with 5.0.0. */
function lowestVersion(range: string): string {
  const [version = '0'] = /\d+(\.\d+){0,2}/.exec(range) ?? [];
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.');
}
