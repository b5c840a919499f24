/** The reference of every entry, made by TypeDoc from the sources, as Markdown. */
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import {
  Application,
  Comment,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  TSConfigReader,
} from 'typedoc';
import { PAGES, ROOT } from './paths.js';

/** Entries by the names of their folders in `src`. */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'partner-sdk',
  webhooks: 'partner-sdk/webhooks',
  redis: 'partner-sdk/redis',
  sandbox: 'partner-sdk/sandbox',
  opentelemetry: 'partner-sdk/opentelemetry',
};

/** The part of an entry with types that it does not export, but whose members its users call. */
const MEMBERS = 'members';
/**
 * The sandbox's controls, for example the type of `sandbox.clock`. Other entries export what users
 * need.
 */
const WITH_MEMBERS = 'sandbox';

/** Options of TypeDoc, and of its plugins, which its types do not know. */
const OPTIONS: object = {
  entryPoints: Object.keys(ENTRIES).map((name) =>
    join(ROOT, name === 'index' ? 'src/index.ts' : `src/${name}/index.ts`),
  ),
  tsconfig: join(ROOT, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
  internalModule: MEMBERS,
  collapseInternalModule: false,
  blockTags: ['@default', '@deprecated', '@example', '@param', '@returns', '@see', '@stability', '@throws'],
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  readme: 'none',
  name: 'Reference',
  // `npm run typecheck` does that.
  skipErrorChecking: true,
  logLevel: 'Error',
  entryFileName: 'index',
  outputFileStrategy: 'members',
  hidePageHeader: true,
  useCodeBlocks: true,
  classPropertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  parametersFormat: 'table',
};

/** Writes the reference below `reference/`. */
export async function writeReference(): Promise<void> {
  const app = await Application.bootstrapWithPlugins(OPTIONS, [new TSConfigReader()]);
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the entries');
  for (const module of project.children ?? []) nameEntry(project, module);
  liftExamples(project);
  await app.outputs.writeOutput({ name: 'markdown', path: join(PAGES, 'reference') }, project);
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors');
}

/** A table has no room for code: examples of members stand below the text of their type. */
function liftExamples(project: ProjectReflection): void {
  for (const type of project.getReflectionsByKind(ReflectionKind.Interface)) {
    if (!(type instanceof DeclarationReflection)) continue;
    for (const { name, comment } of type.children ?? []) {
      const examples = comment?.getTags('@example') ?? [];
      comment?.removeTags('@example');
      if (examples.length > 0) type.comment ??= new Comment();
      for (const example of examples) type.comment?.blockTags.push(Object.assign(example, { name }));
    }
  }
}

function nameEntry(project: ProjectReflection, module: DeclarationReflection): void {
  const name = ENTRIES[module.name];
  if (name === undefined) throw new Error(`${module.name} is no entry`);
  const members = module.children?.find((child) => child.name === MEMBERS);
  if (members !== undefined && module.name !== WITH_MEMBERS) {
    project.removeReflection(members);
    // TypeDoc leaves the heading of its group, and no list below.
    module.groups = module.groups?.filter(({ children }) => !children.includes(members)) ?? [];
  }
  module.name = name;
}

/** One page of the reference. */
export interface ReferencePage {
  /** For example `NotFoundError`. */
  readonly name: string;
  /** For example `partner-sdk/webhooks`. */
  readonly entry: string;
  /** For example `classes`. */
  readonly kind: string;
  /** Path of the Markdown file below the pages. */
  readonly path: string;
}

/** Returns the pages of what the entries have, in the order of their names. */
export function referencePages(): readonly ReferencePage[] {
  const folder = join(PAGES, 'reference');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.md') && file.name !== 'index.md')
    .map((file) => {
      const entries = Object.values(ENTRIES).toSorted((a, b) => b.length - a.length);
      const path = relative(PAGES, join(file.parentPath, file.name));
      const entry = entries.find((name) => path.startsWith(`reference/${name}/`)) ?? 'partner-sdk';
      return { name: basename(path, '.md'), entry, kind: basename(file.parentPath), path };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

export const ENTRY_NAMES: readonly string[] = Object.values(ENTRIES);
