// Runs @modelcontextprotocol/conformance on Node.js 20: its commands for maintainers import a function of Node.js 22.
import { register } from 'node:module';

const fs = 'data:text/javascript,export * from "node:fs"; export const globSync = () => [];';
const hooks = `export async function resolve(specifier, context, next) {
  const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  if (specifier === 'fs' && isSuite) return { url: ${JSON.stringify(fs)}, shortCircuit: true };
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
