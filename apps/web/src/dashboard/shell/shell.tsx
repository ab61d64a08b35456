import { Dialog } from '@base-ui/react/dialog';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { isSandbox } from '../api/environment';
import { Navigation } from './navigation';
import styles from './shell.module.css';

/** The frame of every page, with the navigation at the side. On a phone, a button opens the navigation. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <aside className={styles.side}>
        <Brand />
        <Navigation onNavigate={() => undefined} />
      </aside>
      <header className={styles.bar}>
        <Brand />
        <Dialog.Root open={isMenuOpen} onOpenChange={setMenuOpen}>
          <Dialog.Trigger className={styles.menuButton}>Menu</Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className={styles.backdrop} />
            <Dialog.Popup className={styles.drawer}>
              <Dialog.Title className="visually-hidden">Menu</Dialog.Title>
              <Dialog.Close className={styles.closeButton}>Close</Dialog.Close>
              <Navigation onNavigate={() => setMenuOpen(false)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

export const Brand = () => (
  <p className={styles.brand}>Tollbridge {isSandbox() && <span className={styles.sandbox}>Sandbox</span>}</p>
);
