// The search script, appended on first use: the dialog, all that reads an index, and what marks the words that were searched for.
import { MARK_WORDS } from './highlight.ts';
import { markWords } from './mark-words.ts';
import { OPEN_SEARCH } from '../open-search.ts';
import { SearchDialog } from './dialog.ts';

if (!customElements.get('carrel-search')) {
  customElements.define('carrel-search', SearchDialog);
  const dialog = document.createElement('carrel-search') as SearchDialog;
  document.addEventListener(OPEN_SEARCH, () => {
    // A site that puts in the next page by script takes the body away.
    if (!dialog.isConnected) document.body.append(dialog);
    void dialog.open();
  });
  document.addEventListener(MARK_WORDS, (event) => markWords((event as CustomEvent<string[]>).detail));
}
