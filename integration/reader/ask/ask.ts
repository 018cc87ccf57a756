// The ask script, appended on first use: the panel, and all that answers by quoting an index.
import { OPEN_ASK } from '../shared/events.ts';
import { AskPanel } from './panel.ts';

if (!customElements.get('carrel-ask')) {
  customElements.define('carrel-ask', AskPanel);
  const panel = document.createElement('carrel-ask') as AskPanel;
  document.addEventListener(OPEN_ASK, ({ detail }) => {
    // A site that puts in the next page by script takes the body away.
    if (!panel.isConnected) document.body.append(panel);
    void panel.open(detail);
  });
}
