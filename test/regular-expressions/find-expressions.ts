import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

/** A regular expression in the sources: a literal, or a call of `RegExp` with a composed source. */
export interface Site {
  /** `src/http/redact.ts:9`, with the column when several are on one line. */
  at: string
  file: string
  start: number
  end: number
  /** The literal; null if the source is composed at run time. */
  literal: RegExp | null
}

/** The folders of the program. */
const FOLDERS = ['src', 'commands']

/** Every regular expression of the program's sources. */
export async function findExpressions(): Promise<Site[]> {
  const files = (await Promise.all(FOLDERS.map(sourceFiles))).flat().sort()
  const sites = await Promise.all(files.map(async (file) => sitesIn(file, await readFile(file, 'utf8'))))
  return sites.flat()
}

async function sourceFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

export function sitesIn(file: string, text: string): Site[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const sites: Site[] = []
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    const isLiteral = ts.isRegularExpressionLiteral(node)
    if (isLiteral || isComposed(node)) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart())
      const at = `${file}:${line + 1}${lines.has(line) ? `:${character + 1}` : ''}`
      lines.add(line)
      sites.push({
        at,
        file,
        start: node.getStart(),
        end: node.getEnd(),
        literal: isLiteral ? fromLiteral(node.text) : null,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return sites
}

function isComposed(node: ts.Node): boolean {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
}

function fromLiteral(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}
