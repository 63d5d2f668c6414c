import { DiagramError, type SourceLine } from './scanner'

const NAME = String.raw`[A-Za-z_]\w*(?: \w+)*`
/** Without `;`, which would end the statement, and without `#` and a leading `%%`, which begin a comment. */
const TEXT = String.raw`(?!\s*%%)[^;#]+`
const ARROW = String.raw`(?:--?>>?|--?x|--?\))`

const statements: readonly RegExp[] = [
  /^autonumber$/,
  new RegExp(`^title:? ${TEXT}$`),
  new RegExp(`^(?=[^;#]*$)(?:participant|actor) (${NAME})(?: as ${TEXT})?$`),
  new RegExp(`^(?:activate|deactivate) (${NAME})$`),
  new RegExp(`^(${NAME})\\s*${ARROW}[+-]?\\s*(${NAME})\\s*:${TEXT}$`),
  new RegExp(`^[Nn]ote (?:left of|right of) (${NAME})\\s*:${TEXT}$`),
  new RegExp(`^[Nn]ote over (${NAME})(?:\\s*,\\s*(${NAME}))?\\s*:${TEXT}$`),
]

const blocks = new RegExp(`^(loop|alt|opt|par|critical|break)(?: ${TEXT})?$`)
const parts: Record<string, string> = { else: 'alt', and: 'par', option: 'critical' }
const part = new RegExp(`^(else|and|option)(?: ${TEXT})?$`)

/** Mermaid reads a name that begins with one of these words as a statement. */
const RESERVED =
  /^(?:participant|actor|create|destroy|box|loop|rect|opt|alt|else|par|par_over|and|critical|option|break|end|left|right|links|link|properties|details|over|note|activate|deactivate|title|accTitle|accDescr|autonumber|off|as)\b|\bend\b/i

export function checkSequence(lines: readonly SourceLine[]): void {
  const open: { kind: string; line: SourceLine }[] = []
  const active = new Map<string, number>()
  for (const line of lines) {
    const block = blocks.exec(line.text)
    const beginsPart = part.exec(line.text)
    if (line.text === 'end') {
      if (!open.pop()) throw new DiagramError(line, 'there is nothing to end')
    } else if (block) open.push({ kind: block[1]!, line })
    else if (beginsPart) {
      if (open.at(-1)?.kind !== parts[beginsPart[1]!])
        throw new DiagramError(line, `${beginsPart[1]} is allowed only in a block ${parts[beginsPart[1]!]}`)
    } else checkStatement(line, active)
  }
  if (open.length > 0) throw new DiagramError(open.at(-1)!.line, `the block ${open.at(-1)!.kind} has no end`)
}

function checkStatement(line: SourceLine, active: Map<string, number>): void {
  const found = statements.map((statement) => statement.exec(line.text)).find((match) => match !== null)
  if (!found) {
    throw new DiagramError(
      line,
      `"${line.text.slice(0, 40)}" is not a statement: write A->>B: text, participant A as Name, or Note over A: text, without ; and # in the text`,
    )
  }
  const reserved = found.slice(1).find((name) => name !== undefined && RESERVED.test(name))
  if (reserved !== undefined) throw new DiagramError(line, `"${reserved}" cannot be the name of a participant`)
  countActivation(line, active)
}

/** Mermaid rejects the end of an activation that has not begun. A `-` after an arrow ends the activation of the sender. */
function countActivation(line: SourceLine, active: Map<string, number>): void {
  const message = new RegExp(`^(${NAME})\\s*${ARROW}([+-])\\s*(${NAME})\\s*:`).exec(line.text)
  const statement = new RegExp(`^(activate|deactivate) (${NAME})$`).exec(line.text)
  const begins = message?.[2] === '+' ? message[3] : statement?.[1] === 'activate' ? statement[2] : undefined
  const ends = message?.[2] === '-' ? message[1] : statement?.[1] === 'deactivate' ? statement[2] : undefined
  if (begins !== undefined) active.set(begins, (active.get(begins) ?? 0) + 1)
  if (ends === undefined) return
  const count = active.get(ends) ?? 0
  if (count === 0) throw new DiagramError(line, `"${ends}" is not active here`)
  active.set(ends, count - 1)
}
