// The script of search, loaded on first use: the dialog, and the highlights on the page of a result.
import { highlight } from '../core/highlight.ts';
import { loadLabels, loadSite, pageVariant } from '../core/site.ts';
import english from '../../texts/en.json' with { type: 'json' };
import { HIGHLIGHT_TERMS, OPEN_SEARCH } from '../shared/events.ts';
import { SearchDialog } from './dialog.ts';

if (!customElements.get('carrel-search')) {
  customElements.define('carrel-search', SearchDialog);
  const dialog = new SearchDialog();
  document.addEventListener(OPEN_SEARCH, ({ detail }) => {
    // A site that replaces the page by script removes the body.
    if (!dialog.isConnected) document.body.append(dialog);
    void dialog.open(detail);
  });
  document.addEventListener(HIGHLIGHT_TERMS, ({ detail }) => void clearLabel().then((label) => highlight(detail, label)));
}

async function clearLabel(): Promise<string> {
  const translated = await loadSite()
    .then((site) => loadLabels(site, pageVariant().language))
    .catch(() => undefined);
  return translated?.clearHighlights ?? english.dialogs.clearHighlights;
}
