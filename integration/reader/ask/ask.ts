// The script of Ask, loaded on first use: the panel, and the answers that quote the index.
import { OPEN_ASK } from '../shared/events.ts';
import { AskPanel } from './panel.ts';

if (!customElements.get('carrel-ask')) {
  customElements.define('carrel-ask', AskPanel);
  const panel = new AskPanel();
  document.addEventListener(OPEN_ASK, ({ detail }) => {
    // A site that replaces the page by script removes the body.
    if (!panel.isConnected) document.body.append(panel);
    void panel.open(detail);
  });
}
