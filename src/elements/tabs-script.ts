// The script of tabs, code groups and views, which only pages with them load.
import { CodeGroup, Tabs, View } from './tabs.ts';

customElements.define('carrel-tabs', Tabs);
customElements.define('carrel-code-group', CodeGroup);
customElements.define('carrel-view', View);
