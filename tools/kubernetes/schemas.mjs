// Validates documents against the schemas of Kubernetes and of the custom resources in use.

// Custom resources have their own packages.
/** @type {Record<string, string>} by API group */
const packages = {
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/**
 * Returns invalid fields in documents. A field that the schema does not contain is also reported, because the API
 * server would drop it.
 * @param {any[]} documents
 * @returns {Promise<string[]>}
 */
export async function schemaProblems(documents) {
  const problems = await Promise.all(documents.map(validated));
  return problems.flat();
}

/** @type {Map<string, Promise<string[]>>} by the content of the document */
const results = new Map();

/** Validates each content once, because reading every field through a proxy is slow. @param {any} document */
function validated(document) {
  const content = JSON.stringify(document);
  const known = results.get(content) ?? validationProblems(document);
  results.set(content, known);
  return known;
}

/** @param {any} document @returns {Promise<string[]>} */
async function validationProblems(document) {
  const { apiVersion, kind } = document;
  const name = `${kind}/${document.metadata?.name}`;
  const model = await modelOf(apiVersion, kind);
  if (!model) return [`${name}: there is no schema for ${apiVersion} ${kind}`];
  /** @type {Map<string, Set<string>>} */
  const known = new Map();
  try {
    model.prototype.validate.call(recorded(document, '', known));
  } catch (error) {
    return [`${name}: ${/** @type {Error} */ (error).message}`];
  }
  return unknownFields(document, '', known).map((path) => `${name}: unknown field ${path}`);
}

/** @param {string} apiVersion @param {string} kind */
async function modelOf(apiVersion, kind) {
  const source = packages[apiVersion.split('/')[0]] ?? 'kubernetes-models';
  try {
    return (await import(`${source}/${apiVersion}/${kind}`))[kind];
  } catch (error) {
    if (/** @type {any} */ (error).code?.startsWith('ERR_')) return undefined;
    throw error;
  }
}

/**
 * Records which fields are read. The compiled schemas ignore unknown fields, so validation never reads these.
 * @param {any} value @param {string} path @param {Map<string, Set<string>>} known
 */
function recorded(value, path, known) {
  if (typeof value !== 'object' || value === null) return value;
  const read = known.get(path) ?? new Set();
  known.set(path, read);
  return new Proxy(value, {
    get(target, key) {
      const item = Reflect.get(target, key);
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return item;
      read.add(key);
      return recorded(item, `${path}/${key}`, known);
    },
  });
}

/** @param {any} value @param {string} path @param {Map<string, Set<string>>} known @returns {string[]} */
function unknownFields(value, path, known) {
  if (typeof value !== 'object' || value === null) return [];
  const read = known.get(path);
  // No schema describes this part, for example the values of an arbitrary map.
  if (!read) return [];
  return Object.keys(value).flatMap((key) =>
    read.has(key) ? unknownFields(value[key], `${path}/${key}`, known) : [`${path}/${key}`],
  );
}
