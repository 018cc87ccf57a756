// Gives the scripts of a site that is a single-page application, such as Docusaurus and VitePress, the location that they expect: that of the
// page on its site. Such scripts show the page that `location` names, and in an export every page has another URL. The export edits them to
// use this location and history (scripts/site-location.ts), and to load each other as classic scripts (scripts/module-scripts.ts).
import { once } from '../search/once.ts';
import { decode } from './shared/decode.ts';

/** How URLs of the site become files of the export (static-site/app-pages.ts). */
export interface AppPages {
  /** Origin of the site. */
  origin: string;
  /** What root-absolute URLs of the site begin with: '/docs/'. */
  base: string;
  /** Whether the page at `guides/install` is `guides/install.html` or `guides/install/index.html`. */
  form: 'file' | 'folder';
  /** The files of all other pages, by decoded path. */
  others: Record<string, string>;
}

/** What a module of the site gets besides the functions of the runtime. */
type Factory = (
  require: (name: string) => object,
  exports: object,
  address: unknown,
  meta: unknown,
  load: unknown,
  preload: unknown,
  location: object,
  history: object,
) => void;

// The constants of the script that this one is part of: `appScript` in scripts/module-scripts.ts.
declare const __carrel_pages: AppPages;
/** URL of the export's folder, ending in a slash. */
declare const __carrel_root: string;
declare const __carrel_address: (url: string, file?: string) => URL;
declare const __carrel_meta: (file?: string) => object;
declare const __carrel_preload: unknown;

const { origin, base, form, others } = __carrel_pages;
const { url = '', start } = document.currentScript?.dataset ?? {};
const realLocation = globalThis.location;
const realHistory = globalThis.history;
const isOnDisk = realLocation.protocol === 'file:';
let here = new URL(url + realLocation.search + realLocation.hash, origin);

/** File of the export at a path of the site, without the base. */
function fileAt(path: string): string {
  const decoded = decode(path);
  const name = decoded.replace(/\/$/, '');
  const other = Object.hasOwn(others, name) ? others[name] : undefined;
  if (other !== undefined) return other;
  if (name === '') return 'index.html';
  if (/\.[a-z]\w*$/i.test(name)) return name;
  return form === 'folder' || decoded !== name ? `${name}/index.html` : `${name}.html`;
}

/** The real URL of what the site's scripts call by its URL on the site. */
function realUrl(siteUrl: string | URL): string {
  const { href, origin: itsOrigin, pathname, search, hash } = new URL(siteUrl, here);
  if (itsOrigin !== origin || !pathname.startsWith(base)) return href;
  const file = fileAt(pathname.slice(base.length));
  return __carrel_root + file.split('/').map(encodeURIComponent).join('/') + search + hash;
}

function isThisPage(target: URL): boolean {
  return target.origin === origin && realUrl(target.pathname) === realUrl(here.pathname);
}

const siteLocation = {
  get href() {
    here.hash = realLocation.hash;
    return here.href;
  },
  set href(to: string) {
    siteLocation.assign(to);
  },
  get hash() {
    return realLocation.hash;
  },
  set hash(to: string) {
    realLocation.hash = to;
  },
  get search() {
    return here.search;
  },
  set search(to: string) {
    const target = new URL(here);
    target.search = to;
    realLocation.assign(realUrl(target));
  },
  get pathname() {
    return here.pathname;
  },
  get origin() {
    return origin;
  },
  get protocol() {
    return here.protocol;
  },
  get host() {
    return here.host;
  },
  get hostname() {
    return here.hostname;
  },
  get port() {
    return here.port;
  },
  assign(to: string | URL) {
    const target = new URL(to, here);
    if (isThisPage(target) && target.hash !== '') realLocation.hash = target.hash;
    else realLocation.assign(realUrl(target));
  },
  replace(to: string | URL) {
    realLocation.replace(realUrl(to));
  },
  reload() {
    realLocation.reload();
  },
  toString: () => siteLocation.href,
};

/** A change of history within the page; to another page the browser navigates, since that page is another file. */
function change(kind: 'pushState' | 'replaceState', leave: 'assign' | 'replace') {
  return (state: unknown, title: string, to?: string | URL | null) => {
    if (to === undefined || to === null) return realHistory[kind](state, title);
    const target = new URL(to, here);
    if (!isThisPage(target)) return realLocation[leave](realUrl(target));
    here = target;
    // Of a file's URL, browsers let scripts change the hash alone.
    const url = new URL(realLocation.href);
    if (!isOnDisk) url.search = target.search;
    url.hash = target.hash;
    realHistory[kind](state, title, url);
  };
}

