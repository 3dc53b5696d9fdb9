import { join, relative } from 'node:path';
import ts from 'typescript';

/** A public door of the package, and the file in which its surface is written down. */
export interface ApiReport {
  readonly path: string;
  readonly text: string;
}

/** Doors of package.json that other people's programs are compiled against. */
const DOORS = ['constructs', 'fleet', 'model'];

/**
 * The public surface of each door, from the compiler's own declarations: what is in `etc/*.api.md` changes
 * only by a commit that shows it, so that nobody's app is broken unawares.
 */
export function apiReports(root: string): readonly ApiReport[] {
  const program = programOf(root);
  const declarations = declarationsOf(program);
  return DOORS.map((door) => ({
    path: `etc/${door}.api.md`,
    text: page(door, surfaceOf(program, root, door, declarations)),
  }));
}

/** As the library is built, without comments: what they say is no promise to a compiler. */
function programOf(root: string): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const file = join(root, 'tsconfig.library.json');
  const config = ts.getParsedCommandLineOfConfigFile(file, { removeComments: true }, host);
  if (config === undefined) throw new Error(`${file} cannot be read`);
  const doors = DOORS.map((door) => join(root, door, 'index.ts'));
  return ts.createProgram(doors, config.options);
}

/** Text of each declaration file by the path of its source, seen from the root and without an ending. */
function declarationsOf(program: ts.Program): ReadonlyMap<string, string> {
  const { outDir = '' } = program.getCompilerOptions();
  const texts = new Map<string, string>();
  const keep = (file: string, text: string): void => {
    texts.set(relative(outDir, file).replace(/\.d\.ts$/, ''), text);
  };
  program.emit(undefined, keep, undefined, true);
  return texts;
}

/** One declaration of each name that a door exports, sorted by name. */
function surfaceOf(
  program: ts.Program,
  root: string,
  door: string,
  declarations: ReadonlyMap<string, string>,
): readonly string[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(root, door, 'index.ts'));
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${door} exports nothing`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => {
      const aliased = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const original = aliased ? checker.getAliasedSymbol(symbol) : symbol;
      const source = original.declarations?.[0]?.getSourceFile().fileName ?? '';
      const text = declarations.get(relative(root, source).replace(/\.ts$/, ''));
      if (text === undefined) throw new Error(`${symbol.name} is declared in no file of ours`);
      return { name: symbol.name, text: declarationOf(original.name, text) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text);
}

/** All top-level statements of a name (a type and a value may share it), without private members. */
function declarationOf(name: string, text: string): string {
  const source = ts.createSourceFile('door.d.ts', text, ts.ScriptTarget.Latest, true);
  const found = source.statements.filter((each) => namesOf(each).includes(name));
  return found
    .map((each) =>
      each.getText(source).replaceAll(/^\s+private (?:static )?(?:readonly )?.*;\n/gm, ''),
    )
    .join('\n');
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const name = isNamed(statement) ? statement.name : undefined;
  return name === undefined ? [] : [name.getText()];
}

function isNamed(statement: ts.Statement) {
  return (
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  );
}

function page(door: string, declarations: readonly string[]): string {
  return [
    `# meshscale/${door}`,
    '',
    'What other programs may use, made by `npm run generate`. A change here is a change for them: it',
    'belongs into the changelog.',
    '',
    '```ts',
    declarations.join('\n\n'),
    '```',
    '',
  ].join('\n');
}
