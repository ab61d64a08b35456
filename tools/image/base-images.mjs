/**
 * External images that this repository uses. A tag can later refer to other content, but a digest cannot.
 * @typedef {{ dockerfile: string, compose: string }} ImageFiles the content of deploy/Dockerfile and docker-compose.yml
 * @typedef {{ name: string, digest: string | undefined }} BaseImage with its exact tag
 */

/** Build arguments of the Dockerfile. `NODE_VERSION` and `NODE_DIGEST` belong to the image that uses both. */
const fromLine =
  /^FROM (?:--platform=\S+ )?([\w./-]+):\$\{([A-Z]+)_VERSION\}([\w.-]*)\$\{\2_DIGEST:\+@\$\{\2_DIGEST\}\} AS /gm;
const composeLine = /^( +image: )([\w./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?$/gm;

/** Images that the Dockerfile builds, so docker-compose.yml only refers to them. */
const isOwn = (/** @type {string} */ name) => name.startsWith('tollbridge-');

/** @param {ImageFiles} files @returns {BaseImage[]} without duplicates */
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

/** @param {string} dockerfile @param {string} name @returns {string} the default of the argument */
function argument(dockerfile, name) {
  const [, value] = new RegExp(`^ARG ${name}=(.*)$`, 'm').exec(dockerfile) ?? [];
  if (value === undefined) throw new Error(`deploy/Dockerfile has no ARG ${name}`);
  return value;
}

/**
 * Returns the files with their digests replaced.
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

/** True for a manifest digest. A digest of zeros is only a placeholder. @param {string | undefined} text */
export const isDigest = (text) => /^sha256:(?!0{64}$)[0-9a-f]{64}$/.test(text ?? '');
