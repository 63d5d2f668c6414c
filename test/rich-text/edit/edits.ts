import fc from 'fast-check'
import { WORDS } from './rich-items'

const WORD = new RegExp(`(?<=[\\s|*_]|^)(?:${WORDS.join('|')})\\d{3}(?=[\\s|*_]|$)`, 'g')

/** A change that a person makes at one spot of a Markdown text. */
export interface Edit {
  kind:
    | 'replace'
    | 'insert'
    | 'delete'
    | 'append'
    | 'prepend'
    | 'delete block'
    | 'bold'
    | 'new item'
    | 'delete item'
    | 'check'
    | 'heading'
    | 'new block'
  spot: number
}

export const edits = fc.record({
  kind: fc.constantFrom<Edit['kind']>(
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
  ),
  spot: fc.nat(1_000),
})

/** The text after the edit; null if it has no such spot. */
export function applyEdit(markdown: string, { kind, spot }: Edit): string | null {
  if (kind === 'append') return `${markdown}\n\nAdded at the end`
  if (kind === 'prepend') return /^[a-z]/.test(markdown) ? `Please ${markdown}` : null
  const blocks = markdown.split('\n\n')
  if (kind === 'delete block') {
    if (blocks.length < 2) return null
    return blocks.toSpliced(spot % blocks.length, 1).join('\n\n')
  }
  if (kind === 'new block') return blocks.toSpliced(spot % blocks.length, 0, 'A new paragraph').join('\n\n')
  if (kind === 'heading') {
    const at = blocks.findIndex(
      (block, index) => index >= spot % blocks.length && /^[a-z]/.test(block) && !block.includes('\n'),
    )
    return at < 0 ? null : blocks.with(at, `### ${blocks[at]}`).join('\n\n')
  }
  const lines = markdown.split('\n')
  const items = lines.flatMap((line, index) => (/^(?:- |\d+\. )[a-z*_[]/.test(line) ? [index] : []))
  const item = items[spot % Math.max(1, items.length)]
  if (kind === 'new item')
    return item === undefined
      ? null
      : lines.toSpliced(item + 1, 0, lines[item]!.replace(/^(- (?:\[.\] )?|\d+\. ).*/, '$1A new item')).join('\n')
  if (kind === 'delete item') {
    const isOne =
      item !== undefined &&
      !lines[item]!.startsWith('1.') &&
      (items.includes(item - 1) || items.includes(item + 1)) &&
      !lines[item + 1]?.startsWith(' ')
    return isOne ? lines.toSpliced(item, 1).join('\n') : null
  }
  if (kind === 'check') {
    const boxes = lines.flatMap((line, index) => (/^- \[[ x]\]/.test(line) ? [index] : []))
    const box = boxes[spot % Math.max(1, boxes.length)]
    return box === undefined
      ? null
      : lines
          .with(
            box,
            lines[box]!.replace(/\[([ x])\]/, (_, now) => (now === 'x' ? '[ ]' : '[x]')),
          )
          .join('\n')
  }
  const words = [...markdown.matchAll(WORD)]
  const word = words[spot % Math.max(1, words.length)]
  if (!word) return null
  const { index, 0: own } = word
  const isMarked = /[*_]/.test(markdown[index - 1] ?? '') || /[*_]/.test(markdown[index + own.length] ?? '')
  if (kind === 'delete') {
    // A block without words is another change.
    const isLone = isMarked || !/^ [a-z]/.test(markdown.slice(index + own.length))
    return isLone ? null : markdown.slice(0, index) + markdown.slice(index + own.length + 1)
  }
  if (kind === 'bold' && isMarked) return null
  const fresh = { replace: 'changed', insert: isMarked ? `${own}s` : `${own} also`, bold: `**${own}**` }[kind]
  return markdown.slice(0, index) + fresh + markdown.slice(index + own.length)
}
