import { type AnyOperation, argumentField, fieldsOf, flagsOf, toCamelCase } from '../../src/kernel'

/** Texts of several lines may be as long as this. Shorter ones, such as an area `Harbor\new`, have no lines. */
const MIN_LONG_TEXT = 10_000
const PATHS = /area|iteration|path/i

/**
 * What to say of a long text that was typed with `\n` and has no line break: it is stored as typed, because a backslash means itself. Null
 * if there is none.
 */
export function describeLiteralBreaks(
  op: AnyOperation,
  { options, args }: { options: Record<string, unknown>; args: readonly string[] },
): string | null {
  const { texts = [], args: names = [], file } = op.cli!
  const longTexts = fieldsOf(op.input)
    .filter(
      ({ type, choices, maxLength }) => type === 'string' && !choices && (maxLength ?? MIN_LONG_TEXT) >= MIN_LONG_TEXT,
    )
    .map(({ name }) => name)
  for (const { name, key, extra } of flagsOf(op)) {
    const given = options[toCamelCase(name)]
    if (longTexts.includes(key) && hasLiteralBreak(given)) {
      const others = file ? ['--file <path>', '--file - for standard input'] : []
      return describe(`--${name}`, others)
    }
    const pairs = extra?.readsFiles && Array.isArray(given) ? (given as string[]) : []
    const pair = pairs.find((text) => !PATHS.test(text.split('=')[0]!) && hasLiteralBreak(text))
    if (pair) {
      const field = `--${name} ${pair.split('=')[0]}`
      return describe(field, [`${field}=@<file>`, `${field}=@- for standard input`])
    }
  }
  const at = names.findIndex((name, i) => texts.includes(argumentField(name)) && hasLiteralBreak(args[i]))
  return at < 0 ? null : describe(`<${argumentField(names[at]!)}>`, ['@<file>', '- for standard input'])
}

function hasLiteralBreak(text: unknown): boolean {
  return typeof text === 'string' && text.includes('\\n') && !/[\r\n]/.test(text)
}

function describe(where: string, others: readonly string[]): string {
  return `The \\n in ${where} is no line break: it stays as typed. For line breaks, use $'first\\nsecond' in the shell${others.map((other) => `, or ${other}`).join('')}.`
}
