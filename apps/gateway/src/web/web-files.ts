import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The build of `apps/web`, relative to the sources and to the compiled files of this folder. */
const builtFiles = join(__dirname, '../../../web/dist');

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
};

export type WebEntry = 'checkout' | 'load' | 'dashboard' | 'pages' | 'site' | 'guides' | 'reference';

// Files that the gateway reads but does not serve.
const readHere = ['manifest.json', 'guides.json'];

/** A file of a build, with the encodings that the build has created. */
export interface WebFile {
  type: string;
  body: Buffer;
  brotli?: Buffer;
  gzip?: Buffer;
}

interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/** The files of `apps/web`, read once. Their names contain a hash of their content. */
@Injectable()
export class WebFiles {
  private readonly manifest: Readonly<Record<string, Chunk>>;
  private readonly files = new Map<string, WebFile>();

  constructor(private readonly folder = builtFiles) {
    const manifest = join(folder, 'manifest.json');
    if (!existsSync(manifest)) throw new Error(`${manifest} is missing. Build apps/web: npm run build`);
    this.manifest = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>;
    for (const name of readdirSync(folder)) {
      const type = types[extname(name)];
      if (type && !readHere.includes(name)) this.files.set(name, readFile(join(folder, name), type));
    }
  }

  /** @param name for example `checkout-B-k3Fjhu.js` */
  find(name: string): WebFile | undefined {
    return this.files.get(name);
  }

  /** The URL paths of an entry: its own file, the modules that it imports immediately, and its style sheets. */
  entry(name: WebEntry): { file: string; imports: string[]; styles: string[] } {
    const entry = Object.values(this.manifest).find((chunk) => chunk.isEntry && chunk.name === name);
    if (!entry) throw new Error(`apps/web has no entry ${name}`);
    const needed = this.withImports(entry);
    const styles = needed.flatMap(({ css = [] }) => css);
    return {
      file: urlOf(entry.file),
      imports: needed.slice(1).map(({ file }) => urlOf(file)),
      styles: [...new Set(styles)].map(urlOf),
    };
  }

  /** The content of a file that the gateway reads itself. */
  readJson<T>(name: string): T {
    return JSON.parse(readFileSync(this.path(name), 'utf8')) as T;
  }

  /** The path of a file that the gateway reads itself. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** The text of the style sheet that pages contain inline. */
  pageStyle(): string {
    const { file } = this.entry('pages');
    return this.find(file.slice(urlOf('').length))!.body.toString();
  }

  private withImports(entry: Chunk): Chunk[] {
    const found = new Set<Chunk>([entry]);
    for (const { imports = [] } of found) for (const name of imports) found.add(this.manifest[name]!);
    return [...found];
  }
}

const urlOf = (file: string) => `/assets/${file}`;

function readFile(path: string, type: string): WebFile {
  const [brotli, gzip] = ['br', 'gz'].map((ending) => {
    const compressed = `${path}.${ending}`;
    return existsSync(compressed) ? readFileSync(compressed) : undefined;
  });
  return { type, body: readFileSync(path), ...(brotli && { brotli }), ...(gzip && { gzip }) };
}
