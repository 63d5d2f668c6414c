import fc from 'fast-check'
import { WORDS } from './rich-items'

const WORD = new RegExp(`(?<=[\\s|*_>]|^)(?:${WORDS.join('|')})\\d{3}(?=[\\s|*_.,:]|$)`, 'gu')
const CODE = /^([ >\t]*(?:(?:[-*+]|\d+\.) +)*)(```+|~~~+)[\s\S]*?\n[ >\t]*\2/gm
/** What a person puts behind a word. */
const ADDED = [
  ' also',
  ', too',
  ' a/b',
  ' 1 < 2',
  ' (see `x`)',
  ' 50% *off*',
  ' [link](https://new.example.org/)',
  ' \\*star\\*',
  ' &amp;',
  ' 1\\. x',
  ' a\\_b',
  ' \\[x\\]',
  ' "quoted" 🚀',
  ' \\`tick',
]
const NEW_BLOCKS = [
  'A new paragraph',
  '## A new heading',
  '- new one\n- new two',
  '```\nnew code\n```',
  '> a new quote',
]

const KINDS = [
  'replace',
  'replace',
  'insert',
  'delete',
  'append',
  'prepend',
  'delete block',
  'bold',
  'new item',
  'delete item',
  'check',
  'heading',
  'new block',
  'new row',
  'delete row',
  'cell',
  'join',
  'split',
] as const

/** A change that a person makes at one spot of a Markdown text. */
export interface Edit {
  kind: (typeof KINDS)[number]
  spot: number
  /** Which of several texts is put there. */
  text: number
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...KINDS),
  spot: fc.nat(1_000),
  text: fc.nat(1_000),
})
/** What one person changes before a draft is published. */
export const edits = fc.array(edit, { minLength: 1, maxLength: 3 })

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

/** The text after the edit; null if it has no such spot. */
export function applyEdit(markdown: string, change: Edit): string | null {
  const { kind, spot, text } = change
  if (kind === 'append') return `${markdown}\n\nAdded at the end`
  if (kind === 'prepend') return /^\p{L}/u.test(markdown) ? `Please ${markdown}` : null
  const code = [...markdown.matchAll(CODE)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
  const isInCode = (at: number) => code.some(({ start, end }) => at >= start && at < end)
  const found = ['delete block', 'heading', 'new block', 'join'].includes(kind)
    ? editBlocks(
        code.some(({ start, end }) => markdown.slice(start, end).includes('\n\n')),
        markdown,
        change,
      )
    : ['new item', 'delete item', 'check', 'new row', 'delete row'].includes(kind)
      ? editLines(markdown, change, isInCode)
      : undefined
  if (found !== undefined) return found
  const isCell = (at: number) => /^\s*\|/.test(markdown.slice(markdown.lastIndexOf('\n', at - 1) + 1))
  const words = [...markdown.matchAll(WORD)].filter(
    ({ index }) => (kind === 'replace' || !isInCode(index)) && (kind !== 'cell' || isCell(index)),
  )
  const word = pick(words, spot)
  if (!word) return null
  const { index, 0: own } = word
  const [before, after] = [markdown.slice(0, index), markdown.slice(index + own.length)]
  const isMarked = /[*_]$/.test(before) || /^[*_]/.test(after)
  const isMiddle = !isMarked && /^ \p{L}/u.test(after)
  if (kind === 'replace') return `${before}changed${after}`
  if (kind === 'cell') return `${before}${own}${pick([' \\| more', ' `a\\|b`', ' more', '<br>more'], text)}${after}`
  // A block without words is another change.
  if (kind === 'delete') return isMiddle ? `${before}${after.slice(1)}` : null
  if (kind === 'split')
    return isMiddle && /(?:^|\n\n)\p{L}[^\n]*$/u.test(before) ? `${before}${own}\n\n${after.slice(1)}` : null
  if (kind === 'bold') return isMarked ? null : `${before}**${own}**${after}`
  return `${before}${own}${isMarked ? 's' : pick(ADDED, text)}${after}`
}

function editBlocks(hasBlanksInCode: boolean, markdown: string, { kind, spot, text }: Edit): string | null {
  const blocks = markdown.split('\n\n')
  if (hasBlanksInCode) return null
  const own = spot % blocks.length
  const isWords = (block: string | undefined) => /^\p{L}/u.test(block ?? '')
  if (kind === 'new block') return blocks.toSpliced(own, 0, pick(NEW_BLOCKS, text)!).join('\n\n')
  if (kind === 'delete block') return blocks.length < 2 ? null : blocks.toSpliced(own, 1).join('\n\n')
  const at = blocks.findIndex(
    (block, index) =>
      index >= own && isWords(block) && (kind === 'join' ? isWords(blocks[index + 1]) : !block.includes('\n')),
  )
  if (at < 0) return null
  return kind === 'join'
    ? blocks.toSpliced(at, 2, `${blocks[at]} ${blocks[at + 1]}`).join('\n\n')
    : blocks.with(at, `### ${blocks[at]}`).join('\n\n')
}

function editLines(markdown: string, { kind, spot, text }: Edit, isInCode: (at: number) => boolean): string | null {
  const lines = markdown.split('\n')
  const offsets: number[] = []
  for (const [index] of lines.entries())
    offsets.push(index === 0 ? 0 : offsets[index - 1]! + lines[index - 1]!.length + 1)
  const where = (pattern: RegExp) =>
    lines.flatMap((line, index) => (pattern.test(line) && !isInCode(offsets[index]!) ? [index] : []))
  if (kind === 'new row' || kind === 'delete row') {
    const isDelimiter = (line: string | undefined) => /^\| *:?-/.test(line ?? '')
    const rows = where(/^\|/).filter((index) => !isDelimiter(lines[index]) && !isDelimiter(lines[index + 1]))
    const row = pick(rows, spot)
    if (row === undefined) return null
    if (kind === 'delete row') return lines.toSpliced(row, 1).join('\n')
    const cells = lines[row]!.split(/(?<!\\)\|/)
      .slice(2)
      .map(() => 'new')
    return lines.toSpliced(row + (text % 2), 0, `| ${cells.join(' | ')} |`).join('\n')
  }
  if (kind === 'check') {
    const box = pick(where(/^\s*- \[[ x]\]/), spot)
    return box === undefined
      ? null
      : lines
          .with(
            box,
            lines[box]!.replace(/\[([ x])\]/, (_, now) => (now === 'x' ? '[ ]' : '[x]')),
          )
          .join('\n')
  }
  const items = where(/^\s*(?:- |\d+\. )[^`\s]/)
  const item = pick(items, spot)
  // Lines that belong to the item would be those of another one.
  if (item === undefined || /^\s/.test(lines[item + 1] ?? '')) return null
  if (kind === 'new item')
    return lines
      .toSpliced(item + 1, 0, lines[item]!.replace(/^(\s*(?:- (?:\[.\] )?|\d+\. )).*/, '$1A new item'))
      .join('\n')
  return items.includes(item - 1) || items.includes(item + 1) ? lines.toSpliced(item, 1).join('\n') : null
}
