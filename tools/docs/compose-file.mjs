import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from './product.mjs';

export const composePath = join(repository, 'docker-compose.yml');

/** Reads docker-compose.yml, both unchanged and with its variables replaced in the same way as Docker Compose. */
export function readCompose(variables = {}) {
  const text = readFileSync(composePath, 'utf8');
  const file = parse(text, { merge: true });
  return { text, file, filled: mapStrings(file, (value) => interpolate(value, variables)) };
}

/** Follows the rules of Compose: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`, and `$$` for a dollar sign. */
export function interpolate(text, variables) {
  return text.replace(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (whole, name, operator, rest) => {
    if (whole === '$$') return '$';
    if (variables[name]) return variables[name];
    if (operator === '-') return rest;
    throw new Error(`${name} is not set${operator === '?' ? `: ${rest}` : ''}`);
  });
}

function mapStrings(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapStrings(item, change)]));
}
