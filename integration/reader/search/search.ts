// The search script, appended on first use: the dialog, all that reads an index, and what marks the words that were searched for.
import { highlight } from '../core/highlight.ts';
import { HIGHLIGHT_TERMS, OPEN_SEARCH } from '../shared/events.ts';
import { SearchDialog } from './dialog.ts';

if (!customElements.get('carrel-search')) {
  customElements.define('carrel-search', SearchDialog);
  const dialog = document.createElement('carrel-search') as SearchDialog;
  document.addEventListener(OPEN_SEARCH, ({ detail }) => {
    // A site that puts in the next page by script takes the body away.
    if (!dialog.isConnected) document.body.append(dialog);
    void dialog.open(detail);
  });
  document.addEventListener(HIGHLIGHT_TERMS, ({ detail }) => highlight(detail));
}
