// Which version of the docs the page is of, and whether another one is there since it was opened.
import { load } from '../../integration/reader/shared/loader.ts';
import { whenIdle } from './sidebar-places.ts';

/** Shortest time between two looks. */
const MILLISECONDS_BETWEEN = 60_000;

export class Version extends HTMLElement {
  connectedCallback() {
    whenIdle(() => void this.show());
  }

  private async show(): Promise<void> {
    // A preview has none.
    const shown = await load<string>('../carrel.version.js').catch(() => '');
    if (shown === '') return;
    this.querySelector('code')!.textContent = shown;
    this.hidden = false;
    let lookedAt = Date.now();
    const look = async () => {
      if (document.visibilityState === 'hidden' || Date.now() - lookedAt < MILLISECONDS_BETWEEN) return;
      lookedAt = Date.now();
      // A host may have another version, or none, or be away.
      const current = await load<string>(`../carrel.version.js?${lookedAt}`).catch(() => shown);
      if (current !== shown) this.offer();
    };
    document.addEventListener('visibilitychange', () => void look());
    addEventListener('focus', () => void look());
  }

  private offer(): void {
    const note = this.querySelector('.c-version-note')!;
    if (note.role) return;
    note.role = 'status';
    const button = document.createElement('button');
    button.textContent = this.dataset['carrelReload'] ?? '';
    button.addEventListener('click', () => location.reload());
    // Screen readers announce what is added to a status that they know.
    requestAnimationFrame(() => note.append(this.dataset['carrelNewer'] ?? '', ' ', button));
  }
}
