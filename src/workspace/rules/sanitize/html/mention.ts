import type { Element } from 'hast'
import { shownText } from './build'

/**
 * A person named in a way that the editor knows of: by the tracker (`data-vss-mention`), a chat (`<at>`) or a code host. The
 * tracker marks references to items and pull requests in the same way: `#12` and `!12` are nobody.
 */
export function isMention(node: Element): boolean {
  if (node.tagName === 'at') return true
  const { dataVssMention, dataMention, dataMentions, className } = node.properties
  const isMarked = [dataVssMention, dataMention, dataMentions].some((value) => value !== undefined && value !== null)
  const classes = Array.isArray(className) ? className : []
  if (!isMarked && !classes.includes('user-mention') && !classes.includes('mention')) return false
  return !/^\s*[#!]\d/.test(shownText(node.children))
}
