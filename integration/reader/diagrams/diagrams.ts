// The script of diagrams: draws those that the export left as Mermaid source, with Mermaid itself, for light and for dark pages.
import { element } from '../shared/elements.ts';
import { DRAW_DIAGRAMS, type DiagramRequest, type Mermaid } from '../shared/events.ts';
import { diagramSettings, loadsFile, safeSource } from './settings.ts';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** To what part of its size a diagram shrinks. */
const SMALLEST = 0.75;

let drawn = 0;

document.addEventListener(DRAW_DIAGRAMS, ({ detail }) => void drawDiagrams(detail));

/** Draws the diagrams of a page one after the other. One that Mermaid does not understand stays code, with its message. */
async function drawDiagrams({ figures, openMermaid }: DiagramRequest): Promise<void> {
  const mermaid = openMermaid(EmptyImage, adoptedStyle);
  const palettes = { light: colorsOf('light'), dark: colorsOf('dark') };
  for (const figure of figures) {
    const source = figure.querySelector('code')?.textContent ?? '';
    try {
      const drawings: Element[] = [];
      for (const scheme of SCHEMES) drawings.push(await draw(source, figure, { mermaid, scheme, colors: palettes[scheme] }));
      figure.append(...drawings);
      figure.classList.add('c-diagram-drawn');
    } catch (error) {
      const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      const sentence = (figure.dataset['carrelFault'] ?? '{message}').replace('{message}', () => message);
      figure.append(element('p', { class: 'c-diagram-fault' }, sentence));
    }
  }
}

async function draw(
  source: string,
  figure: HTMLElement,
  { mermaid, scheme, colors }: { mermaid: Mermaid; scheme: Scheme; colors: object },
): Promise<Element> {
  mermaid.initialize({
    ...diagramSettings,
    fontFamily: getComputedStyle(figure).fontFamily,
    themeVariables: colors,
  });
  const { svg } = await mermaid.render(`carrel-diagram-${++drawn}`, safeSource(source));
  const drawing = safeDrawing(svg);
  const label = figure.querySelector('.c-diagram-label')?.textContent ?? '';
  const width = drawing.viewBox.baseVal.width;
  // A wide diagram scrolls before its text becomes too small.
  drawing.style.maxWidth = `${width}px`;
  drawing.style.width = `max(100%, ${width * SMALLEST}px)`;
  drawing.setAttribute('role', 'img');
  drawing.removeAttribute('aria-roledescription');
  if (label !== '') drawing.setAttribute('aria-label', label);
  return element('div', { class: `c-diagram-drawing c-diagram-${scheme}`, tabindex: '0' }, drawing);
}

/** Without links, scripts, HTML and files from external origins, in a document that loads nothing. */
function safeDrawing(svg: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!parsed) throw new Error('it gave no drawing.');
  for (const unsafe of parsed.querySelectorAll('script, style, image, use, foreignObject')) unsafe.remove();
  for (const one of [parsed, ...parsed.querySelectorAll('*')]) {
    for (const { name, value } of [...one.attributes]) {
      if (/^on|href$/i.test(name) || loadsFile(value)) one.removeAttribute(name);
    }
  }
  return document.importNode(parsed, true);
}

/** Images in diagrams stay empty: Mermaid would load them from any host, already while it measures a drawing. */
class EmptyImage {
  naturalWidth = 48;
  naturalHeight = 48;
  decode() {
    return Promise.resolve();
  }
}

/** Takes the place of a style element, which a Content-Security-Policy can forbid. The rules are limited to the drawing by its id. */
function adoptedStyle(): Element {
  const place = document.createElementNS('http://www.w3.org/2000/svg', 'metadata');
  const set = (css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(loadsFile(css) ? '' : css);
    document.adoptedStyleSheets.push(sheet);
  };
  return Object.defineProperty(place, 'innerHTML', { set });
}

/** Mermaid derives colors from these, so it needs them as numbers. */
function colorsOf(scheme: Scheme): object {
  const probe = element('span', { style: `color-scheme: ${scheme}` });
  document.body.append(probe);
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })!;
  const color = (name: string) => {
    probe.style.color = `var(--${name})`;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
  const [background, surface, border, text, muted] = ['background', 'surface', 'border-strong', 'heading', 'muted'].map(color);
  probe.remove();
  return {
    darkMode: scheme === 'dark',
    dropShadow: 'none',
    background,
    fontSize: '14px',
    primaryColor: surface,
    primaryTextColor: text,
    primaryBorderColor: border,
    lineColor: muted,
    textColor: text,
    mainBkg: surface,
    nodeBorder: border,
    clusterBkg: background,
    clusterBorder: border,
    edgeLabelBackground: background,
    noteBkgColor: surface,
    noteTextColor: text,
    noteBorderColor: border,
  };
}
