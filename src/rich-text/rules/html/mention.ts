import type { Mention } from '../../model'
import { foldWhitespace } from '../characters'
import { attribute, type Element, findAttribute, sourceText } from './parse'

/** The attribute by which the tracker marks a mention: `version:2.0,8c8c7d32-…`. */
export const MENTION_ATTRIBUTE = 'data-vss-mention'

const MARKS = [MENTION_ATTRIBUTE, 'data-mention', 'data-mentions']
const TRACKER_ACCOUNT = /^version:\d+(?:\.\d+)*,([\w-]{1,64})$/

/**
 * Reads a mention by the tracker (`data-vss-mention`), a chat (`<at>`, or the type of an item) or a code host. The tracker marks
 * references to items and pull requests in the same way, but `#12` and `!12` are not people.
 */
export function readMention(node: Element): Mention | null {
  const isChat = node.tagName === 'at' || /schema\.skype\.com\/mention$/i.test(attribute(node, 'itemtype'))
  if (!isChat) {
    const isMarked = MARKS.some((name) => findAttribute(node, name) !== undefined)
    if (!isMarked && !/(?:^|\s)(?:user-)?mention(?:\s|$)/.test(attribute(node, 'class'))) return null
  }
  const shown = foldWhitespace(sourceText(node.childNodes))
  if (!isChat && /^[#!]\d/.test(shown)) return null
  const account = TRACKER_ACCOUNT.exec(attribute(node, MENTION_ATTRIBUTE))?.[1] ?? attribute(node, ACCOUNT_ATTRIBUTE)
  return { type: 'mention', account: account || null, name: shown.replace(/^@/, '') }
}

/** The attribute with the account of a mention in HTML within Markdown. */
export const ACCOUNT_ATTRIBUTE = 'data-account'
