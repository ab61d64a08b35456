// Compares two versions of a JSON schema, from the side of its reader or of its writer.

/**
 * A difference. A breaking difference fails the check unless it is declared.
 * @typedef {{ rule: string, at: string, text: string, isBreaking: boolean }} Finding
 *
 * `in`: clients write the data and this product reads it. The new schema must accept everything that the old one
 * accepted.
 * `out`: this product writes the data. The new schema may allow only what the old one allowed.
 * @typedef {'in' | 'out'} Direction
 *
 * @typedef {object} Comparison
 * @property {any} before the old document
 * @property {any} after the new document
 * @property {Finding[]} findings
 * @property {boolean} [hasClosedEnums] readers of `out` schemas reject values that they do not know
 * @property {Set<string>} [seen] pairs of references that were already compared, because schemas can be recursive
 */

/**
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
export function compareSchemas(comparison, before, after, place) {
  const [oldName, newName] = [nameOf(before), nameOf(after)];
  const { seen = new Set() } = comparison;
  comparison.seen = seen;
  if (oldName && newName) {
    const pair = `${place.direction} ${oldName} ${newName}`;
    if (seen.has(pair)) return;
    seen.add(pair);
  }
  const one = resolve(comparison.before, before);
  const other = resolve(comparison.after, after);
  if (isUnion(one) || isUnion(other)) return compareUnions(comparison, one, other, place);
  compareTypes(comparison, one, other, place);
  compareEnums(comparison, one, other, place);
  compareBounds(comparison, one, other, place);
  compareFields(comparison, one, other, place);
  if (one.items || other.items)
    compareSchemas(comparison, one.items ?? {}, other.items ?? {}, below(place, '[]'));
}

/** The reference of a schema that consists only of a reference. @param {any} schema @returns {string | undefined} */
const nameOf = (schema) => schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0].$ref : undefined);

/**
 * @param {Comparison} comparison
 * @param {string} rule
 * @param {string} at
 * @param {string} text
 * @param {boolean} [isBreaking]
 */
export function report({ findings }, rule, at, text, isBreaking = true) {
  findings.push({ rule, at, text, isBreaking });
}

/** @param {{ direction: Direction, at: string }} place @param {string} name */
const below = ({ direction, at }, name) => ({ direction, at: `${at}${name === '[]' ? '' : '.'}${name}` });

/** The schema behind a reference, with its `allOf` merged. @param {any} document @param {any} schema @returns {any} */
export function resolve(document, schema = {}) {
  if (schema === true) return {};
  if (schema.$ref) {
    const parts = schema.$ref.replace(/^#\//, '').split('/').map(unescape);
    const found = parts.reduce(
      (/** @type {any} */ value, /** @type {string} */ part) => value?.[part],
      document,
    );
    if (!found) throw new Error(`no schema ${schema.$ref}`);
    const beside = { ...schema };
    delete beside.$ref;
    return { ...resolve(document, found), ...beside };
  }
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  return merge([own, ...allOf.map((/** @type {any} */ part) => resolve(document, part))]);
}

/** @param {string} part of a JSON pointer */
const unescape = (part) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** @param {any[]} schemas */
function merge(schemas) {
  const merged = Object.assign({}, ...schemas);
  const required = schemas.flatMap((schema) => schema.required ?? []);
  if (schemas.some((schema) => schema.properties))
    merged.properties = Object.assign({}, ...schemas.map((schema) => schema.properties));
  if (required.length > 0) merged.required = [...new Set(required)];
  return merged;
}

/** @param {any} schema */
const isUnion = (schema) => Boolean(schema.oneOf ?? schema.anyOf);

/** @param {any} schema @returns {any[]} */
function alternatives(schema) {
  const shared = { ...schema };
  for (const name of ['oneOf', 'anyOf', 'discriminator', 'description', 'examples']) delete shared[name];
  return (schema.oneOf ?? schema.anyOf)?.map((/** @type {any} */ one) => ({ ...shared, ...one })) ?? [schema];
}

/**
 * Each alternative that the writer may use must be accepted by the reader.
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareUnions(comparison, before, after, place) {
  const [olds, news] = [alternatives(before), alternatives(after)];
  const written = place.direction === 'in' ? olds : news;
  const read = place.direction === 'in' ? news : olds;
  written.forEach((alternative, index) => {
    const attempts = read.map((candidate) => {
      const attempt = {
        ...comparison,
        findings: /** @type {Finding[]} */ ([]),
        seen: new Set(comparison.seen),
      };
      const [one, other] = place.direction === 'in' ? [alternative, candidate] : [candidate, alternative];
      compareSchemas(attempt, one, other, { ...place, at: `${place.at}<${index}>` });
      return attempt.findings;
    });
    const [best = []] = attempts.sort((a, b) => breaks(a) - breaks(b) || a.length - b.length);
    comparison.findings.push(...best);
  });
}

