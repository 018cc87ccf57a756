// The search script, appended on first use: the dialog, and all that reads an index.
import { OPEN_SEARCH } from './open-search.ts';
import { SearchDialog } from './search-dialog.ts';

if (!customElements.get('carrel-search')) {
  customElements.define('carrel-search', SearchDialog);
  const dialog = document.createElement('carrel-search') as SearchDialog;
  document.addEventListener(OPEN_SEARCH, () => {
    // A site that puts in the next page by script takes the body away.
    if (!dialog.isConnected) document.body.append(dialog);
    void dialog.open();
  });
}
