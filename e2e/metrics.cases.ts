import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@tollbridge/testing';
import { repository, type Harness } from './harness';

/** Name and labels of every metric that an alert or a dashboard reads. */
const used = JSON.parse(
  readFileSync(join(repository, 'deploy/observability/metrics.json'), 'utf8'),
) as Record<string, string[]>;

/** Present only during an operation: two values of a pepper, a run of the pruning job. */
const onlyDuring = ['tollbridge_secrets_on_former_pepper', 'tollbridge_retention_oldest_due_seconds'];

interface Exposed {
  /** Metrics with their type; the series of a histogram with their own names. */
  families: Set<string>;
  /** Label names of each series name. */
  series: Map<string, Set<string>>;
}

async function scrape(urls: readonly string[]): Promise<Exposed> {
  const exposed: Exposed = { families: new Set(), series: new Map() };
  for (const url of urls) read(await (await fetch(`${url}/metrics`)).text(), exposed);
  return exposed;
}

function read(text: string, { families, series }: Exposed): void {
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) families.add(name! + end);
  for (const [, name, labels] of text.matchAll(/^(\w+)\{([^\n]*)\} \S+$/gm)) {
    const known = series.get(name!) ?? new Set();
    for (const [, label] of labels!.matchAll(/(\w+)="/g)) known.add(label!);
    series.set(name!, known);
  }
}

/** Compares alerts and dashboards with all apps of a running deployment. */
export function metricsCases(harness: () => Harness): void {
  test('every metric of an alert or a dashboard exists, with the labels that it uses', async () => {
    const { management } = harness().state.urls;
    const apps = Object.keys(management).filter((app) => app !== 'sandbox');
    expect(apps.length).toBeGreaterThan(7);
    const urls = apps.map((app) => management[app]!);
    await eventually(
      async () => {
        const { families, series } = await scrape(urls);
        const missing = Object.keys(used).filter((name) => !families.has(name));
        // A histogram has no series before its first observation.
        const silent = Object.keys(used).filter(
          (name) => !series.has(name) && !/_(bucket|sum|count)$/.test(name) && !onlyDuring.includes(name),
        );
        const unlabelled = Object.entries(used).flatMap(([name, labels]) =>
          labels
            .filter((label) => series.has(name) && !series.get(name)!.has(label))
            .map((label) => `${name}{${label}}`),
        );
        expect({ missing, silent, unlabelled }).toEqual({ missing: [], silent: [], unlabelled: [] });
      },
      { everyMs: 1_000 },
    );
  });

  test('a scraper that accepts OpenMetrics receives exemplars with a trace id', async () => {
    const { gateway } = harness().state.urls.management;
    const headers = { accept: 'application/openmetrics-text;version=1.0.0' };
    const text = await (await fetch(`${gateway}/metrics`, { headers })).text();
    expect(text).toMatch(/http_server_request_duration_seconds_bucket\{.*# \{trace_id="[0-9a-f]{32}"\}/);
  });
}
