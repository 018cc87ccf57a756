// The script of the playground, loaded when a reader opens one.
import { loadSite, pageVariant } from '../core/site.ts';
import { OPEN_PLAYGROUND } from '../shared/events.ts';
import { load } from '../shared/loader.ts';
import { Playground } from './panel.ts';
import { Texts, type PlaygroundLabels } from './texts.ts';

if (!customElements.get('carrel-playground')) {
  customElements.define('carrel-playground', Playground);
  document.addEventListener(OPEN_PLAYGROUND, ({ detail: { operation, opened, failed } }) => {
    loadTexts()
      .then((texts) => {
        opened();
        const playground = new Playground();
        document.body.append(playground);
        playground.open(operation, texts);
      })
      .catch(failed);
  });
}

async function loadTexts(): Promise<Texts> {
  const { language } = pageVariant();
  const { playgroundLabels: scripts = {} } = await loadSite();
  const [any = ''] = Object.values(scripts);
  return new Texts(await load<PlaygroundLabels>(scripts[language] ?? any), language);
}
