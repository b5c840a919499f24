/** The package's declarations, read by the TypeScript compiler. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Types and docstrings of the sources. */
export class Sources {
  readonly checker: ts.TypeChecker;
  readonly #program: ts.Program;

  constructor() {
    const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
    const entries = ['src/index.ts', 'src/sandbox/index.ts', 'src/webhooks/index.ts'].map((path) => join(ROOT, path));
    this.#program = ts.createProgram(entries, options);
    this.checker = this.#program.getTypeChecker();
  }

  /** Returns the type that a file exports under a name: of a class, that of its instances. */
  exported(path: string, name: string): ts.Type {
    const file = this.#program.getSourceFile(join(ROOT, path));
    const module = file && this.checker.getSymbolAtLocation(file);
    const found = module && this.checker.getExportsOfModule(module).find((symbol) => symbol.name === name);
    if (found === undefined) throw new Error(`${path} exports no ${name}`);
    const target = found.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found;
    return this.checker.getDeclaredTypeOfSymbol(target);
  }

  /** Returns the member of a type at a path of names, for example `['users', 'get']`. */
  memberAt(type: ts.Type, path: readonly string[]): ts.Symbol | undefined {
    let member: ts.Symbol | undefined;
    let owner = type;
    for (const name of path) {
      member = this.checker.getPropertyOfType(owner, name);
      if (member === undefined) return undefined;
      owner = this.checker.getTypeOfSymbol(member);
    }
    return member;
  }

  /** Returns the signature of a method: of several, the one with the most parameters. */
  signatureOf(method: ts.Symbol): ts.Signature | undefined {
    const signatures = this.checker.getTypeOfSymbol(method).getCallSignatures();
    return signatures.toSorted((a, b) => b.parameters.length - a.parameters.length)[0];
  }

  /** Returns a docstring without its tags and its examples in TypeScript; undefined without one. */
  docOf(symbol: ts.Symbol): string | undefined {
    return readable(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)));
  }

  /** Returns the texts of the tags of one kind, for example of each `@throws`. */
  tagsOf(symbol: ts.Symbol, tag: string): string[] {
    return symbol
      .getJsDocTags(this.checker)
      .filter(({ name }) => name === tag)
      .map(({ text }) => readable(ts.displayPartsToString(text)) ?? '');
  }

  /** Returns the description of a parameter, from its `@param`. */
  docOfParameter(method: ts.Symbol, name: string): string | undefined {
    const tag = this.tagsOf(method, 'param').find((text) => text.split(' ', 1)[0] === name);
    return tag?.slice(name.length).replace(/^[\s-]+/, '') || undefined;
  }
}

/** Joins the lines of each paragraph. An example in TypeScript is of no use to other languages. */
export function readable(text: string): string | undefined {
  const paragraphs = text
    .replaceAll('`nextPageToken`', '`next_page_token`')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => (/^\s*[-*] /.test(paragraph) ? paragraph.trim() : paragraph.trim().replace(/\s*\n\s*/g, ' ')))
    .filter((paragraph) => paragraph !== '');
  return paragraphs.join('\n\n').replace(/:(\n\n|$)/g, '.$1') || undefined;
}
