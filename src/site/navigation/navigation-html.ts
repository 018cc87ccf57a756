// The markup of the sidebar's entries, for the build and for the script that completes the sidebar in the browser.
import { iconImage } from '../icon-image.ts';
import { escapeHtml } from '../../../integration/text/escape.ts';
import { tagClass } from '../../../integration/text/tag-class.ts';
import type { BranchNode } from '../model.ts';

export interface NavigationMarkup {
  /** URL of the current page, in the form of the entries' URLs. */
  here: string;
  /** Safe `<svg>` by name. */
  icons: Record<string, string> | undefined;
  labels: { deprecated: string; opensOtherSite: string; allPages: string };
}

/** A list of entries; `level` is 1 at the top. */
export function navigationHtml(nodes: BranchNode[], level: number, markup: NavigationMarkup): string {
  return `<ul role="list">${nodes.map((node) => entryHtml(node, level, markup)).join('')}</ul>`;
}

/** One entry of a list. */
export function entryHtml(node: BranchNode, level: number, markup: NavigationMarkup): string {
  const { title } = node;
  if (node.kind === 'all-pages')
    return `<li class="c-all-pages"><a href="${escapeHtml(node.href)}">${escapeHtml(markup.labels.allPages.replace('{name}', () => title))}</a></li>`;
  if (node.kind === 'folded')
    return `<li class="c-folded"><a href="${escapeHtml(node.href)}" title="${escapeHtml(title)}">…<span class="c-visually-hidden"> ${escapeHtml(title)}</span></a>${navigationHtml(node.children, level + 1, markup)}</li>`;
  const tag = node.tag ? `<span class="${tagClass(node.tag)}">${escapeHtml(node.tag)}</span>` : '';
  if (node.kind === 'page') {
    const { deprecated, opensOtherSite } = markup.labels;
    const marks =
      (node.deprecated ? `<span class="c-tag c-tag-muted">${escapeHtml(deprecated)}</span>` : '') +
      (node.external
        ? `<span class="c-external"><span class="c-visually-hidden">${escapeHtml(opensOtherSite)}</span></span>`
        : '');
    const attributes = `${current(node.href, markup)}${node.deprecated ? ' class="c-deprecated"' : ''}`;
    return `<li><a href="${escapeHtml(node.href)}"${attributes}>${label(node, markup)}${tag}${marks}</a></li>`;
  }
  if (level === 1) {
    const link =
      node.href === undefined
        ? escapeHtml(title)
        : `<a href="${escapeHtml(node.href)}"${node.kind === 'closed' ? ' class="c-closed"' : current(node.href, markup)}>${escapeHtml(title)}</a>`;
    const heading = `<p class="c-group-title">${icon(node.icon, markup)}${link}${tag}</p>`;
    return `<li class="c-group">${heading}${node.kind === 'closed' ? '' : navigationHtml(node.children, level + 1, markup)}</li>`;
  }
  if (node.kind === 'closed')
    return `<li><a class="c-closed" href="${escapeHtml(node.href)}">${label(node, markup)}${tag}</a></li>`;
  const list = navigationHtml(node.children, level + 1, markup);
  return `<li><details${node.open ? ' open' : ''}><summary>${label(node, markup)}${tag}</summary>${list}</details></li>`;
}

function label(node: { title: string; icon?: string }, markup: NavigationMarkup): string {
  return `${icon(node.icon, markup)}<span>${escapeHtml(node.title)}</span>`;
}

function current(href: string, { here }: NavigationMarkup): string {
  return href === here ? ' aria-current="page"' : '';
}

function icon(name: string | undefined, { icons }: NavigationMarkup): string {
  if (name === undefined) return '';
  const svg = icons?.[name];
  if (svg !== undefined) return `<span class="c-symbol" aria-hidden="true">${svg}</span>`;
  const image = iconImage(name);
  return image ? `<img class="c-symbol" src="${escapeHtml(image)}" alt="" aria-hidden="true">` : '';
}
