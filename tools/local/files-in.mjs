import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// Output and caches of tools.
const ignored = new Set(['node_modules', 'dist', '.forge', 'coverage']);

/** Returns all files below a folder, except generated ones. @param {string} folder @returns {string[]} */
export function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !ignored.has(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
