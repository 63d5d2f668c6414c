import { DiagramError, type SourceLine } from './scanner'

const NAME = String.raw`[A-Za-z]\w*`
const POINT = String.raw`(?:\[\*\]|${NAME})`
/** Without `;`, which would end the statement, `#`, which begins an entity, and `:`, which begins another text. */
const TEXT = '[^;#:{}]+'

const statements: readonly RegExp[] = [
  /^direction (?:TB|BT|LR|RL)$/,
  new RegExp(`^(${POINT})\\s*-->\\s*(${POINT})(?:\\s*:${TEXT})?$`),
  new RegExp(`^state "[^"{};#:]+" as (${NAME})$`),
  new RegExp(`^state (${NAME}) <<(?:choice|fork|join)>>$`),
  new RegExp(`^(${NAME})\\s*:${TEXT}$`),
  new RegExp(`^(${NAME})$`),
  new RegExp(`^note (?:left|right) of (${NAME})\\s*:${TEXT}$`),
]

const composite = new RegExp(`^state (${NAME}) \\{$`)
/** Words that begin a statement. */
const RESERVED = /^(?:state|note|end|direction|as|class|classDef|style|scale|hide|click|default|left|right)$/i

export function checkStates(lines: readonly SourceLine[]): void {
  const open: SourceLine[] = []
  for (const line of lines) {
    if (line.text === '}') {
      if (!open.pop()) throw new DiagramError(line, 'there is no state to close with }')
      continue
    }
    if (line.text === '--' && open.length > 0) continue
    const names = findNames(line)
    const reserved = names.find((name) => RESERVED.test(name))
    if (reserved !== undefined) throw new DiagramError(line, `"${reserved}" cannot be the name of a state`)
    if (composite.test(line.text)) open.push(line)
  }
  if (open.length > 0) throw new DiagramError(open.at(-1)!, 'the state has no closing }')
}

function findNames(line: SourceLine): string[] {
  const found = [composite, ...statements].map((statement) => statement.exec(line.text)).find((match) => match !== null)
  if (found) return found.slice(1).filter((name) => name !== undefined)
  throw new DiagramError(
    line,
    `"${line.text.slice(0, 40)}" is not a statement: write A --> B: text, A: text, or state "Text" as A, without ; and # in the text`,
  )
}
