import { DiagramError, Scanner, type SourceLine } from './scanner'

/** The name of a node. It has no hyphen, because a hyphen could begin an arrow. */
const NAME = /[A-Za-z0-9_]+/y
/** Words that begin a statement, and the letters that are arrowheads. */
const RESERVED =
  /^(?:end|call|href|click|default|graph|flowchart|subgraph|style|linkStyle|classDef|class|interpolate|direction|[ox])$/

/** Text that needs no quotes. It begins with a letter or a digit, because many other characters have a meaning. */
const BARE = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .,:?!'&+*=_-]|%(?!%))*/uy
const QUOTED = /"[^"`]+"/y

const shapes: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/\(\[/y, /\]\)/y],
  [/\(\(\(/y, /\)\)\)/y],
  [/\(\(/y, /\)\)/y],
  [/\[\[/y, /\]\]/y],
  [/\[\(/y, /\)\]/y],
  [/\{\{/y, /\}\}/y],
  [/\[/y, /\]/y],
  [/\(/y, /\)/y],
  [/\{/y, /\}/y],
  [/>/y, /\]/y],
]

const LINK = /<?(?:--+[->]|--+[ox](?=\s)|==+[=>]|-\.+->?|~~~)/y

export function checkFlowchart(lines: readonly SourceLine[]): void {
  const open: SourceLine[] = []
  for (const line of lines) {
    if (line.text === 'end') {
      if (!open.pop()) throw new DiagramError(line, 'there is no subgraph to end')
    } else if (/^subgraph\b/.test(line.text)) {
      checkSubgraph(line)
      open.push(line)
    } else if (/^direction\b/.test(line.text)) {
      if (open.length === 0 || !/^direction\s+(?:TB|TD|BT|RL|LR)$/.test(line.text))
        throw new DiagramError(line, 'direction is allowed only in a subgraph, with TB, BT, LR or RL')
    } else checkChain(new Scanner({ ...line, text: line.text.replace(/;$/, '') }))
  }
  if (open.length > 0) throw new DiagramError(open.at(-1)!, 'the subgraph has no end')
}

function checkSubgraph(line: SourceLine): void {
  const scanner = new Scanner({ ...line, text: line.text.slice('subgraph'.length) })
  if (!scanner.take(/\s+/y)) scanner.fail('a subgraph needs a name')
  takeName(scanner)
  scanner.skipBlanks()
  if (scanner.take(/\[/y)) {
    takeText(scanner)
    if (!scanner.take(/\]/y)) scanner.fail('the title of the subgraph has no end ]')
  }
  scanner.skipBlanks()
  if (!scanner.isAtEnd) scanner.fail('a subgraph has a name, and a title in [ ]')
}

/** `A[Text] -->|label| B & C --> D` */
function checkChain(scanner: Scanner): void {
  takeNodes(scanner)
  for (scanner.skipBlanks(); !scanner.isAtEnd; scanner.skipBlanks()) {
    takeLink(scanner)
    takeNodes(scanner)
  }
}

function takeNodes(scanner: Scanner): void {
  for (;;) {
    takeName(scanner)
    takeShape(scanner)
    if (!scanner.take(/\s+&\s+/y)) return
  }
}

function takeName(scanner: Scanner): void {
  const name = scanner.take(NAME)?.[0]
  if (name === undefined) scanner.fail('the name of a node is expected here, with only letters and digits')
  if (RESERVED.test(name)) scanner.fail(`"${name}" cannot be the name of a node`)
}

function takeShape(scanner: Scanner): void {
  for (const [open, close] of shapes) {
    if (!scanner.take(open)) continue
    takeText(scanner)
    if (!scanner.take(close)) scanner.fail('the label has no end, or contains a bracket: put it in double quotes')
    return
  }
}

function takeText(scanner: Scanner): void {
  scanner.skipBlanks()
  if (!scanner.take(QUOTED) && !scanner.take(BARE)?.[0].trim())
    scanner.fail('a label is expected here; if it has brackets, put it in double quotes')
  scanner.skipBlanks()
}

/** `-->`, `-->|label|`, `-- label -->`, `==>`, `-.->`, `---` and similar. */
function takeLink(scanner: Scanner): void {
  if (scanner.take(LINK)) {
    scanner.skipBlanks()
    if (!scanner.take(/\|/y)) return
    takeText(scanner)
    // Mermaid accepts at most one blank here.
    if (!scanner.take(/\| ?/y)) scanner.fail('the label of the arrow has no end |')
    return
  }
  const labelled = scanner.take(
    /(?:--\s+[\p{L}\p{N}](?: *[\p{L}\p{M}\p{N},:?!'])*\s+--+[->]|==\s+[\p{L}\p{N}](?: *[\p{L}\p{M}\p{N},:?!'])*\s+==+[=>]|-\.\s+[\p{L}\p{N}](?: *[\p{L}\p{M}\p{N},:?!'])*\s+\.+->)/uy,
  )
  if (!labelled) scanner.fail('an arrow is expected here, such as --> or -->|label|')
  scanner.skipBlanks()
}
