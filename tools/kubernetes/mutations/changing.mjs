// Helpers for mutations, which access the documents of a rendered overlay.

/** @param {any} workload */
export const container = (workload) => workload.spec.template.spec.containers[0];
/** @param {any} workload */
export const podOf = (workload) => workload.spec.template.spec;

/** @param {any[]} documents @param {string} kind @param {string} name */
export function remove(documents, kind, name) {
  const index = documents.findIndex((document) => document.kind === kind && document.metadata.name === name);
  if (index < 0) throw new Error(`there is no ${kind} ${name}`);
  documents.splice(index, 1);
}

/** @param {any[]} documents @param {string} app the app of the ConfigMap, which has a name with a hash at the end */
export function settingsOf(documents, app) {
  const found = documents.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(`${app}-settings-`),
  );
  return found.data;
}
