/** Stores a text for this tab. Browsers that block storage in frames of other sites do not store it. */
export function remember(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Without storage, only the next page has to ask again.
  }
}

export function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without storage, no text is stored.
  }
}

export function remembered(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
