// The reader's deferred script: gives behaviour to markup that works without it.
import { installAsk } from '../../integration/reader/open-ask.ts';
import { offerToAsk } from '../../integration/reader/ask/selection.ts';
import { carrelFolder } from '../../integration/reader/core/load-script.ts';
import { markLandingWords } from '../../integration/reader/search/highlight.ts';
import { installSearch } from '../../integration/reader/open-search.ts';
import { Banner } from './banner.ts';
import { Copy } from './copy.ts';
import { foldCode } from './expandable-code.ts';
import { closeMenus, placeTabMenus } from './menus.ts';
import { OnThisPage } from './on-this-page.ts';
import { revealTarget } from './reveal.ts';
import { showCurrentEntry } from './sidebar.ts';
import { upgradeSwitchers } from './switchers.ts';
import { CodeGroup, Tabs } from './tabs.ts';
import { ThemeSwitch } from './theme-switch.ts';
import { placeTooltips } from './tooltips.ts';
import { walkTrees } from './trees.ts';
import { View } from './view.ts';

/** Names of the scripts beside this one; `build-reader.ts` fills them in. */
declare const SEARCH_SCRIPT: string;
declare const ASK_SCRIPT: string;

customElements.define('carrel-theme', ThemeSwitch);
customElements.define('carrel-banner', Banner);
customElements.define('carrel-tabs', Tabs);
customElements.define('carrel-code-group', CodeGroup);
customElements.define('carrel-view', View);
customElements.define('carrel-copy', Copy);
customElements.define('carrel-on-this-page', OnThisPage);

const loadSearch = installSearch(new URL(SEARCH_SCRIPT, carrelFolder).href);
closeMenus();
placeTabMenus();
showCurrentEntry();
foldCode();
placeTooltips();
walkTrees();
upgradeSwitchers();
revealTarget();
addEventListener('hashchange', revealTarget);
void markLandingWords(loadSearch);
const ask = installAsk(new URL(ASK_SCRIPT, carrelFolder).href);
if (ask) offerToAsk((about) => ask({ about }));