/** @param {Finding[]} findings */
const breaks = (findings) => findings.filter(({ isBreaking }) => isBreaking).length;

/** @param {any} schema @returns {string[] | undefined} */
function typesOf(schema) {
  if (schema.type === undefined) return undefined;
  return [schema.type].flat();
}

/**
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareTypes(comparison, before, after, { direction, at }) {
  const [olds, news] = [typesOf(before), typesOf(after)];
  const [written, read] = direction === 'in' ? [olds, news] : [news, olds];
  if (read === undefined) return;
  const foreign = (written ?? ['any']).filter(
    (type) => !read.includes(type) && !(type === 'integer' && read.includes('number')),
  );
  if (foreign.length === 0) return;
  report(comparison, `${direction}-type`, at, `type ${olds ?? 'any'} became ${news ?? 'any'}`);
}

/** @param {any} schema @returns {unknown[] | undefined} */
const valuesOf = (schema) => ('const' in schema ? [schema.const] : schema.enum);

/**
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareEnums(comparison, before, after, { direction, at }) {
  const [olds, news] = [valuesOf(before), valuesOf(after)];
  if (direction === 'in') {
    if (!news) return;
    if (!olds) return report(comparison, 'in-enum', at, `is limited to ${news.join(', ')}`);
    const removed = olds.filter((value) => !news.includes(value));
    if (removed.length > 0) report(comparison, 'in-enum', at, `no longer accepts ${removed.join(', ')}`);
    return;
  }
  if (!olds) return;
  if (!news) return report(comparison, 'out-enum', at, 'is no longer limited to known values');
  const added = news.filter((value) => !olds.includes(value));
  const isClosed = comparison.hasClosedEnums ?? false;
  if (added.length > 0) report(comparison, 'out-enum', at, `may be ${added.join(', ')}`, isClosed);
}

const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const exact = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentMediaType'];

/**
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareBounds(comparison, before, after, { direction, at }) {
  const isIn = direction === 'in';
  for (const [names, sign] of /** @type {const} */ ([
    [lower, 1],
    [upper, -1],
  ]))
    for (const name of names) {
      const [old, next] = [before[name], after[name]].map((bound) => (bound ?? -Infinity * sign) * sign);
      if (old === next || (isIn ? next < old : next > old)) continue;
      // Clients rarely verify bounds of the data that they receive. A wider bound is still reported, because a column
      // of a client may be too short.
      report(
        comparison,
        `${direction}-bound`,
        at,
        `${name} ${before[name] ?? 'none'} became ${after[name] ?? 'none'}`,
        isIn,
      );
    }
  for (const name of exact) {
    if (before[name] === after[name] || (isIn ? after[name] : before[name]) === undefined) continue;
    const isBreaking = isIn || name === 'format';
    report(
      comparison,
      `${direction}-${name}`,
      at,
      `${name} ${before[name] ?? 'none'} became ${after[name] ?? 'none'}`,
      isBreaking,
    );
  }
  if (isIn && JSON.stringify(before.default) !== JSON.stringify(after.default))
    report(comparison, 'in-default', at, `default ${before.default} became ${after.default}`);
}

/**
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareFields(comparison, before, after, place) {
  const { direction, at } = place;
  const [olds, news] = [before.properties ?? {}, after.properties ?? {}];
  const [wasRequired, isRequired] = [new Set(before.required), new Set(after.required)];
  for (const name of Object.keys(olds)) {
    const field = below(place, name).at;
    if (!(name in news)) {
      // An open object still accepts the field.
      if (direction === 'out' || after.additionalProperties === false)
        report(comparison, `${direction}-field-removed`, field, 'the field was removed');
      continue;
    }
    if (direction === 'out' && wasRequired.has(name) && !isRequired.has(name))
      report(comparison, 'out-field-optional', field, 'the field may be absent');
    compareSchemas(comparison, olds[name], news[name], below(place, name));
  }
  if (direction === 'in')
    for (const name of isRequired)
      if (!wasRequired.has(name))
        report(comparison, 'in-field-required', below(place, name).at, 'the field is required');
  compareOpenness(comparison, before, after, place);
  if (
    direction === 'in' &&
    before.additionalProperties !== false &&
    after.additionalProperties === false &&
    before.type === 'object'
  )
    report(comparison, 'in-closed', at, 'other fields are no longer accepted');
}

/**
 * Compares objects with arbitrary property names.
 * @param {Comparison} comparison
 * @param {any} before
 * @param {any} after
 * @param {{ direction: Direction, at: string }} place
 */
function compareOpenness(comparison, before, after, place) {
  for (const name of ['additionalProperties', 'propertyNames']) {
    const [old, next] = [before[name], after[name]];
    if (typeof old !== 'object' && typeof next !== 'object') continue;
    if (typeof next === 'boolean' || typeof old === 'boolean') continue;
    compareSchemas(comparison, old ?? {}, next ?? {}, below(place, '*'));
  }
}
