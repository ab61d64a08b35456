/** The text of a page as readers see it, in one line. */
export function visibleText(markup: string): string {
  return (
    markup
      // Isolation of a value adds no space.
      .replace(/<\/?bdi[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
  );
}
