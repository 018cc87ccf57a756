import type { NavigationData, SiteData } from '../reader/core/site-data.ts';

/** The classic script that hands the site's data to the reader. */
export function siteScript(data: SiteData): string {
  return `__carrel_site(${JSON.stringify(data)});\n`;
}

/** The classic script that hands over a whole sidebar. */
export function navigationScript(data: NavigationData): string {
  return `__carrel_navigation(${JSON.stringify(data)});\n`;
}

/** The files of pages as the reader's scripts need them, from the files by page path without the home page. */
export function pageFiles(files: Map<string, string>): Pick<SiteData, 'ending' | 'files'> {
  const others = (ending: string) => [...files].filter(([path, file]) => file !== path + ending);
  const [nested, flat] = [others('/index.html'), others('.html')];
  const shorter = flat.length < nested.length ? flat : nested;
  return {
    ...(shorter === flat && { ending: '.html' }),
    ...(shorter.length > 0 && { files: Object.fromEntries(shorter) }),
  };
}

/** The classic script that hands over the labels of one language. */
export function labelsScript(labels: Record<string, string>): string {
  return `__carrel_labels(${JSON.stringify(labels)});\n`;
}
