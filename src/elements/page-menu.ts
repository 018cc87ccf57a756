import { copyText } from '../../integration/reader/shared/copy-text.ts';
import { elementAt } from '../../integration/reader/shared/elements.ts';
import { carrelFolder, load } from '../../integration/reader/shared/loader.ts';
import './downloads.ts';
import { printPages, sectionPages } from './print-section.ts';
import { mcpServer } from './mcp-server.ts';

/** The menu of a page: copies it, prints it, hands it to a chat on an external origin, or connects an AI tool. Its other entries are plain links. */
class PageMenu extends HTMLElement {
  /** Until the print dialog has opened: other clicks on the entry wait for the same. */
  private printing: Promise<void> | undefined;

  connectedCallback() {
    const prompt = this.dataset['carrelPrompt'] ?? '{url}';
    const url = publicUrl();
    const mcp = mcpServer(new URL('..', carrelFolder), this.dataset['carrelMcp'] ?? '', globalThis.__carrel_config);
    const drop = (entry: HTMLElement) => (entry.closest('li') ?? entry).remove();
    for (const link of this.querySelectorAll<HTMLAnchorElement>('a[data-carrel-template]')) {
      const template = link.dataset['carrelTemplate'] ?? '';
      const editor = /^\{(\w.*)\}$/.exec(template)?.[1];
      // An editor opens outside the browser, which would leave an empty tab.
      if (!editor) link.target = '_blank';
      link.rel = 'noopener';
      // A chat cannot read a page of this computer or of a private network.
      const needed = editor ? mcp : template.includes('$mcp') ? mcp?.url : template.includes('{prompt}') ? url : '';
      if (needed === undefined) drop(link);
      else if (editor) link.href = mcp!.links[editor]!;
      else
        link.href = template
          .replace('{prompt}', () => encodeURIComponent(prompt.replace('{url}', () => url ?? '')))
          .replace(/^\/?\$mcp\b/, () => mcp?.url ?? '')
          .replaceAll('$mcp', () => encodeURIComponent(mcp?.url ?? ''))
          .replaceAll('$page', '');
    }
    for (const button of this.querySelectorAll<HTMLElement>('[data-carrel-action=mcp]')) if (!mcp) drop(button);
    const section = sectionPages();
    for (const button of this.querySelectorAll<HTMLElement>('[data-carrel-action=print-section]'))
      if (section.length === 0) drop(button);
    // Without an entry that works here, the menu opens empty.
    const more = this.querySelector('.c-page-menu-more');
    if (more && !more.querySelector('li')) more.remove();
    this.addEventListener('click', (event) => {
      const link = elementAt<HTMLAnchorElement>(event, 'a[data-carrel-template*="$page"]');
      if (link) {
        event.preventDefault();
        void this.text().then((text) =>
          open(link.dataset['carrelTemplate']!.replaceAll('$page', encodeURIComponent(text)), '_blank', 'noopener'),
        );
      }
      const button = elementAt<HTMLButtonElement>(event, 'button[data-carrel-action]');
      if (button?.dataset['carrelAction'] === 'copy') void this.text().then((text) => this.copy(button, text));
      if (button?.dataset['carrelAction'] === 'mcp' && mcp) void this.copy(button, mcp.text);
      if (button?.dataset['carrelAction'] === 'print') print();
      if (button?.dataset['carrelAction'] === 'print-section')
        this.printing ??= printPages(section)
          .catch(print)
          .finally(() => (this.printing = undefined));
    });
  }

  private async copy(button: HTMLButtonElement, text: string): Promise<void> {
    await copyText(text);
    const label = button.querySelector('span');
    if (!label || button.classList.contains('c-copied')) return;
    const before = label.textContent;
    label.textContent = this.dataset['carrelCopied'] ?? '';
    button.classList.add('c-copied');
    setTimeout(() => {
      label.textContent = before;
      button.classList.remove('c-copied');
    }, 2000);
  }

  /** The page as Markdown: its file, or on file://, where a page cannot read one, its script; without either, the text on the screen. */
  private async text(): Promise<string> {
    const markdown = document.querySelector<HTMLLinkElement>('link[rel=alternate][type="text/markdown"]')?.href;
    try {
      if (markdown === undefined) throw new Error('No Markdown version');
      if (location.protocol === 'file:') return await load<string>(`${markdown}.js`);
      const response = await fetch(markdown);
      if (!response.ok) throw new Error(`${response.status}`);
      return await response.text();
    } catch {
      const title = document.querySelector('h1')?.textContent ?? document.title;
      return `# ${title}\n\n${document.querySelector<HTMLElement>('.prose')?.innerText ?? ''}\n`;
    }
  }
}

/** The published address of the page, if others can read it. */
function publicUrl(): string | undefined {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  if (canonical) return canonical;
  const { protocol, hostname, origin, pathname } = location;
  const isPrivate =
    !/^https?:$/.test(protocol) ||
    !hostname.includes('.') ||
    hostname.startsWith('[') ||
    /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname) ||
    /\.(?:local|internal|localhost|test)$/.test(hostname);
  return isPrivate ? undefined : origin + pathname;
}

customElements.define('carrel-page-menu', PageMenu);
