const storedAs = 'tollbridge-sample-language';

/** Applies a chosen sample language to all operations and all pages. */
export function rememberLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('.tabs input[type=radio]')];
  const show = (language: string) => {
    for (const choice of choices) if (choice.value === language) choice.checked = true;
  };
  const stored = localStorage.getItem(storedAs);
  if (stored !== null) show(stored);
  for (const choice of choices)
    choice.addEventListener('change', () => {
      // The other samples change their height, so the scroll position is adjusted.
      const before = choice.getBoundingClientRect().top;
      localStorage.setItem(storedAs, choice.value);
      show(choice.value);
      window.scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
    });
}
