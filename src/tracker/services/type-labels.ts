import { StudioError } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'

/** The type of an issue that has neither a type nor a label for one. */
export const UNTYPED = 'Issue'

/** Labels that name a type where issues have no types of their own. */
const TYPES_OF_LABELS: readonly (readonly [label: string, type: string])[] = [
  ['epic', 'Epic'],
  ['feature', 'Feature'],
  ['story', 'Story'],
  ['user story', 'Story'],
  ['bug', 'Bug'],
  ['task', 'Task'],
]

/** Finds the type that a label means: from the settings, or else from its name, which may begin with `type:` or `kind/`. */
export class TypeLabels {
  readonly #configured: (readonly [label: string, type: string])[]

  /** @param pairs `label=Type` */
  constructor(pairs: readonly string[]) {
    this.#configured = pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      const [label, type] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
      if (at > 0 && label !== '' && type !== '') return [label, type] as const
      throw new StudioError('invalid', `The label "${pair}" of the setting tracker.typeLabels names no type.`, {
        hint: 'Write each entry as label=Type, for example us=Story.',
      })
    })
  }

  findType(label: string): string | null {
    const configured = this.#configured.find(([name]) => equalsIgnoringCase(name, label))
    if (configured) return configured[1]
    const plain = label.trim().replace(/^(?:type|kind)[:/]\s*/i, '')
    return TYPES_OF_LABELS.find(([name]) => equalsIgnoringCase(name, plain))?.[1] ?? null
  }
}
