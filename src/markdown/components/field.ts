import { tagClass } from '../../../integration/text/tag-class.ts';
import type { Component } from '../context.ts';
import { spaced, element } from '../tree.ts';
import { isOn, text, texts } from './props.ts';

const locations = ['path', 'body', 'query', 'header'] as const;

/** ParamField and ResponseField: a named value with its type and constraints. */
export const field: Component = (props, children, context) => {
  const location = locations.find((name) => props[name] !== undefined);
  const name = text(props.name) ?? (location && text(props[location])) ?? '';
  const typeHref = props.typeHref === undefined ? undefined : context.linkUrl(props.typeHref);
  const given = props.default ?? props.initialValue;
  const fallback = typeof given === 'boolean' || given === null ? String(given) : text(given);
  const pill = (word: string) => element('span', { class: 'c-field-pill' }, [word]);
  return element(
    'div',
    {
      class: 'c-field',
      'data-anchor': name ? fieldAnchor(text(props.id) ?? name) : null,
      'data-alias': alias(name, location, text(props.id)),
    },
    [
      element(
        'div',
        { class: 'c-field-head' },
        spaced([
          ...texts(props.pre).map(pill),
          name && element('code', { class: 'c-field-name' }, [name]),
          ...texts(props.post).map(pill),
          text(props.type) &&
            element('span', { class: 'c-field-type' }, [
              typeHref ? element('a', { href: typeHref }, [text(props.type)]) : text(props.type),
            ]),
          location && element('span', { class: 'c-field-location' }, [location]),
          isOn(props.required) && element('span', { class: 'c-field-required' }, [context.labels.required]),
          isOn(props.deprecated) && element('span', { class: 'c-field-deprecated' }, [context.labels.deprecated]),
          fallback !== undefined &&
            fallback !== '' &&
            element('span', { class: 'c-field-default' }, [`${context.labels.default}: `, element('code', {}, [fallback])]),
        ]),
      ),
      element('div', { class: 'c-field-body' }, [
        ...children(),
        text(props.description) && element('p', {}, context.inlineMarkdown(props.description)),
      ]),
    ],
  );
};

/** The hosted format's other anchors: `body-retry-on` and `response-retry-on` for fields in a specification, and `param-retry-on`. */
function alias(name: string, location: string | undefined, id: string | undefined): string | null {
  const words = (text: string) => text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '-');
  if (location === 'body' && id !== undefined) return fieldAnchor(words(id)).replace(/^param-/, 'body-');
  const [, response] = location === undefined ? (/^(?:\dXX|\d{3})-(.+)$/.exec(id ?? '') ?? []) : [];
  const written = fieldAnchor(words(name)).replace(/^param-+/, 'param-');
  const aliases = [
    written !== fieldAnchor(name) && written,
    response && fieldAnchor(words(response)).replace(/^param-/, 'response-'),
  ].filter(Boolean);
  return aliases.join(' ') || null;
}

/** The anchor of `retryOn` is `param-retryon`; `param-retry-on` is its alias. That of `--wait` is `param--wait`, with `param-wait` as alias. */
export function fieldAnchor(name: string): string {
  return `param-${name.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '-')}`;
}

/** The method and path of an operation. */
export const endpoint: Component = (props, _children, context) => {
  const method = text(props.method) ?? '';
  const script = text(props.script);
  return element(
    'p',
    { class: 'c-endpoint' },
    spaced([
      element('span', { class: `c-method ${tagClass(method)}` }, [method]),
      element('code', {}, [text(props.path) ?? '']),
      // The page's script shows it.
      script !== undefined &&
        element('button', { type: 'button', class: 'c-try', 'data-carrel-operation': script, hidden: true }, [
          context.labels.tryIt,
        ]),
    ]),
  );
};
