import { hash } from 'node:crypto';
import { escapeHtml } from '../text/escape.ts';

/**
 * The page that hosts show for a missing URL, at any depth. Its URLs are relative to the site's root, which a script before all of them finds:
 * `base` if the site is there, else the folder closest to the URL that has a site, else `fallback`. The script of pages without `base` is
 * the same in every export, so that a content security policy can contain its hash. On `file://` the page is opened at its own path.
 * `<html data-carrel-redirect>` is the path of the root that the reader is led to instead.
 */
export function withRootFinder(html: string, base?: string, fallback?: string): string {
  const script = `(${findRoot})(${base === undefined ? '' : JSON.stringify(base)})`;
  const at = /<head(?:\s[^>]*)?>/i.exec(html) ?? /<html(?:\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html);
  const position = at ? at.index + at[0].length : 0;
  const last = fallback === undefined ? '' : `<base href="${escapeHtml(fallback)}">`;
  const page = `${html.slice(0, position)}<script>${script}</script>${last}${html.slice(position)}`;
  // A content security policy of the page that lists its scripts must list this one, too.
  const source = `'sha256-${hash('sha256', script, 'base64')}'`;
  return page.replace(/(<meta[^>]+content-security-policy[^>]+?\bscript-src(?:-elem)?)(?=\s)/gi, `$1 ${source}`);
}

/**
 * Whether a path is that of such a page, or of its translation: `404`, `pt-br/404`. No one requests it by name, so it is neither
 * found nor listed, and does not need Markdown. `errors/404` is a page about an error.
 */
export function isMissingPage(path: string): boolean {
  return /^(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?404(?:\.html)?$/i.test(path);
}

// The requests are synchronous: no later element may be parsed before the root is known.
const findRoot = `base=>{
const use=root=>{const element=document.createElement("base");element.href=root;document.head.prepend(element)};
if(location.protocol==="file:"||/\\/404(\\.html)?$/.test(location.pathname))return base==null&&use("404.html");
const parts=location.pathname.split("/").slice(1,-1),roots=base?[base]:[];
for(let n=parts.length;n>=0;n--)roots.push("/"+parts.slice(0,n).map(part=>part+"/").join(""));
for(const root of new Set(roots)){const request=new XMLHttpRequest();
try{request.open("HEAD",root+"carrel.config.js",false);request.send()}catch{continue}
if(request.status!==200||!/javascript/.test(request.getResponseHeader("content-type")))continue;
const to=document.documentElement.dataset.carrelRedirect;
if(to!=null){stop();return location.replace(root+to)}
return use(root)}}`.replaceAll('\n', '');
