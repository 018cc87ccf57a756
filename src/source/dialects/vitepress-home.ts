// The home page of VitePress, which is all frontmatter: `layout: home` with a hero and features. https://vitepress.dev/reference/default-theme-home-page
import { objectOf } from '../../../integration/text/json.ts';
import { blockLine } from './blocks.ts';

/** Lines for the beginning of the body; none for another page. */
export function vitepressHome(frontmatter: Record<string, unknown>): string[] {
  if (frontmatter.layout !== 'home') return [];
  const hero = objectOf(frontmatter.hero);
  const features = Array.isArray(frontmatter.features)
    ? frontmatter.features.map(objectOf).filter(({ title }) => lineOf(title))
    : [];
  const [name, text, tagline] = [lineOf(hero.name), lineOf(hero.text), lineOf(hero.tagline)];
  const title = name || text;
  return [
    ...(title && !frontmatter.title ? [`# ${title}`, ''] : []),
    ...(name && text ? [`**${text}**`, ''] : []),
    ...(tagline ? [tagline, ''] : []),
    ...imageOf(hero.image),
    ...actionsOf(hero.actions),
    ...(features.length > 0 ? [':::cards', ...features.flatMap(cardOf), ':::', ''] : []),
  ];
}

function imageOf(image: unknown): string[] {
  const { src, light, alt } = objectOf(typeof image === 'string' ? { src: image } : image);
  const source = lineOf(src) || lineOf(light);
  return source ? [`![${lineOf(alt).replace(/[[\]]/g, ' ')}](${source})`, ''] : [];
}

function actionsOf(actions: unknown): string[] {
  if (!Array.isArray(actions)) return [];
  const links = actions
    .map(objectOf)
    .flatMap(({ text, link }) => (lineOf(text) && lineOf(link) ? [`[${lineOf(text)}](${lineOf(link)})`] : []));
  return links.length > 0 ? [links.join(' · '), ''] : [];
}

function cardOf({ title, details, link, icon }: Record<string, unknown>): string[] {
  // Other icons are images, or the names of sets.
  const sign = typeof icon === 'string' && /^\p{Extended_Pictographic}/u.test(icon) ? `${icon} ` : '';
  const label = `${sign}${lineOf(title)}`;
  return [blockLine('card', lineOf(link) ? `[${label}](${lineOf(link)})` : label), lineOf(details), ':::'];
}

function lineOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : '';
}
