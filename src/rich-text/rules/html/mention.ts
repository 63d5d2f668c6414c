import { element, shownText } from './build'
import { attribute, type Element } from './nodes'

const MARKS = ['data-vss-mention', 'data-mention', 'data-mentions']

/** The tracker's form: `version:2.0,8c8c7d32-…`. */
const TRACKER_ACCOUNT = /^version:\d+(?:\.\d+)*,([\w-]{1,64})$/

/**
 * Returns whether the element is a mention by the tracker (`data-vss-mention`), a chat (`<at>`, or the type of an item) or a code host.
 * The tracker marks references to items and pull requests in the same way, but `#12` and `!12` are not people.
 */
export function isMention(node: Element): boolean {
  if (node.tagName === 'at' || /schema\.skype\.com\/mention$/i.test(attribute(node, 'itemtype'))) return true
  const isMarked = MARKS.some((name) => node.properties[name] !== undefined)
  if (!isMarked && !/(?:^|\s)(?:user-)?mention(?:\s|$)/.test(attribute(node, 'class'))) return false
  return !/^\s*[#!]\d/.test(shownText(node.children))
}

export function readMention(node: Element): Element {
  const account =
    TRACKER_ACCOUNT.exec(attribute(node, 'data-vss-mention'))?.[1] ?? (attribute(node, 'data-account') || undefined)
  const name = shownText(node.children).replace(/\s+/g, ' ').trim().replace(/^@/, '')
  return element('mention', [], { account, name })
}
