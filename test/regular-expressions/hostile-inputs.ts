import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp'
import { analyse } from 'scslre'

/** Characters that are frequent in character classes. */
const USUAL = [...'aA0_- \t\n.,:/@"\'<>=|é中']

/** Suffixes that few expressions match. */
const ENDS = ['', '\u0001', '!\n!']

/** The character properties of what follows are the same. */
const LAST_EMOJI = 0x1fb00

/** A quantifier with a higher limit can match long texts. */
const FAR = 8

/** A text of any length that can be slow to match. */
export interface Hostile {
  start: string
  repeated: string
  end: string
}

export function hostileText({ start, repeated, end }: Hostile, length: number): string {
  const times = Math.max(1, Math.ceil((length - start.length - end.length) / repeated.length))
  return start + repeated.repeat(times) + end
}

/**
 * Texts that cause an expression to backtrack: for each quantifier the repeated part after its required prefix; that
 * prefix repeated; the characters of its classes, alone and in pairs; and each of these before a suffix that does not match. First come the
 * characters that scslre, which analyses the expression, says are slow when repeated.
 */
export function hostileInputs(expression: RegExp): Hostile[] {
  const { pattern } = parseRegExpLiteral(expression)
  // Without a repetition the work at each position is limited by the length of the expression.
  if (quantifiersOf(pattern).length === 0) return []
  const samples = new Samples(expression, pattern)
  const pairs: { start: string; repeated: string }[] = []
  const add = (start: string, repeated: string): void => {
    if (repeated !== '') pairs.push({ start, repeated })
  }
  for (const { character, quantifier } of analysed(expression)) {
    add('', character)
    add(samples.before(quantifier), character)
  }
  for (const character of samples.characters) add('', character)
  for (const alternative of pattern.alternatives)
    for (const whole of samples.of(alternative)) {
      add('', whole)
      // A text that fails to match only at its last character.
      add('', whole.slice(0, -1))
    }
  for (const quantifier of quantifiersOf(pattern)) {
    const before = samples.before(quantifier)
    for (const repeated of samples.of(quantifier.element)) {
      add(before, repeated)
      add('', before + repeated)
    }
    add('', before)
  }
  const ofQuantifiers = [...new Set(quantifiersOf(pattern).flatMap(({ element }) => samples.of(element).slice(0, 2)))]
  for (const first of ofQuantifiers.slice(0, 6))
    for (const second of ofQuantifiers.slice(0, 6)) if (first !== second) add('', first + second)
  const inputs = pairs.flatMap((pair) => ENDS.map((end) => ({ ...pair, end })))
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()]
}

function analysed({ source, flags }: RegExp): { character: string; quantifier: AST.Quantifier }[] {
  const { reports } = analyse({ source, flags: flags.replace('d', '') })
  return reports.map((report) => ({
    character: report.character.pick,
    quantifier: report.type === 'Trade' ? report.startQuant : report.quant,
  }))
}

function quantifiersOf(pattern: AST.Pattern): AST.Quantifier[] {
  const found: AST.Quantifier[] = []
  visitRegExpAST(pattern, { onQuantifierEnter: (node) => void (node.max >= FAR && found.push(node)) })
  return found
}

/** Short texts that the parts of an expression match. */
class Samples {
  /** The characters of the classes and literals of the expression. */
  readonly characters: string[]

  constructor(
    private readonly expression: RegExp,
    pattern: AST.Pattern,
  ) {
    const written = new Set<string>()
    visitRegExpAST(pattern, {
      onCharacterEnter: ({ value }) => void written.add(String.fromCodePoint(value)),
    })
    const sets: AST.CharacterSet[] = []
    visitRegExpAST(pattern, {
      onCharacterClassEnter: (node) => void sets.push(node as any),
      onCharacterSetEnter: (node) => void (node.parent.type !== 'CharacterClass' && sets.push(node)),
    })
    this.characters = [...new Set([...written, ...USUAL])]
    const inSets = new Set(sets.flatMap((set) => this.inSet(set).slice(0, 6)))
    this.characters = [...this.inSeveral(sets), ...inSets, ...written].slice(0, 20)
  }

  /** The text before a node in the shortest match that reaches it. */
  before(node: AST.Node): string {
    const { parent } = node
    if (!parent) return ''
    if (parent.type !== 'Alternative') return this.before(parent)
    const earlier = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
    return this.before(parent) + earlier.map((element) => this.of(element)[0] ?? '').join('')
  }

  /** Examples of texts that a node matches, the shortest first. */
  of(node: AST.Node): string[] {
    switch (node.type) {
      case 'Character':
        return [String.fromCodePoint(node.value)]
      case 'CharacterSet':
      case 'CharacterClass':
        return this.inSet(node).slice(0, 5)
      case 'Quantifier': {
        const once = this.of(node.element)
        return once.map((text) => text.repeat(Math.max(node.min, 0)))
      }
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.flatMap((alternative) => this.of(alternative)).slice(0, 8)
      case 'Alternative': {
        const first = node.elements.map((element) => this.of(element)[0] ?? '').join('')
        const second = node.elements.map((element) => this.filled(element)).join('')
        return first === second ? [first] : [first, second]
      }
      case 'Backreference':
        return this.of([node.resolved].flat()[0]!).slice(0, 1)
      default:
        return ['']
    }
  }

  /** A text that a node matches, including its optional parts. */
  private filled(node: AST.Node): string {
    if (node.type === 'Quantifier') return this.filled(node.element).repeat(Math.max(1, node.min))
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return node.alternatives[0]!.elements.map((element) => this.filled(element)).join('')
    return this.of(node).at(-1) ?? ''
  }

  private inSet(set: AST.Node): string[] {
    const test = this.testOf(set)
    return this.characters.filter((character) => test.test(character))
  }

  /** Characters of several properties of Unicode: what two alternatives match alike is slow. */
  private inSeveral(sets: readonly AST.Node[]): string[] {
    const tests = sets.filter(({ raw }) => /\\p/i.test(raw)).map((set) => this.testOf(set))
    if (tests.length < 2) return []
    const found = new Map<string, string>()
    for (let code = 0; code < LAST_EMOJI; code++) {
      const character = String.fromCodePoint(code)
      const matched = tests.map((test) => Number(test.test(character))).join('')
      if (matched.replaceAll('0', '').length > 1) found.set(matched, character)
    }
    return [...found.values()]
  }

  private testOf(set: AST.Node): RegExp {
    return new RegExp(`^${set.raw}$`, this.expression.flags.replace(/[gymd]/g, ''))
  }
}
