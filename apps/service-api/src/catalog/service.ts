import type { CatalogService } from '@tollbridge/contracts';

/** A service as the catalog lists it; whether it can be called is a matter of the deployment. */
export type ListedService = Omit<
  CatalogService,
  'method' | 'route' | 'request' | 'available' | 'availability'
> & {
  /** Who does it, a name of `providers.ts`. */
  provider: string;
};

/** As callers see it. */
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

// More words than a person asks with; each is looked up by itself.
const maxWords = 16;
const maxWordLength = 64;

/** What is asked for, as the words in it: signs, operators and wildcards among them, are no words. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, maxWordLength)))].slice(0, maxWords);
}
