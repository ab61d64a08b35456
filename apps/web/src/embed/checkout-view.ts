import { followFrame, type EmbedEvent } from './frame-events';
import { openFrame } from './overlay';
import { textsIn } from './texts';

interface Terms {
  page: URL;
  mode: 'iframe' | 'popup';
  onEvent?: ((event: EmbedEvent) => void) | undefined;
  onClose?: (() => void) | undefined;
}

interface Shown {
  target: Window;
  remove(): void;
  reported?(): void;
  resize?(height: number): void;
}

const popupFeatures = 'popup,width=480,height=820';
const closedPollMs = 500;

/** A checkout over this page or in a window, until one of both sides closes it. */
export class CheckoutView {
  private shown: Shown | undefined;
  private unfollow: (() => void) | undefined;
  private timer = 0;

  constructor(private readonly terms: Terms) {
    this.show(terms.mode === 'popup' ? (this.openWindow() ?? this.openFrame()) : this.openFrame());
  }

  close(): void {
    if (!this.shown) return;
    this.hide();
    this.terms.onClose?.();
  }

  private show(shown: Shown): void {
    this.shown = shown;
    const { page, onEvent } = this.terms;
    this.unfollow = followFrame(shown.target, page.origin, (event) => {
      shown.reported?.();
      if (event.type === 'resized') shown.resize?.(event.height!);
      onEvent?.(event);
      if (event.type === 'closed') this.close();
    });
  }

  private hide(): void {
    clearInterval(this.timer);
    this.unfollow?.();
    this.shown?.remove();
    this.shown = undefined;
  }

  private openFrame(): Shown {
    const toWindow = (): void => {
      const shown = this.openWindow();
      if (!shown) return;
      this.unfollow?.();
      this.shown?.remove();
      this.show(shown);
    };
    const { page } = this.terms;
    // The language in the checkout's URL if it has one, then the shop's language, then the payer's.
    const languages = [page.searchParams.get('lang'), document.documentElement.lang, navigator.language];
    const texts = textsIn(languages);
    return openFrame({
      page: page.href,
      name: nameOfPage(),
      texts,
      close: () => this.close(),
      toWindow,
    });
  }

  /** Undefined when the browser blocks the window. */
  private openWindow(): Shown | undefined {
    const target = window.open(this.terms.page.href, nameOfPage(), popupFeatures);
    if (!target) return undefined;
    this.watch(target);
    return { target, remove: () => target.close() };
  }

  /** Detects that the payer closes the window, because it then sends no message. */
  private watch(target: Window): void {
    clearInterval(this.timer);
    this.timer = window.setInterval(() => target.closed && this.close(), closedPollMs);
  }
}

/** The window's name contains the origin that the page may send messages to. The name stays when the page navigates. */
const nameOfPage = (): string => `tollbridge ${location.origin}`;
