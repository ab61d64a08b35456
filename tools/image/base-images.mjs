/**
 * Images of others that this repository builds on. A tag can be moved to other content, a digest cannot.
 * @typedef {{ dockerfile: string, compose: string }} ImageFiles texts of deploy/Dockerfile and docker-compose.yml
 * @typedef {{ name: string, digest: string | undefined }} BaseImage with its exact tag
 */

/** Arguments of the Dockerfile: `NODE_VERSION` and `NODE_DIGEST` belong to the image that uses both. */
const fromLine =
  /^FROM (?:--platform=\S+ )?([\w./-]+):\$\{([A-Z]+)_VERSION\}([\w.-]*)\$\{\2_DIGEST:\+@\$\{\2_DIGEST\}\} AS /gm;
const composeLine = /^( +image: )([\w./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?$/gm;

/** Images that docker-compose.yml only names, because the Dockerfile builds them. */
const isOwn = (/** @type {string} */ name) => name.startsWith('tollbridge-');

/** @param {ImageFiles} files @returns {BaseImage[]} each once */
export function baseImages({ dockerfile, compose }) {
  const built = [...dockerfile.matchAll(fromLine)].map(([, name, prefix, suffix]) => ({
    name: `${name}:${argument(dockerfile, `${prefix}_VERSION`)}${suffix}`,
    digest: argument(dockerfile, `${prefix}_DIGEST`) || undefined,
  }));
  const named = [...compose.matchAll(composeLine)].flatMap(([, , name, digest]) =>
    isOwn(name) ? [] : [{ name, digest }],
  );
  return [...new Map([...built, ...named].map((image) => [image.name, image])).values()];
}

/** @param {string} dockerfile @param {string} name @returns {string} its default */
function argument(dockerfile, name) {
  const [, value] = new RegExp(`^ARG ${name}=(.*)$`, 'm').exec(dockerfile) ?? [];
  if (value === undefined) throw new Error(`deploy/Dockerfile has no ARG ${name}`);
  return value;
}

/**
 * The files with these digests in place of those that they have.
 * @param {ImageFiles} files @param {Map<string, string>} digests by name
 * @returns {ImageFiles}
 */
export function withDigests({ dockerfile, compose }, digests) {
  let pinned = dockerfile;
  for (const [, name, prefix, suffix] of dockerfile.matchAll(fromLine)) {
    const digest = digests.get(`${name}:${argument(dockerfile, `${prefix}_VERSION`)}${suffix}`);
    if (digest)
      pinned = pinned.replace(new RegExp(`^ARG ${prefix}_DIGEST=.*$`, 'm'), `ARG ${prefix}_DIGEST=${digest}`);
  }
  const withNames = compose.replace(composeLine, (line, start, name) => {
    const digest = digests.get(name);
    return digest ? `${start}${name}@${digest}` : line;
  });
  return { dockerfile: pinned, compose: withNames };
}

/** A digest of a manifest; one of zeros only holds its place. @param {string | undefined} text */
export const isDigest = (text) => /^sha256:(?!0{64}$)[0-9a-f]{64}$/.test(text ?? '');
