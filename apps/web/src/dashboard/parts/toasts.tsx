import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import styles from './toasts.module.css';

type Notify = (text: string) => void;
const Toasts = createContext<Notify>(() => undefined);

const shownMs = 4_000;

/** Shows short messages about completed actions. Screen readers announce them. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<{ id: number; text: string }[]>([]);
  const notify = useCallback((text: string) => {
    const id = performance.now();
    setToasts((shown) => [...shown, { id, text }]);
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), shownMs);
  }, []);
  return (
    <Toasts value={notify}>
      {children}
      <div className={styles.region} role="status" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <p key={id} className={styles.toast}>
            {text}
          </p>
        ))}
      </div>
    </Toasts>
  );
}

export const useNotify = (): Notify => useContext(Toasts);
