/** Name under which an element is written, or undefined when it is not allowed (its children stay). */
export function safeTag(name: string): string | undefined {
  const lower = name.toLowerCase();
  return tags.has(lower) ? lower : svgTags.get(lower);
}

/** Elements that go with all they hold. */
export function isRemovedWhole(name: string): boolean {
  return removed.has(name.toLowerCase());
}

const words = (text: string) => text.trim().split(/\s+/);

const tags = new Set(
  words(`a abbr address article aside audio b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd li main mark nav ol p picture pre q rp rt ruby s samp
  section small source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr`),
);
const svgTags = new Map(
  words(`svg g path circle ellipse line polyline polygon rect text tspan defs symbol use clipPath mask linearGradient radialGradient stop
  pattern marker title desc`).map((name) => [name.toLowerCase(), name]),
);
const removed = new Set(
  words(`script style template noscript object embed applet form math base link meta head title frame frameset noembed noframes plaintext
  xmp listing textarea select option button-group animate animatemotion animatetransform set foreignobject`),
);
removed.delete('title');
