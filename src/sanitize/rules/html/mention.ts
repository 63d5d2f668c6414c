import { attribute, type Element } from './nodes'

const MARKS = ['data-vss-mention', 'data-mention', 'data-mentions']

import { shownText } from './build'

/**
 * A person named in a way that the editor knows of: by the tracker (`data-vss-mention`), a chat (`<at>`) or a code host. The
 * tracker marks references to items and pull requests in the same way: `#12` and `!12` are nobody.
 */
export function isMention(node: Element): boolean {
  if (node.tagName === 'at') return true
  const isMarked = MARKS.some((name) => node.properties[name] !== undefined)
  if (!isMarked && !/(?:^|\s)(?:user-)?mention(?:\s|$)/.test(attribute(node, 'class'))) return false
  return !/^\s*[#!]\d/.test(shownText(node.children))
}
