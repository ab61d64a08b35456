import type { CatalogService } from '@tollbridge/contracts';

/** A service of the catalog, without its availability in this deployment. */
export type ListedService = Omit<
  CatalogService,
  'method' | 'route' | 'request' | 'available' | 'availability'
> & {
  /** A key of `providers.ts`. */
  provider: string;
};

/** The service as clients see it. */
export function serviceView(
  { provider: _provider, ...listed }: ListedService,
  isAvailable: boolean,
): CatalogService {
  const [first] = listed.routes;
  return {
    ...listed,
    ...first!,
    available: isAvailable,
    availability: isAvailable ? 'available' : 'not_configured',
  };
}

// Each word adds a term to the search.
const maxWords = 16;
const maxWordLength = 64;

/** The distinct words of a query, without operators and wildcards. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, maxWordLength)))].slice(0, maxWords);
}
