/** The docstrings of interfaces, read from their text: no types are checked. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { readable } from '../schemas/sources.js';

/** Declarations by name: several of an overloaded method, and of what alternatives share. */
export type Members = ReadonlyMap<string, readonly ts.Node[]>;

/** The name of all members of a mapped type. They have no docstrings. */
export const EACH = '*';

const files = new Map<string, ts.SourceFile>();

function fileAt(path: string): ts.SourceFile {
  const file = files.get(path) ?? ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  files.set(path, file);
  return file;
}

/** Returns the interface or the type that a file declares or imports. None for types of others. */
export function declared(name: string, path: string): ts.Node[] {
  return fileAt(path).statements.flatMap((one) => {
    if (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) return one.name.text === name ? [one] : [];
    if (!ts.isImportDeclaration(one) || !ts.isStringLiteral(one.moduleSpecifier)) return [];
    const names = one.importClause?.namedBindings;
    const found = names && ts.isNamedImports(names) && names.elements.find((each) => each.name.text === name);
    const { text: from } = one.moduleSpecifier;
    if (!found || !from.startsWith('.')) return [];
    return declared((found.propertyName ?? found.name).text, resolve(path, '..', from.replace(/js$/, 'ts')));
  });
}

/** Returns the members of types, with those of what they extend and of their alternatives. */
export function membersOf(types: readonly ts.Node[]): Members {
  const members = new Map<string, readonly ts.Node[]>();
  const add = (name: string, nodes: readonly ts.Node[]) => members.set(name, [...(members.get(name) ?? []), ...nodes]);
  for (const type of types) {
    if (ts.isMappedTypeNode(type)) add(EACH, [type.parent]);
    if (ts.isInterfaceDeclaration(type) || ts.isTypeLiteralNode(type)) {
      for (const member of type.members) if (member.name !== undefined) add(nameOf(member.name), [member]);
    }
    for (const [name, nodes] of membersOf(partsOf(type))) if (isKept(type, name)) add(name, nodes);
  }
  return members;
}

const nameOf = (name: ts.PropertyName): string => (ts.isStringLiteral(name) ? name.text : name.getText());

/** Returns the types that a type is made of, or refers to. */
export function partsOf(type: ts.Node): readonly ts.Node[] {
  if (ts.isInterfaceDeclaration(type)) return (type.heritageClauses ?? []).flatMap(({ types }) => types);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types;
  if (ts.isArrayTypeNode(type)) return [type.elementType];
  if (ts.isTypeAliasDeclaration(type) || ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
    return [type.type];
  if (ts.isIndexedAccessTypeNode(type)) {
    return typesOf(membersOf([type.objectType]).get(type.indexType.getText().replaceAll("'", '')) ?? []);
  }
  if (!isReference(type)) return [];
  const found = declared(referred(type), type.getSourceFile().fileName);
  return found.length > 0 ? found : (type.typeArguments ?? []).slice(0, 1);
}

const isReference = (type: ts.Node): type is ts.TypeReferenceNode | ts.ExpressionWithTypeArguments =>
  ts.isTypeReferenceNode(type) || ts.isExpressionWithTypeArguments(type);

const referred = (type: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments): string =>
  (ts.isTypeReferenceNode(type) ? type.typeName : type.expression).getText();

/** False for what `Omit` leaves out and `Pick` does not take. */
function isKept(type: ts.Node, name: string): boolean {
  if (!isReference(type)) return true;
  const names = type.typeArguments?.[1]?.getText() ?? '';
  const isNamed = names.includes(`'${name}'`);
  return referred(type) === 'Omit' ? !isNamed : referred(type) !== 'Pick' || isNamed;
}

/** Returns the types of members, and of parameters with a name. */
export const typesOf = (nodes: readonly ts.Node[]): ts.Node[] =>
  nodes.flatMap((node) => ((ts.isPropertySignature(node) || ts.isParameter(node)) && node.type ? [node.type] : []));

export const parametersOf = (methods: readonly ts.Node[], name: string): ts.Node[] =>
  methods.flatMap((one) =>
    ts.isMethodSignature(one) ? one.parameters.filter((each) => each.name.getText() === name) : [],
  );

/**
 * Returns the first docstring, of overloads all, without tags and examples in TypeScript. The
 * docstring of a parameter is its `@param`.
 */
export function docOf(nodes: readonly ts.Node[]): string | undefined {
  const texts = nodes.flatMap((node) => {
    const [doc] = ts.isParameter(node) ? ts.getJSDocParameterTags(node) : ts.getJSDocCommentsAndTags(node);
    return readable(ts.getTextOfJSDocComment(doc?.comment)?.replace(/^- /, '') ?? '') ?? [];
  });
  return nodes.every(ts.isMethodSignature) && texts.length > 0 ? texts.join(' ') : texts[0];
}
