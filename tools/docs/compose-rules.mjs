// An app finishes its requests within STOP_TIMEOUT_MS and then closes its connections within this time.
const closeMs = 10_000;

const isOwnImage = (/** @type {string} */ image) => /^tollbridge-[a-z-]+$/.test(image);
// A full version, with a digest if `npm run images:pin` has resolved one.
const pinnedImage = /^[a-z][\w./-]*:\d+\.\d+(?:\.\d+)?(?:-[a-z0-9]+)+(?:@sha256:(?!0{64}$)[0-9a-f]{64})?$/;

/**
 * Rules for docker-compose.yml beyond its schema. No service runs as root, writes to its image, or runs without limits.
 * Images have a fixed version, and each image of this repository is built once.
 * @param {{ services: Record<string, any> }} compose with its variables replaced
 * @param {{ name: string, stopTimeoutMs: number }[]} apps
 * @returns {string[]} the violations
 */
export function composeFaults({ services }, apps) {
  const faults = Object.entries(services).flatMap(([name, service]) =>
    [
      ...userFaults(service),
      ...isolationFaults(service),
      ...limitFaults(service),
      ...imageFaults(service),
    ].map((fault) => `${name}: ${fault}`),
  );
  return [...faults, ...buildFaults(services), ...apps.flatMap((app) => stopFaults(app, services[app.name]))];
}

/** @param {any} service */
function userFaults({ user }) {
  const [, uid] = /^(\d+):\d+$/.exec(user ?? '') ?? [];
  return Number(uid) > 0 ? [] : ['needs a user other than root, by numbers'];
}

/** @param {any} service */
function isolationFaults(service) {
  const faults = [];
  if (service.read_only !== true) faults.push('must not write to its image: read_only');
  if (service.cap_drop?.join() !== 'ALL' || service.cap_add) faults.push('needs no capabilities: cap_drop');
  if (!service.security_opt?.includes('no-new-privileges:true'))
    faults.push('must not gain rights: security_opt');
  for (const key of ['privileged', 'network_mode', 'pid', 'ipc', 'userns_mode', 'devices', 'volumes_from'])
    if (key in service) faults.push(`must not share ${key} with the machine`);
  for (const volume of service.volumes ?? [])
    if (typeof volume !== 'string' || /^[/~]|docker\.sock/.test(volume))
      faults.push('mounts volumes and files of this repository only');
  return faults;
}

/** @param {any} service */
function limitFaults(service) {
  const limits = service.deploy?.resources?.limits ?? {};
  const missing = ['cpus', 'memory', 'pids'].filter((key) => !limits[key]);
  const faults = missing.map((key) => `has no limit of ${key}`);
  if (!service.logging?.options?.['max-size']) faults.push('has no limit of its log');
  if (!service.healthcheck && service.restart !== 'no') faults.push('has no health check');
  return faults;
}

/** @param {any} service */
function imageFaults({ image = '', build, pull_policy: policy }) {
  if (isOwnImage(image)) {
    return build || policy === 'never'
      ? []
      : ['would pull an image of ours: build it, or pull_policy: never'];
  }
  return build || !pinnedImage.test(image) ? [`needs an image of a fixed version, not ${image}`] : [];
}

/** @param {Record<string, any>} services */
function buildFaults(services) {
  /** @type {Map<string, string[]>} */
  const builders = new Map();
  for (const [name, { image, build }] of Object.entries(services)) {
    if (!isOwnImage(image ?? '')) continue;
    builders.set(image, [...(builders.get(image) ?? []), ...(build ? [name] : [])]);
  }
  return [...builders].flatMap(([image, names]) =>
    names.length === 1 ? [] : [`${image} is built by ${names.join(' and ') || 'no service'}`],
  );
}

/** @param {{ name: string, stopTimeoutMs: number }} app @param {any} service */
function stopFaults({ name, stopTimeoutMs }, { stop_grace_period: grace }) {
  const [, seconds] = /^(\d+)s$/.exec(grace ?? '') ?? [];
  const needed = (stopTimeoutMs + closeMs) / 1_000;
  return Number(seconds) >= needed ? [] : [`${name}: is killed before its requests are done: ${needed}s`];
}
