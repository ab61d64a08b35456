const shownMs = 2_000;

/** Adds a copy button to every block of code. Added by the script, because without scripts it could not work. */
export function addCopyButtons(): void {
  for (const frame of document.querySelectorAll('.code')) frame.append(copyButton(frame));
}

function copyButton(frame: Element): HTMLButtonElement {
  const button = document.createElement('button');
  // Not a submit button, because the block may be part of a form.
  button.type = 'button';
  button.className = 'button quiet copy';
  button.textContent = 'Copy';
  const code = frame.querySelector('pre')?.textContent.trimEnd() ?? '';
  button.addEventListener('click', () => void copy(button, code));
  return button;
}

async function copy(button: HTMLButtonElement, code: string): Promise<void> {
  await navigator.clipboard.writeText(code);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), shownMs);
}
