import { pageData } from './page';

const shownMs = 2_000;

/** Activates all copy buttons, including those that are rendered later. */
export function enableCopying(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
    if (button) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset['copy']!);
  const before = button.textContent;
  button.textContent = pageData()?.texts['copied'] ?? '✓';
  setTimeout(() => (button.textContent = before), shownMs);
}
