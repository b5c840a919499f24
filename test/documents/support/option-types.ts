import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The names of the types of options, by the entry that exports them. */
const OPTION_TYPES: ReadonlyMap<string, RegExp> = new Map(
  [
    ['index', /Options$|^(CustomRequest|CustomList|Hooks)$/] as const,
    ['webhooks/index', /Options$/] as const,
    ['redis/index', /Options$/] as const,
    ['opentelemetry/index', /Options$/] as const,
    ['sandbox/index', /(Options|Input|Matcher)$/] as const,
  ].map(([name, types]) => [`${ROOT}src/${name}.ts`, types]),
);
const ENTRIES: readonly string[] = [...OPTION_TYPES.keys()];

/** An option that takes a function or an object. */
export interface ComplexOption {
  /** For example `ClientOptions.signer`. */
  readonly name: string;
  /** True if its docstring, or the one of its type, has an example. */
  readonly hasExample: boolean;
}

/** Returns the options of all entries that take a function or an object. */
export function complexOptions(): ComplexOption[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const program = ts.createProgram(ENTRIES, ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options);
  const checker = program.getTypeChecker();
  const exported = ENTRIES.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    const all = module === undefined ? [] : checker.getExportsOfModule(module);
    return all.filter(({ name }) => OPTION_TYPES.get(entry)?.test(name));
  });
  return exported.flatMap((symbol) => {
    const actual = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const type = checker.getDeclaredTypeOfSymbol(actual);
    return propertiesOf(checker, type)
      .filter((property) => isComplex(checker, checker.getTypeOfSymbol(property)))
      .map((property) => ({ name: `${symbol.name}.${property.name}`, hasExample: hasExample(checker, property) }));
  });
}

/** Returns the members of a type; of a union those of all its parts. */
function propertiesOf(checker: ts.TypeChecker, type: ts.Type): ts.Symbol[] {
  const parts = type.isUnion() ? type.types : [type];
  const byName = new Map(parts.flatMap((part) => checker.getPropertiesOfType(part)).map((one) => [one.name, one]));
  return [...byName.values()];
}

/** True for functions and objects, also in arrays. A text with a brand is a text. */
function isComplex(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some((part) => isComplex(checker, part));
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  if (!checker.isArrayType(type)) return true;
  return checker.getTypeArguments(type as ts.TypeReference).some((item) => isComplex(checker, item));
}

function hasExample(checker: ts.TypeChecker, property: ts.Symbol): boolean {
  const isExample = ({ name }: ts.JSDocTagInfo) => name === 'example';
  const owners = (property.declarations ?? []).map(({ parent }) => parent).filter(ts.isInterfaceDeclaration);
  const symbols = owners.flatMap(({ name }) => checker.getSymbolAtLocation(name) ?? []);
  return [property, ...symbols].some((symbol) => symbol.getJsDocTags(checker).some(isExample));
}
