// The logo of a site as a card can show it.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { imageSize } from 'image-size';
import { errorMessage } from '../../integration/errors.ts';

export interface Logo {
  bytes: Uint8Array;
  digest: string;
  width: number;
  height: number;
}

const mostBytes = 1_000_000;
const mostPixels = 4_000_000;
// Each card draws the logo anew, and strokes of a large file take seconds.
const mostSvgBytes = 64_000;
const mostSvgWidth = 16_384;
const mostElements = 2000;
const deepest = 64;

/** The logo, or why cards do not show it: "is larger than 1 MB". */
export async function readLogo(file: string): Promise<{ logo?: Logo; fault?: string }> {
  try {
    if (statSync(file).size > mostBytes) return { fault: 'is larger than 1 MB' };
    const bytes = await readFile(file);
    const { width, height, type } = imageSize(bytes);
    if (type === 'svg') {
      if (bytes.length > mostSvgBytes) return { fault: 'is an SVG file larger than 64 KB' };
      const fault = svgFault(bytes.toString());
      if (fault !== undefined) return { fault };
      if (width > mostSvgWidth || height > mostSvgWidth) return { fault: `is ${width} × ${height} units large` };
    } else if (!['png', 'jpg', 'webp'].includes(type ?? '')) return { fault: 'is neither SVG, PNG, JPEG nor WebP' };
    if (!(width > 0 && height > 0)) return { fault: 'has no size' };
    if (type !== 'svg' && width * height > mostPixels) return { fault: `has ${width} × ${height} pixels` };
    return { logo: { bytes, digest: hash('sha256', bytes), width, height } };
  } catch (error) {
    return { fault: `cannot be read: ${errorMessage(error)}` };
  }
}

const drawn = new Set([
  ...['svg', 'g', 'defs', 'title', 'desc', 'metadata', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
  ...['lineargradient', 'radialgradient', 'stop', 'clippath', 'mask', 'style', 'text', 'tspan'],
]);

/**
 * Why an SVG file is not drawn. Only shapes and Latin texts are: scripts and other files are not for a build, and what is used in
 * several places (`use`, `pattern`, references inside masks) can take forever.
 */
export function svgFault(text: string): string | undefined {
  const faults: string[] = [];
  const path: string[] = [];
  let elements = 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.toLowerCase();
        path.push(name);
        elements += 1;
        depth = Math.max(depth, path.length);
        // Editors describe their files in elements of their own, with a prefix.
        const isForeign = name.includes(':');
        if (!drawn.has(name) && !isForeign) faults.push(`has <${name}>`);
        for (const [attribute, value] of Object.entries(attributes)) {
          if (attribute.startsWith('xmlns:') && value.includes('www.w3.org/2000/svg'))
            faults.push('has a prefix for SVG elements');
          if (attribute.startsWith('on')) faults.push(`has the script "${attribute}"`);
          if (/(?:^|:)href$/.test(attribute) && !value.startsWith('#') && !isForeign) faults.push('refers to other files');
          if (/url\(/i.test(value)) checkReference(value);
        }
      },
      ontext(value) {
        if (path.at(-1) === 'style' && /url\(|@import|\\/i.test(value)) faults.push('has references in its styles');
        // What draws has a font of its own, and uses none of the system.
        if (/^t(?:ext|span)$/.test(path.at(-1) ?? '') && /[^\s\x20-\xff]/.test(value))
          faults.push('has a text with letters beyond Latin-1');
      },
      onclosetag: () => void path.pop(),
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeSelfClosing: true, decodeEntities: true },
  );
  const checkReference = (value: string) => {
    if (!/^[^(]*url\(\s*["']?#[^()]*\)[^(]*$/i.test(value)) faults.push('refers to other files');
    else if (path.some((name) => name === 'mask' || name === 'clippath')) faults.push('has references inside a mask');
  };
  if (/<!(?:DOCTYPE|ENTITY)[^>]*\[/i.test(text)) return 'declares entities';
  // Chunks, so that a file of many elements is not read to its end.
  for (let at = 0; at < text.length && faults.length === 0 && elements <= mostElements && depth <= deepest; at += 4096)
    parser.write(text.slice(at, at + 4096));
  parser.end();
  if (elements > mostElements) return `has more than ${mostElements} elements`;
  if (depth > deepest) return `has more than ${deepest} elements inside each other`;
  return faults[0];
}
