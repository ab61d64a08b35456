import { onRendered, pageData } from './page';

/** Shows the remaining time of each deadline every second. Screen readers announce it once a minute. */
export function countDown(): void {
  tick();
  onRendered(tick);
  setInterval(tick, 1_000);
}

function tick(): void {
  const texts = pageData()?.texts;
  if (!texts) return;
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) {
    const left = Math.max(0, Math.floor((Date.parse(element.dataset['countdown']!) - Date.now()) / 1_000));
    // For more than a day, the date is shown instead.
    if (left > 86_400) continue;
    const minutes = Math.ceil(left / 60);
    element.textContent = left === 0 ? texts['timeOver']! : texts['left']!.replace('{t}', clock(left));
    element.setAttribute('role', 'timer');
    const label = texts['left']!.replace('{t}', inMinutes(minutes));
    if (element.getAttribute('aria-label') !== label) element.setAttribute('aria-label', label);
  }
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** In the language and the plural form of the page. */
const inMinutes = (minutes: number): string =>
  new Intl.NumberFormat(document.documentElement.lang, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  }).format(minutes);
