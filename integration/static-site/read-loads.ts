// The loads of an existing site: pages keep their scripts, and every file that browsers read may load something.
import { fixedPageLoads, type ElementLoad, type PageLoads, manifestLoads } from '../html/external-loads.ts';
import { placeLoads, type Load, type PlacedLoad } from '../html/load.ts';
import { styleLoads } from '../html/css.ts';
import type { LoadReader } from '../remote/remote-policy.ts';
import { fileRequests, isModuleText, loadsOfScript } from '../scripts/script-facts.ts';
import { createSvgFiles, xmlStylesheets } from './svg-files.ts';

// What browsers show as a page although it is exported unchanged: XHTML, and HTML of an unknown encoding, such as UTF-16 without a mark.
const pageFile = /\.(?:[xs]?html?|xht)$/i;
const scriptFile = /\.m?js$/i;
const otherFile = /\.(?:css|svg|m?js|webmanifest)$|(?:^|\/)manifest\.json$/i;

export function createLoadReader(): LoadReader {
  const svgFiles = createSvgFiles(withScripts);
  return {
    async page(_html, found) {
      svgFiles.note(found.svgs);
      return withScripts(found);
    },
    async file(file, text, isModule) {
      if (!pageFile.test(file) && !otherFile.test(file)) return { loads: [] };
      const isSvg = /\.svg$/i.test(file);
      if (isSvg) svgFiles.add(file, text);
      const contents = isSvg ? '' : text();
      const loads = isSvg ? [] : await fileLoads(file, contents, isModule);
      const problems = scriptFile.test(file) ? await fileRequests(file, contents, isModule) : [];
      // A page that is copied unchanged may come after what it shows.
      return { loads, problems, others: await svgFiles.loads() };
    },
  };

  async function withScripts({ loads, scripts: inline }: PageLoads): Promise<ElementLoad[]> {
    const all = [...loads];
    for (const { text, start, element, inContent, isInside } of inline) {
      for (const load of await loadsOfScript(text)) {
        const name = element === 'script' ? load.element : `${element} ${load.element.replace(/^script /, '')}`;
        const rewritable = load.rewritable && element === 'script';
        all.push({ ...load, element: name, start: isInside ? start : start + load.start, inContent, rewritable });
      }
    }
    return all;
  }

  async function fileLoads(file: string, text: string, isModule: boolean): Promise<PlacedLoad[]> {
    if (pageFile.test(file)) {
      // Every second byte of ASCII in UTF-16 is zero. Line breaks stay, so the reported lines are right.
      const page = text.replaceAll('\0', '');
      const found = fixedPageLoads(page);
      svgFiles.note(found.svgs);
      const loads: Load[] = [...(/\.x[^.]*$/i.test(file) ? xmlStylesheets(page) : []), ...(await withScripts(found))];
      return placeLoads(page, loads.map(fixed));
    }
    if (/\.css$/i.test(file)) return placeLoads(text, styleLoads(text));
    if (scriptFile.test(file)) {
      const loads = await loadsOfScript(text);
      // Modules become one script, which receives the URLs of their files; other scripts stay unchanged.
      const isBundled = loads.some(({ rewritable }) => rewritable) && (isModule || (await isModuleText(text)));
      return placeLoads(text, isBundled ? loads : loads.map(fixed));
    }
    return placeLoads(text, manifestLoads(text));
  }
}

function fixed(load: Load): Load {
  return { ...load, rewritable: false };
}
