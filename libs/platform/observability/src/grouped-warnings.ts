import type { Logger } from 'pino';

const windowMs = 1_000;
// A cause may contain text from a server. Further causes within a second share one line.
const maxCauses = 100;

interface Group {
  fields: object;
  message: string;
  count: number;
}

/**
 * Writes one line for all failures of one cause within a second, with their number. A broken connection fails
 * all requests in flight at once, and one line for each request would hide the cause.
 */
export class GroupedWarnings {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** @param fields of the failure; the line contains only those of the first */
  warn(cause: string, fields: object, message: string): void {
    const name = this.groups.size < maxCauses || this.groups.has(cause) ? cause : 'other';
    const group = this.groups.get(name);
    if (group) {
      group.count++;
      return;
    }
    this.groups.set(name, { fields, message, count: 1 });
    setTimeout(() => this.write(name), windowMs).unref();
  }

  private write(name: string): void {
    const { fields, message, count } = this.groups.get(name)!;
    this.groups.delete(name);
    this.logger.warn({ ...fields, count }, message);
  }
}
