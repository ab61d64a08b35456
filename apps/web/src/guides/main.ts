const shownMs = 2_000;

for (const frame of document.querySelectorAll('.code')) frame.append(copyButton(frame));

/** Made here: without scripts it could not work. */
function copyButton(frame: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'button quiet copy';
  button.textContent = 'Copy';
  const code = frame.textContent.trimEnd();
  button.addEventListener('click', () => void copy(button, code));
  return button;
}

async function copy(button: HTMLButtonElement, code: string): Promise<void> {
  await navigator.clipboard.writeText(code);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), shownMs);
}
