import { decodeHTML } from 'entities'
import { cleanCharacters, foldWhitespace } from '../characters'

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})/
const CONTAINERS = /^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)*/
/** Matches a thematic break, a heading underline, or the second row of a table. */
const RULING = /^[\s|:=*_-]{3,}$/
const DEFINITION = /^\[[^\]]{1,200}\]:\s*\S+/

/** Matches, in this order: an escape, an entity, code, a link or image, an address, a tag, and emphasis marks. */
const INLINE =
  /\\([!-/:-@[-`{-~])|(&[#a-z][\da-z]{1,31};)|(?<!`)(`{1,10})(?!`)(.{1,2000}?)(?<!`)\3(?!`)|!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,300})\]\((?:<[^<>]{0,2000}>|(?:[^\s()\\]|\\.|\([^\s()]{0,200}\)){0,2000})(?:\s+"[^"]{0,300}")?\)|<((?:https?|mailto):[^\s<>]{1,2000})>|<[/!]?[a-z-][^<>]{0,2000}>|(\*\*\*?|~~|__)(?=\S)|(?<=\S)(?:\*\*\*?|~~|__)|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/giu

/**
 * Returns the text of Markdown on one line for a snippet, a terminal or an index. It removes marks line by line without building a
 * tree, because it runs for every item.
 */
export function markdownToPlainText(markdown: string): string {
  const lines: string[] = []
  let fence = ''
  for (const line of cleanCharacters(markdown).text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      else lines.push(line)
    } else if (mark !== '') fence = mark
    else lines.push(plainLine(line))
  }
  return foldWhitespace(lines.join('\n'))
}

function plainLine(line: string): string {
  const content = line.replace(CONTAINERS, '')
  if (content === '' || RULING.test(content) || DEFINITION.test(content)) return ''
  const bare = content.replace(/^#{1,6}\s+/, '')
  return plainInline(bare.startsWith('|') ? bare.replace(/(?<!\\)\|/g, ' ') : bare)
}

function plainInline(text: string): string {
  if (!/[\\`*_~[<&]/.test(text)) return text
  return text.replace(INLINE, (match: string, escaped, entity, _ticks, code, label, address) => {
    if (label !== undefined) return plainInline(label)
    if (entity !== undefined) return decodeHTML(entity)
    return escaped ?? code ?? address ?? (/^<\/?(?:br|p|div|li|t[drh]|h\d)\b/i.test(match) ? ' ' : '')
  })
}
