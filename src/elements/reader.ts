// The deferred script of our theme's pages: adds behavior to markup that works without it.
import { installAsk } from '../../integration/reader/open-ask.ts';
import { offerAsk } from '../../integration/reader/ask/selection.ts';
import { installPlayground } from '../../integration/reader/open-playground.ts';
import { highlightTerms, installSearch } from '../../integration/reader/open-search.ts';
import { drawDiagrams } from './diagrams.ts';
import { Banner, closeMenus, placeTabMenus, upgradeSwitchers, ThemeSwitch } from './header.ts';
import { Copy, foldCode, placeTooltips, walkTrees } from './content.ts';
import { OnThisPage, revealTarget } from './navigation.ts';
import { PageMenu } from './page-menu.ts';
import { installSidebar } from './sidebar.ts';
import { CodeGroup, Tabs, View } from './tabs.ts';

customElements.define('carrel-theme', ThemeSwitch);
customElements.define('carrel-banner', Banner);
customElements.define('carrel-page-menu', PageMenu);
customElements.define('carrel-tabs', Tabs);
customElements.define('carrel-code-group', CodeGroup);
customElements.define('carrel-view', View);
customElements.define('carrel-copy', Copy);
customElements.define('carrel-on-this-page', OnThisPage);

installSearch();
closeMenus();
placeTabMenus();
installSidebar();
foldCode();
placeTooltips();
walkTrees();
upgradeSwitchers();
revealTarget();
addEventListener('hashchange', revealTarget);
void highlightTerms();
installPlayground();
drawDiagrams();
const ask = installAsk();
if (ask) offerAsk((about) => ask({ about }));
