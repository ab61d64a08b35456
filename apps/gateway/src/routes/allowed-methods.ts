interface Route {
  segments: readonly string[];
  methods: Set<string>;
}

/** The methods that each path allows, to distinguish 405 (another method) from 404 (no route). */
export class AllowedMethods {
  private readonly routes = new Map<string, Route>();

  /** @param pattern in the syntax of the router: `/order/:id`, `/logos/*` */
  add(pattern: string, methods: string | readonly string[]): void {
    const route = this.routes.get(pattern) ?? { segments: segmentsOf(pattern), methods: new Set() };
    for (const method of [methods].flat()) route.methods.add(method);
    this.routes.set(pattern, route);
  }

  /** Empty for a path without a route. */
  methodsOf(path: string): string[] {
    const given = segmentsOf(path);
    const methods = new Set<string>();
    for (const { segments, methods: own } of this.routes.values()) {
      if (matches(segments, given)) for (const method of own) methods.add(method);
    }
    return [...methods].sort();
  }
}

function segmentsOf(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.split('/');
}

function matches(pattern: readonly string[], given: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  const { length } = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? given.length <= length : given.length !== length) return false;
  for (let at = 0; at < length; at++) {
    const wanted = pattern[at]!;
    if (wanted.startsWith(':') ? given[at] === '' : given[at] !== wanted) return false;
  }
  return true;
}
