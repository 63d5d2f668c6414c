import { mapValues } from './json'
import type { OperationId } from './operation-id'

/** What to do about an error: text and calls of operations. Each surface formats the calls in its own way. */
export type Hint = string | readonly (string | SuggestedCall)[]

export interface SuggestedCall {
  operation: OperationId
  /** Values for fields of its input. `<id>` is a placeholder for a value that the reader has to choose. */
  input: SuggestedInput
  /** True if only a person at the terminal can do it: every surface writes it as a command line. */
  isCommand?: true
}

export type SuggestedInput = Readonly<Record<string, string | number | boolean>>

/** A call of an operation, to be part of a hint. */
export function suggest(operation: OperationId, input: SuggestedInput = {}): SuggestedCall {
  return { operation, input }
}

/** A call for the person at the terminal, on every surface: a caller without a token cannot create one. */
export function suggestCommand(operation: OperationId, input: SuggestedInput = {}): SuggestedCall {
  return { operation, input, isCommand: true }
}

/** Builds a hint from text, calls and other hints: hint`Fetch it: ${suggest('items.get', { id: 204 })}`. */
export function hint(texts: TemplateStringsArray, ...values: (Hint | SuggestedCall | number)[]): Hint {
  const parts: (string | SuggestedCall)[] = []
  for (const part of texts.flatMap((text, i) => [text, ...partsOf(values[i] ?? '')])) {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
    else if (part !== '') parts.push(part)
  }
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
}

function partsOf(value: Hint | SuggestedCall | number): readonly (string | SuggestedCall)[] {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string' || 'operation' in value ? [value] : value
}

/** The hint as one text. `formatCall` formats the calls. */
export async function formatHint(
  hint: Hint,
  formatCall: (call: SuggestedCall) => string | Promise<string>,
): Promise<string> {
  if (typeof hint === 'string') return hint
  const texts = await Promise.all(hint.map((part) => (typeof part === 'string' ? part : formatCall(part))))
  return texts.join('')
}

/** The hint with `change` applied to its texts and to the texts in the input of its calls. */
export function mapHintTexts(hint: Hint, change: (text: string) => string): Hint {
  if (typeof hint === 'string') return change(hint)
  const changeText = <Value>(value: Value) => (typeof value === 'string' ? change(value) : value)
  return hint.map((part) =>
    typeof part === 'string' ? change(part) : { ...part, input: mapValues(part.input, changeText) },
  )
}
