import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { repository } from '../world';

/**
 * A registry of the packages that are installed in this checkout: `npm install` of a guide works as it is written,
 * without a network, and with the versions that the rest is tested with.
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
    const folders = this.folders.get(path);
    if (!folders) return void response.writeHead(404).end('{}');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.describe(path, folders)));
  }

  /** The first folder is the one that the repository itself uses. */
  private describe(name: string, folders: string[]): unknown {
    const manifests = folders.map((folder) => ({ folder, manifest: readManifest(folder) }));
    const versions = manifests.map(({ folder, manifest }) => {
      const dist = { tarball: `${this.url}/-/tarball/${encodeURIComponent(folder)}` };
      return [manifest.version, { ...manifest, dist }] as const;
    });
    // The same version may lie in several folders.
    return {
      name,
      'dist-tags': { latest: manifests[0]!.manifest.version },
      versions: Object.fromEntries(versions),
    };
  }
}

/** By name, the folders of all versions, relative to the repository. */
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

function readManifest(folder: string): { version: string } {
  const {
    scripts: _scripts,
    devDependencies: _development,
    ...manifest
  } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as {
    version: string;
    scripts?: unknown;
    devDependencies?: unknown;
  };
  return manifest;
}

async function sendTarball(folder: string, response: ServerResponse): Promise<void> {
  const names = ['--exclude=./node_modules', '--transform=s,^\\.,package,'];
  const args = ['-cz', ...names, '-C', join(repository, folder), '.'];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.stdout.pipe(response);
  await once(tar, 'exit');
}
