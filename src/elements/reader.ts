// The deferred script of our theme's pages: adds behavior to markup that works without it.
import { installAnalytics } from '../../integration/reader/open-analytics.ts';
import { installAsk } from '../../integration/reader/open-ask.ts';
import { offerAsk } from '../../integration/reader/ask/selection.ts';
import { installPlayground } from '../../integration/reader/open-playground.ts';
import { runAlone } from '../../integration/reader/run-script.ts';
import { highlightTerms, installSearch } from '../../integration/reader/open-search.ts';
import { drawDiagrams } from './diagrams.ts';
import { Banner, closeMenus, placeTabMenus, ThemeSwitch } from './header.ts';
import { Copy, foldCode, placeTooltips } from './content.ts';
import { Frame } from './frame.ts';
import { replaceMissingMedia } from './missing-media.ts';
import { OnThisPage } from './navigation.ts';
import { prefetchPages } from './prefetch.ts';
import { revealTarget } from './reveal.ts';
import { installSidebar } from './sidebar.ts';
import { UpdateTags } from './update-tags.ts';
import { Version } from './version.ts';
import { zoomImages } from './zoom.ts';

customElements.define('carrel-theme', ThemeSwitch);
customElements.define('carrel-banner', Banner);
customElements.define('carrel-copy', Copy);
customElements.define('carrel-on-this-page', OnThisPage);
customElements.define('carrel-frame', Frame);
customElements.define('carrel-update-tags', UpdateTags);
customElements.define('carrel-version', Version);

const ask = installAsk();
installSearch(undefined, ask);
closeMenus();
placeTabMenus();
installSidebar();
// Most sites have neither.
if (document.querySelector('carrel-page-menu, carrel-downloads')) void runAlone('menu');
replaceMissingMedia();
zoomImages();
foldCode();
placeTooltips();
revealTarget();
addEventListener('hashchange', revealTarget);
void highlightTerms();
installPlayground();
prefetchPages();
drawDiagrams();
if (ask) offerAsk((about) => ask({ about }));
installAnalytics();
