import { operationLinks } from './links';

/** Filters the list of operations by the words of the search field. Keys: `/`, arrows, Enter and Escape. */
export function searchOperations(): void {
  const menu = document.getElementById('all-operations');
  const field = menu?.querySelector<HTMLInputElement>('#q');
  const found = menu?.querySelector('#found');
  if (!menu || !field || !found) return;
  const links = operationLinks();
  const texts = links.map((link) =>
    `${link.textContent} ${link.dataset['route']} ${link.hash}`.toLowerCase(),
  );
  const groups = [...menu.querySelectorAll('details')];
  const openBefore = groups.map(({ open }) => open);
  const shown = () => links.filter(({ parentElement }) => !parentElement!.hidden);

  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    links.forEach((link, at) => {
      link.parentElement!.hidden = !words.every((word) => texts[at]!.includes(word));
    });
    groups.forEach((group, at) => {
      group.hidden = !group.querySelector('li:not([hidden])');
      group.open = words.length > 0 || openBefore[at]!;
    });
    found.textContent = words.length === 0 ? '' : countOf(shown().length);
  };

  field.addEventListener('input', filter);
  field.form?.addEventListener('submit', (event) => {
    const [first] = shown();
    // Without a match, the form searches guides and descriptions.
    if (!first || field.value.trim() === '') return;
    event.preventDefault();
    first.click();
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.target === field && field.value !== '') {
      event.preventDefault();
      field.value = '';
      filter();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops: HTMLElement[] = [field, ...shown().filter((link) => link.closest('details')!.open)];
    const at = stops.indexOf(event.target as HTMLElement);
    const next = at < 0 ? undefined : stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input:not([type=radio]), textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // On a phone, a button opens the list.
    if (menu.matches('[popover]') && !menu.checkVisibility()) menu.showPopover();
    field.focus();
    field.select();
  });
}

function countOf(count: number): string {
  if (count === 0) return 'No operation matches. Press Enter to search guides and descriptions.';
  return count === 1 ? '1 operation' : `${count} operations`;
}
