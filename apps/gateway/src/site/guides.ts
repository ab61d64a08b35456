import { Injectable } from '@nestjs/common';
import { commandWord } from '@tollbridge/contracts';
import MiniSearch from 'minisearch';
import type { GatewayRoute } from '../routes/gateway-route';
import { RouteTable } from '../routes/route-table';
import { WebFiles } from '../web/web-files';

export interface Guide {
  slug: string;
  /** The purpose that several guides share, for example `Take payments`. */
  group: string;
  title: string;
  summary: string;
  /** Rendered from this repository's Markdown when `apps/web` was built. */
  html: string;
  /** The Markdown source of the page. */
  markdown: string;
  sections: readonly { id: string; title: string; text: string }[];
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

/** A section of a guide, or an operation of the API, that matches a search. */
export interface Match {
  /** Its path on this server. */
  path: string;
  /** The title of the guide, or `API reference`. */
  guide: string;
  title: string;
  /** About 200 characters of its text, around the first matching word. */
  excerpt: string;
}

export const mostMatches = 20;
const excerptChars = 200;

/** The guides, and a search in their sections and in the operations of the API. */
@Injectable()
export class Guides {
  readonly all: readonly Guide[];
  /** Guides by purpose, in the order of `all`. */
  readonly groups: readonly GuideGroup[];
  private readonly bySlug: ReadonlyMap<string, Guide>;
  private readonly index = new MiniSearch({
    fields: ['title', 'guide', 'text'],
    storeFields: ['title', 'guide', 'text'],
    searchOptions: { boost: { title: 3, guide: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });

  constructor(files: WebFiles, table: RouteTable) {
    this.all = files.readJson<Guide[]>('guides.json');
    const titles = [...new Set(this.all.map(({ group }) => group))];
    this.groups = titles.map((title) => ({ title, guides: this.all.filter(({ group }) => group === title) }));
    this.bySlug = new Map(this.all.map((guide) => [guide.slug, guide]));
    const sections = this.all.flatMap(({ slug, title: guide, sections }) =>
      sections.map(({ id, title, text }) => ({ id: `/guides/${slug}#${id}`, guide, title, text })),
    );
    this.index.addAll([...sections, ...table.routes.flatMap(operationEntry)]);
  }

  find(slug: string): Guide | undefined {
    return this.bySlug.get(slug);
  }

  /** The matches of a search, best first. */
  search(words: string): Match[] {
    return this.index
      .search(words)
      .slice(0, mostMatches)
      .map(({ id, guide, title, text, terms }) => ({
        path: String(id),
        guide: String(guide),
        title: String(title),
        excerpt: excerptOf(String(text), terms),
      }));
  }
}

/** The text of an operation in the API reference. */
function operationEntry(route: GatewayRoute): { id: string; guide: string; title: string; text: string }[] {
  const tag = route.kind === 'operation' ? route.feature.title : route.documentation?.tag;
  if (tag === undefined) return [];
  const { method, path, operationId, summary, description = '' } = route.declaration;
  const id = `/docs/${commandWord(tag)}#${operationId}`;
  // An excerpt is shown as plain text, not as Markdown.
  const text = `${summary}. ${description}`.trim().replaceAll('`', '');
  return [{ id, guide: 'API reference', title: `${method} ${path}`, text }];
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - excerptChars / 4);
  const start = places.length === 0 ? 0 : text.lastIndexOf(' ', from) + 1;
  const excerpt = text.slice(start, start + excerptChars).trim();
  return `${start > 0 ? '… ' : ''}${excerpt}${start + excerptChars < text.length ? ' …' : ''}`;
}
