// The declarations that a door of the library reaches, out of all that tsc writes: much of what a file exports is for other files, and no user of the
// library meets it.

import { rmSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const isSpecifier = (node: ts.Node): boolean => ts.isImportSpecifier(node) || ts.isExportSpecifier(node);

/** The statement that `declaration` is in; of a statement that imports or exports names, the one name. */
const unitOf = (declaration: ts.Node): ts.Node | undefined =>
  ts.findAncestor(declaration, (node) => isSpecifier(node) || (node.parent && ts.isSourceFile(node.parent)));

const isExported = (statement: ts.Statement): boolean =>
  ts.isExportDeclaration(statement) ||
  (ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));

/** The statements and names that the exports of `doors` are made of. */
function reachedFrom(doors: readonly ts.SourceFile[], checker: ts.TypeChecker): ReadonlySet<ts.Node> {
  const reached = new Set<ts.Node>();
  const open: ts.Node[] = doors.flatMap(({ statements }) => statements.filter(isExported));
  const reach = (symbol: ts.Symbol | undefined): void => {
    if (!symbol) return;
    for (const declaration of symbol.declarations ?? []) {
      const unit = unitOf(declaration);
      if (unit && !reached.has(unit)) open.push(unit);
    }
    if (symbol.flags & ts.SymbolFlags.Alias) reach(checker.getImmediateAliasedSymbol(symbol));
  };
  const reachAll = (module: ts.Node): void => {
    const symbol = checker.getSymbolAtLocation(module);
    if (symbol) checker.getExportsOfModule(symbol).forEach(reach);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) reach(checker.getSymbolAtLocation(node));
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.exportClause) reachAll(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && !node.qualifier && ts.isLiteralTypeNode(node.argument))
      reachAll(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  for (let unit = open.pop(); unit; unit = open.pop()) {
    if (reached.has(unit)) continue;
    reached.add(unit);
    visit(unit);
  }
  return reached;
}

/** The names in the braces of an import or export. */
function namesOf(statement: ts.Statement): ts.NamedImports | ts.NamedExports | undefined {
  const names = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : ts.isExportDeclaration(statement) && statement.exportClause;
  return names && (ts.isNamedImports(names) || ts.isNamedExports(names)) ? names : undefined;
}

/** The text of `statement` without the names that are not reached; empty if nothing of it is. */
function textOf(statement: ts.Statement, reached: ReadonlySet<ts.Node>): string {
  const names = namesOf(statement);
  if (!names) return reached.has(statement) ? statement.getFullText() : '';
  const kept = names.elements.filter((each: ts.Node) => reached.has(each) || reached.has(statement));
  if (kept.length === 0) return '';
  const whole = statement.getSourceFile().text;
  const listed = kept.map((each) => each.getText()).join(', ');
  return `${whole.slice(statement.pos, names.getStart())}{ ${listed} }${whole.slice(names.end, statement.end)}`;
}

/** tsc indents by four spaces. */
const tabs = (indent: string): string => '\t'.repeat(indent.length / 4);

/** Leaves in `folder` what `doors`, files there, reach: removes other declarations, and files in which none is left. */
export function keepReached(folder: string, doors: readonly string[]): void {
  const program = ts.createProgram(doors, { module: ts.ModuleKind.NodeNext, types: [], noLib: true });
  const opened = doors.flatMap((door) => program.getSourceFile(door) ?? []);
  const reached = reachedFrom(opened, program.getTypeChecker());
  for (const file of ts.sys.readDirectory(folder, ['.d.ts'])) {
    const statements = program.getSourceFile(file)?.statements ?? [];
    const text = statements.map((statement) => textOf(statement, reached)).join('');
    if (text === '') rmSync(file);
    else writeFileSync(file, `${text.trim().replaceAll(/^(?: {4})+/gm, tabs)}\n`);
  }
}
