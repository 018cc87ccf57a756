// A diagram's Mermaid source → SVG.
import { finishedTree, type FinishedNode, toSvg } from './finish.ts';
import { type Scheme, themeVariables } from './palette.ts';
import { hasDerivedColors, joinColors, readableTexts } from './tree-colors.ts';
import type { Drawing } from '../../markdown/diagram-drawer.ts';
import { drawingId, openWindow } from './window.ts';
import type { Mermaid } from '../../../integration/reader/shared/events.ts';
import { errorMessage } from '../../../integration/errors.ts';
import { diagramSettings, safeSource } from '../../../integration/reader/diagrams/settings.ts';

export interface MermaidScript {
  openMermaid(Image: unknown, styleElement: () => Element): Mermaid;
}

/** Longest source in characters: Mermaid's own limit. */
const longest = 50_000;

export function createDrawer({ openMermaid }: MermaidScript): (source: string) => Promise<Drawing> {
  const window = openWindow();
  class EmptyImage {
    naturalWidth = 48;
    naturalHeight = 48;
    decode() {
      return Promise.resolve();
    }
  }
  const mermaid = openMermaid(EmptyImage, window.styleElement);

  async function tree(source: string, scheme: Scheme): Promise<FinishedNode> {
    window.clear();
    mermaid.initialize({ ...diagramSettings, fontFamily: 'Inter', themeVariables: themeVariables(scheme), logLevel: 'fatal' });
    const drawn = await window.drawnBy(() => mermaid.render(drawingId, source));
    return finishedTree(drawn);
  }

  return async (written) => {
    if (written.length > longest) return { fault: `It has more than ${longest} characters`, isInSource: true };
    const source = safeSource(written);
    try {
      const light = await tree(source, 'light');
      joinColors(light, hasDerivedColors(light, source) ? await tree(source, 'dark') : undefined);
      readableTexts(light);
      const [, , width = 0, height = 0] = (light.attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
      if (!(width > 0 && height > 0)) throw new Error('The drawing has no size.');
      light.attributes.set('width', String(width));
      light.attributes.set('height', String(height));
      light.attributes.delete('preserveAspectRatio');
      return { svg: toSvg(light), width };
    } catch (error) {
      const faultInSource = await parseError(source);
      return { fault: errorMessage(faultInSource ?? error), isInSource: faultInSource !== undefined };
    }
  };

  async function parseError(source: string): Promise<unknown> {
    try {
      window.clear();
      mermaid.initialize({ ...diagramSettings, logLevel: 'fatal' });
      await mermaid.parse(source);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
