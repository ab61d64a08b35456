import type { EmbedTexts } from './texts';

interface Shown {
  texts: EmbedTexts;
  page: string;
  /** The name of the frame, which the page reads. */
  name: string;
  close: () => void;
  toWindow: () => void;
}

interface Frame {
  target: Window;
  remove(): void;
  /** Called when the page has sent a message. */
  reported(): void;
  resize(height: number): void;
}

// A page that fails may not be embedded by any origin, so the browser leaves the frame empty.
const reportTimeoutMs = 10_000;

/** Shows a page in a frame over this one, with buttons to close it and to open it in a window. */
export function openFrame({ page, name, texts, close, toWindow }: Shown): Frame {
  const before = document.activeElement as HTMLElement | null;
  const overlay = styled('div', { position: 'fixed', inset: '0', zIndex: '2147483647', overflow: 'auto' });
  Object.assign(overlay.style, { background: 'rgb(0 0 0 / 60%)', padding: '12px' });
  overlay.setAttribute('role', 'dialog');
  overlay.setAttribute('aria-modal', 'true');
  overlay.setAttribute('aria-label', texts.title);
  const column = styled('div', { maxWidth: '600px', margin: '0 auto' });
  const bar = styled('div', { display: 'flex', justifyContent: 'space-between', paddingBottom: '8px' });
  const frame = styled('iframe', { width: '100%', height: '80vh', border: '0', borderRadius: '12px' });
  Object.assign(frame, { name, src: page, title: texts.title, allow: 'clipboard-write' });
  frame.style.background = '#fff';
  // Some wallets do not work in frames, but do work in a window.
  const toClose = button(texts.close, close);
  bar.append(button(texts.window, toWindow), toClose);
  const notice = noticeOf(texts, () => load());
  column.append(bar, notice, frame);
  overlay.append(column);
  overlay.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  document.body.append(overlay);
  toClose.focus();
  let timer = 0;
  const wait = (): void => {
    notice.hidden = true;
    clearTimeout(timer);
    timer = window.setTimeout(() => (notice.hidden = false), reportTimeoutMs);
  };
  const load = (): void => {
    frame.src = page;
    wait();
  };
  wait();
  return {
    target: frame.contentWindow!,
    reported() {
      clearTimeout(timer);
      notice.hidden = true;
    },
    remove() {
      clearTimeout(timer);
      overlay.remove();
      before?.focus();
    },
    resize: (height) => void (frame.style.height = `${Math.max(height, 320)}px`),
  };
}

/** The notice in place of a page that sends no message. */
function noticeOf({ failed, retry }: EmbedTexts, load: () => void): HTMLElement {
  const notice = document.createElement('div');
  const text = styled('p', { font: '16px sans-serif', color: '#fff' });
  notice.setAttribute('role', 'alert');
  text.textContent = failed;
  notice.append(text, button(retry, load));
  return notice;
}

/** Policies that forbid style attributes still allow styles that a script sets on an element. */
function styled<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: Partial<CSSStyleDeclaration>,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  Object.assign(element.style, style);
  return element;
}

function button(text: string, act: () => void): HTMLButtonElement {
  const element = styled('button', { font: '16px sans-serif', minHeight: '44px', padding: '0 16px' });
  Object.assign(element.style, { border: '0', borderRadius: '8px', background: '#fff', color: '#111' });
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', act);
  return element;
}
