import { dirname } from 'node:path';
import ts from 'typescript';

/** @type {Map<string, ts.Program>} */
const programs = new Map();
const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic({ messageText }) {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};
const isTest = /\.spec\.ts$|[\\/](?:testing|e2e)[\\/]/;

/** The program of the nearest tsconfig.json, without tests. It is read for the first expression that needs it. */
function programOf(file) {
  const config = ts.findConfigFile(dirname(file), ts.sys.fileExists);
  if (config === undefined) throw new Error(`No tsconfig.json above ${file}`);
  let program = programs.get(config);
  if (program === undefined) {
    const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(config, {}, host);
    const rootNames = fileNames.filter((name) => !isTest.test(name));
    program = ts.createProgram({ rootNames, options: { ...options, noEmit: true } });
    programs.set(config, program);
  }
  return program;
}

/**
 * The type of an expression. The linter has no types for its JavaScript plugins, and few expressions need one.
 * @param {string} file absolute path of a source that its tsconfig.json includes
 * @param {[number, number]} range start and end of the expression, in UTF-16 code units
 * @returns {ts.Type}
 */
export function expressionType(file, [start, end]) {
  const program = programOf(file);
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} is not in the program of its tsconfig.json`);
  const find = (node) => {
    if (node.getStart(source) === start && node.end === end) return node;
    return ts.forEachChild(node, (child) =>
      child.pos <= start && child.end >= end ? find(child) : undefined,
    );
  };
  const node = find(source);
  if (node === undefined) throw new Error(`${file} has changed since it was read`);
  return program.getTypeChecker().getTypeAtLocation(node);
}
