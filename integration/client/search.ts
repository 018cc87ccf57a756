// The search script, appended on first use: the dialog, and all that reads an index.
import { OPEN_SEARCH } from './open-search.ts';
import { SearchDialog } from './search-dialog.ts';

if (!customElements.get('carrel-search')) {
  customElements.define('carrel-search', SearchDialog);
  const dialog = document.createElement('carrel-search') as SearchDialog;
  document.body.append(dialog);
  document.addEventListener(OPEN_SEARCH, () => void dialog.open());
}
