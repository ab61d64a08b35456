/** The visible text of a page, in one line. */
export function visibleText(markup: string): string {
  return (
    markup
      // The element that isolates a value adds no space.
      .replace(/<\/?bdi[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  );
}
