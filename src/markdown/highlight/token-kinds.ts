// What the tokens of code are. Each kind is a class `sk-<kind>`, whose colors are in `styles/code.css`.

/** A part of a code, from and to a position in it, in UTF-16 code units. Parts are in order and do not overlap. */
export interface Token {
  from: number;
  to: number;
  kind: TokenKind;
}

/** The tokens of a code that are not plain text. */
export type Tokenizer = (code: string) => Token[];

/**
 * Kinds with their scopes in grammars and themes of TextMate. Of equally specific scopes the last one wins. Tokens without a listed scope are
 * plain text.
 */
export const tokenKinds = {
  keyword: `keyword, storage, storage.type, keyword.control, keyword.operator.new, keyword.operator.expression, variable.language,
    punctuation.definition.keyword`,
  plain: `keyword.operator, storage.modifier.import, storage.type.java, storage.type.annotation, punctuation, meta.embedded,
    source, variable.other.readwrite, string.unquoted.argument`,
  string: `string, punctuation.definition.string, markup.inline.raw, markup.fenced_code, constant.other.symbol, string.quoted,
    string punctuation.section.embedded source, string.unquoted.plain.out.yaml`,
  constant: `constant, constant.numeric, constant.language, constant.character, entity.name.constant, variable.other.constant,
    support.constant, keyword.other.unit, variable.other.enummember`,
  comment: 'comment, punctuation.definition.comment, string.comment',
  function: `entity.name.function, support.function, meta.function-call.generic, entity.name.command, support.function.builtin,
    variable.function, entity.name.function-call`,
  type: `entity.name.type, entity.name.class, entity.name.namespace, support.type, support.class, entity.other.inherited-class,
    storage.type.primitive, storage.type.numeric, entity.name.scope-resolution`,
  property: `variable.other.property, support.type.property-name, meta.object-literal.key, meta.property-name, variable.parameter,
    entity.name.tag.yaml, variable.other.object.property, punctuation.support.type.property-name,
    keyword.other.definition.ini, support.type.property-name.json, constant.other.option`,
  tag: 'entity.name.tag, support.class.component',
  attribute: 'entity.other.attribute-name, meta.decorator, storage.type.annotation, punctuation.decorator',
  regexp: 'string.regexp, constant.regexp, string.regexp constant.character.escape, constant.other.character-class.regexp',
  variable: `variable.other.normal.shell, punctuation.definition.variable.shell, variable.parameter.positional.shell,
    variable.other.php, variable.scss, variable.language.this`,
  heading: 'markup.heading, markup.heading entity.name, entity.name.section',
  bold: 'markup.bold',
  italic: 'markup.italic',
  inserted: 'markup.inserted, meta.diff.header.to-file, punctuation.definition.inserted',
  deleted: 'markup.deleted, meta.diff.header.from-file, punctuation.definition.deleted',
  changed: 'meta.diff.range, meta.diff.header, markup.changed',
};

export type TokenKind = keyof typeof tokenKinds;

export const kindsWithScopes = Object.entries(tokenKinds).map(
  ([kind, scopes]) => [kind as TokenKind, scopes.split(/,\s+/)] as const,
);
