import { apart, element } from '../tree.ts';
import type { Component } from './index.ts';
import { isOn, text, texts } from './props.ts';

const places = ['path', 'body', 'query', 'header'] as const;

/** ParamField and ResponseField: a named value with its type and conditions. */
export const field: Component = (props, children, context) => {
  const place = places.find((name) => props[name] !== undefined);
  const name = text(props.name) ?? (place && text(props[place])) ?? '';
  const given = props.default ?? props.initialValue;
  const fallback = typeof given === 'boolean' || given === null ? String(given) : text(given);
  const pill = (word: string) => element('span', { class: 'c-field-pill' }, [word]);
  return element(
    'div',
    {
      class: 'c-field',
      'data-anchor': name ? anchor(name) : null,
      'data-alias': /\p{Ll}\p{Lu}/u.test(name) ? anchor(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '-')) : null,
    },
    [
      element(
        'div',
        { class: 'c-field-head' },
        apart([
          ...texts(props.pre).map(pill),
          name && element('code', { class: 'c-field-name' }, [name]),
          ...texts(props.post).map(pill),
          text(props.type) && element('span', { class: 'c-field-type' }, [text(props.type)]),
          place && element('span', { class: 'c-field-location' }, [place]),
          isOn(props.required) && element('span', { class: 'c-field-required' }, ['required']),
          isOn(props.deprecated) && element('span', { class: 'c-field-deprecated' }, ['deprecated']),
          fallback !== undefined &&
            fallback !== '' &&
            element('span', { class: 'c-field-default' }, ['default: ', element('code', {}, [fallback])]),
        ]),
      ),
      element('div', { class: 'c-field-body' }, [
        ...children(),
        text(props.description) && element('p', {}, context.inlineMarkdown(props.description)),
      ]),
    ],
  );
};

/** `retryOn` is found as `param-retryon`, and as `param-retry-on` by those who write it so. */
function anchor(name: string): string {
  return `param-${name.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '-')}`;
}
