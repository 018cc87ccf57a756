// The reference of a query, mutation, subscription, type or directive of a GraphQL schema.
import { print, type FieldDefinitionNode, type InputValueDefinitionNode, type TypeNode } from 'graphql';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import type { MarkdownNode, Props } from '../markdown/tree.ts';
import { exampleOf } from './definition-example.ts';
import { deprecation, plainText, signatureOf, stringArgument, typeKey, type Definition } from './definitions.ts';
import { around, bulletList, code, codeBlock, component, cut, heading, markdown, paragraph, section, text } from './nodes.ts';
import { namedType } from './schema-file.ts';
import type { SchemaType } from './schema-types.ts';

/** Paths of the pages of definitions, by their names. */
export type DefinitionLinks = Readonly<Record<string, string>>;

interface Context {
  labels: ReferenceLabels;
  links: DefinitionLinks;
  definition: Definition;
}

/** Lines of a definition above which a click shows all of it: the fields with their descriptions follow. */
const longestSignature = 20;

/** The content of a definition's page after its body. `shown` is the description in the page's head. */
export function definitionNodes(
  definition: Definition,
  labels: ReferenceLabels,
  { shown, links = {} }: { shown?: unknown; links?: DefinitionLinks } = {},
): MarkdownNode[] {
  const { description, root, field, type, directive } = definition;
  const context: Context = { labels, links, definition };
  const node = field ?? directive;
  const signature = node ? plainText(node) : signatureOf(type);
  const code = cut(signature ?? '');
  return [
    ...markdown(description?.trim() === shown ? undefined : description),
    ...deprecationNodes(field?.directives),
    component('CodeBlock', { language: 'graphql', code, expandable: code.split('\n').length > longestSignature }),
    ...(root && field ? fieldNodes(root, field, context) : []),
    ...(type ? typeNodes(type, context) : []),
    ...(directive ? section(2, labels.arguments, inputNodes(directive.arguments, '', context)) : []),
  ];
}

function fieldNodes(root: NonNullable<Definition['root']>, field: FieldDefinitionNode, context: Context): MarkdownNode[] {
  const { labels, definition } = context;
  const { operation, variables, answer } = exampleOf(root, field, definition.schema);
  return [
    component('RequestExample', {}, [
      codeBlock('graphql', labels.operation, operation),
      ...(variables === undefined ? [] : [codeBlock('json', labels.variables, variables)]),
    ]),
    component('ResponseExample', {}, [codeBlock('json', 'JSON', cut(answer))]),
    ...section(2, labels.arguments, inputNodes(field.arguments, '', context)),
    heading(2, labels.returns),
    paragraph([linked(print(field.type), typeKey(namedType(field.type).name.value), context.links)]),
  ];
}

function typeNodes(type: SchemaType, context: Context): MarkdownNode[] {
  const { labels, links } = context;
  const { usesOf, possibleTypes } = context.definition.schema;
  const uses = usesOf(type.name);
  const specifiedBy = type.directives.find(({ name }) => name.value === 'specifiedBy');
  const url = specifiedBy && stringArgument(specifiedBy, 'url');
  const names = (some: readonly string[]) => bulletList(some.map((name) => [linked(name, typeKey(name), links)]));
  const possible = possibleTypes(type).slice(0, mostListed);
  return [
    ...(url === undefined ? [] : [paragraph([{ type: 'link', url, children: [text(url)] }])]),
    ...section(2, labels.fieldsOfType, [
      ...type.fields.map((field) => outputNode(field, context)),
      ...inputNodes(type.inputs, '', context),
    ]),
    ...section(
      2,
      labels.enumValues,
      type.values.map(({ name, description, directives }) =>
        component('ResponseField', { name: name.value, deprecated: deprecation(directives) !== undefined }, [
          ...markdown(description?.value),
          ...deprecationNodes(directives),
        ]),
      ),
    ),
    ...section(2, labels.implements, type.interfaces.length > 0 ? [names(type.interfaces.map(({ name }) => name.value))] : []),
    ...section(2, labels.possibleTypes, possible.length > 0 ? [names(possible)] : []),
    ...section(
      2,
      labels.usedBy,
      uses.shown.length === 0
        ? []
        : [
            bulletList(uses.shown.map((use) => [linked(use.text, use.definition, links, use.anchor)])),
            ...(uses.count > uses.shown.length ? [paragraph([text(labels.moreUses)])] : []),
          ],
    ),
  ];
}

const mostListed = 200;

function outputNode(
  { name, type, description, directives, arguments: given }: FieldDefinitionNode,
  context: Context,
): MarkdownNode {
  const inner = inputNodes(given, `${name.value}-`, context);
  return component(
    'ResponseField',
    { name: name.value, id: name.value, ...typeProps(type, context), deprecated: deprecation(directives) !== undefined },
    [
      ...markdown(description?.value),
      ...deprecationNodes(directives),
      ...around('Expandable', { title: context.labels.arguments }, inner),
    ],
  );
}

function inputNodes(given: readonly InputValueDefinitionNode[] = [], anchor: string, context: Context): MarkdownNode[] {
  return given.map(({ name, type, defaultValue, description, directives }) =>
    component(
      'ParamField',
      {
        name: name.value,
        id: `${anchor}${name.value}`,
        ...typeProps(type, context),
        required: type.kind === 'NonNullType' && defaultValue === undefined,
        deprecated: deprecation(directives) !== undefined,
        ...(defaultValue && { default: print(defaultValue) }),
      },
      [...markdown(description?.value), ...deprecationNodes(directives)],
    ),
  );
}

function typeProps(type: TypeNode, { links }: Context): Props {
  const path = links[typeKey(namedType(type).name.value)];
  return { type: print(type), ...(path !== undefined && { typeHref: `/${path}` }) };
}

function linked(name: string, definition: string, links: DefinitionLinks, anchor?: string): MarkdownNode {
  const path = links[definition];
  if (path === undefined) return code(name);
  return { type: 'link', url: `/${path}${anchor === undefined ? '' : `#${anchor}`}`, children: [code(name)] };
}

function deprecationNodes(directives: FieldDefinitionNode['directives']): MarkdownNode[] {
  return around('Warning', {}, markdown(deprecation(directives)));
}
