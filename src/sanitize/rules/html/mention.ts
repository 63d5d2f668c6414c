import { attribute, type Element } from './nodes'

const MARKS = ['data-vss-mention', 'data-mention', 'data-mentions']

import { shownText } from './build'

/**
 * Returns whether the element is a mention by the tracker (`data-vss-mention`), a chat (`<at>`) or a code host. The tracker marks
 * references to items and pull requests in the same way, but `#12` and `!12` are not people.
 */
export function isMention(node: Element): boolean {
  if (node.tagName === 'at') return true
  const isMarked = MARKS.some((name) => node.properties[name] !== undefined)
  if (!isMarked && !/(?:^|\s)(?:user-)?mention(?:\s|$)/.test(attribute(node, 'class'))) return false
  return !/^\s*[#!]\d/.test(shownText(node.children))
}
