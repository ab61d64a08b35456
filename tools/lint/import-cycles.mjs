import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import projects from '../local/projects.cjs';

/**
 * Returns the files that each file imports, among the given ones. Type-only imports and `import()` also count, because
 * a dependency on types should follow the same order.
 *
 * @param {readonly string[]} paths absolute paths
 * @returns {Map<string, string[]>}
 */
export function importGraph(paths) {
  const known = new Set(paths);
  const sources = new Map();
  const ofPackage = (/** @type {string} */ name) => {
    if (!sources.has(name)) sources.set(name, projects.sourceOf(name));
    return sources.get(name);
  };
  const resolved = (/** @type {string} */ from, /** @type {string} */ name) => {
    const target = name.startsWith('.') ? join(dirname(from), name) : ofPackage(name);
    return target && [target, `${target}.ts`, join(target, 'index.ts')].find((path) => known.has(path));
  };
  return new Map(
    paths.map((path) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
      const targets = importedFiles.map(({ fileName }) => resolved(path, fileName));
      return [path, [...new Set(targets.filter((target) => target !== undefined))]];
    }),
  );
}

/**
 * Returns the shortest import cycle of each file in a cycle. Files of an earlier result are skipped.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]} cycles that end with their first file
 */
export function importCycles(graph) {
  const seen = new Set();
  return [...graph.keys()].sort().flatMap((start) => {
    const cycle = seen.has(start) ? undefined : shortestCycle(graph, start);
    cycle?.forEach((path) => seen.add(path));
    return cycle ? [cycle] : [];
  });
}

/** @param {ReadonlyMap<string, readonly string[]>} graph @param {string} start */
function shortestCycle(graph, start) {
  const importers = new Map([[start, '']]);
  const queue = [start];
  for (let path = queue.shift(); path !== undefined; path = queue.shift())
    for (const target of graph.get(path) ?? []) {
      if (target === start) return [...chainTo(importers, path), start];
      if (importers.has(target)) continue;
      importers.set(target, path);
      queue.push(target);
    }
  return undefined;
}

/** @param {ReadonlyMap<string, string>} importers @param {string} last @returns {string[]} */
function chainTo(importers, last) {
  const importer = importers.get(last);
  return importer ? [...chainTo(importers, importer), last] : [last];
}