const siteHistory = {
  get length() {
    return realHistory.length;
  },
  get state(): unknown {
    return realHistory.state;
  },
  get scrollRestoration() {
    return realHistory.scrollRestoration;
  },
  set scrollRestoration(to: ScrollRestoration) {
    realHistory.scrollRestoration = to;
  },
  back: () => realHistory.back(),
  forward: () => realHistory.forward(),
  go: (steps?: number) => realHistory.go(steps),
  pushState: change('pushState', 'assign'),
  replaceState: change('replaceState', 'replace'),
};

/** What the edited scripts use instead of the properties of `window`. */
const carrelSite = {
  root: __carrel_root,
  history: siteHistory,
  get location(): typeof siteLocation {
    return siteLocation;
  },
  set location(to: string) {
    siteLocation.assign(to);
  },
};

const modules = new Map<string, { needs: string[]; factory: Factory; exports?: object }>();

/** Called by each module of the site, in a classic script; `needs` are the URLs of all modules that run before it, relative to it. */
function defineModule(needs: string[], factory: Factory): void {
  const { src } = document.currentScript as HTMLScriptElement;
  modules.set(src, { needs: needs.map((need) => new URL(need, src).href), factory });
}

const loadScript = once(
  (src) =>
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = src;
      script.onload = () => resolve();
      script.onerror = () => reject(new TypeError(`${src} could not be loaded.`));
      document.head.append(script);
    }),
);

async function importModule(name: string, file?: string): Promise<object> {
  const { href } = __carrel_address(name, file);
  if (!href.startsWith(__carrel_root)) return import(/* @vite-ignore */ href);
  await loadScript(href);
  await Promise.all((modules.get(href)?.needs ?? []).map((need) => loadScript(need)));
  return run(href);
}

function run(href: string): object {
  const module = modules.get(href);
  if (!module) throw new TypeError(`${href} is not a module of the site.`);
  if (module.exports) return module.exports;
  module.exports = {};
  const require = (name: string) => run(new URL(name, href).href);
  const { exports, factory } = module;
  factory(require, exports, __carrel_address, __carrel_meta, importModule, __carrel_preload, siteLocation, siteHistory);
  return exports;
}

const urlAttributes = ['href', 'src', 'poster'];
const loadingElements = [HTMLImageElement, HTMLMediaElement, HTMLSourceElement, HTMLIFrameElement];
const withUrl = 'a[href], area[href], img[src], video[src], audio[src], source[src], video[poster]';

/** Makes the URLs of an element that a script of the site has added mean files of the export. */
function correctUrls(element: Element): void {
  if (!element.matches(withUrl)) return;
  for (const name of urlAttributes) {
    const written = element.getAttribute(name);
    const real = written === null ? undefined : correctUrl(written);
    if (real !== undefined && real !== written) element.setAttribute(name, real);
  }
}

function correctUrl(written: string): string | undefined {
  if (/^\/(?!\/)/.test(written) || written.startsWith(`${origin}/`)) return realUrl(written);
  if (/^(?:#|$|[a-z][a-z0-9+.-]*:|\/)/i.test(written)) return undefined;
  const { href, pathname, search, hash } = new URL(written, document.baseURI);
  if (!href.startsWith(__carrel_root) || /\.[a-z]\w*$/i.test(pathname)) return undefined;
  return realUrl(base + pathname.slice(new URL(__carrel_root).pathname.length) + search + hash);
}

new MutationObserver((records) => {
  for (const { target, addedNodes } of records) {
    if (target instanceof Element) correctUrls(target);
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      correctUrls(node);
      for (const element of node.querySelectorAll(withUrl)) correctUrls(element);
    }
  }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: urlAttributes });

// Images and the like are requested as soon as they have a URL, before the observer runs.
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  const loads = urlAttributes.includes(name) && loadingElements.some((kind) => this instanceof kind);
  setAttribute.call(this, name, loads ? (correctUrl(String(value)) ?? value) : value);
};
for (const { prototype } of loadingElements) {
  const property = Object.getOwnPropertyDescriptor(prototype, 'src');
  if (!property?.set) continue;
  const set = property.set;
  Object.defineProperty(prototype, 'src', {
    ...property,
    set(value: unknown) {
      set.call(this, correctUrl(String(value)) ?? value);
    },
  });
}

// The browser follows links to other pages; a router of the site would show them in this one, without their file.
addEventListener(
  'click',
  (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return;
    const link = target.closest('a');
    if (!link || link.getAttribute('role') === 'button') return;
    const [page, hash] = link.href.split('#', 2);
    if (page !== '' && (hash === undefined || page !== realLocation.href.split('#', 1)[0])) event.stopPropagation();
  },
  true,
);

Object.assign(globalThis, { __carrel_module: defineModule });
Object.defineProperty(globalThis, '__carrel_application', { value: carrelSite });
if (start !== undefined)
  importModule(start).catch((error: unknown) => {
    // The page stays as the site's generator wrote it.
    console.error(error);
  });
