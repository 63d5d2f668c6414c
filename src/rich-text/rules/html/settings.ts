import { escapeHtml } from '../../../kernel/text/text'
import { isHtmlElement } from './elements'
import { attribute, type Element } from './parse'
import { NAMES_SECRET } from './secret-tags'

/** Elements of property lists and of Spring that hold the name or the value of a setting. */
const PAIR = /^(?:key|string|value)$/

/** Returns whether the element was not closed, because it is a placeholder in a sentence: `the header <token> is missing`. */
function isPlaceholder({ childNodes: [first] }: Element): boolean {
  return first === undefined || ('value' in first && first.value.startsWith(' '))
}

/**
 * Returns the tags of an element of settings that were pasted as they are, if its name or that of its setting says that it holds a
 * secret: `<sonar.password>`, `<entry key="jdbc.password">`. They remain as text, because the secret is found by them.
 */
export function readSettingTags(node: Element): { open: string; close: string } | null {
  const { tagName } = node
  if (isHtmlElement(tagName)) return null
  const name = ['key', 'name', 'id'].find((key) => NAMES_SECRET.test(attribute(node, key)))
  if (name === undefined && !NAMES_SECRET.test(tagName) && !PAIR.test(tagName)) return null
  const label = name === undefined ? '' : ` ${name}="${escapeHtml(attribute(node, name))}"`
  return { open: `<${tagName}${label}>`, close: isPlaceholder(node) ? '' : `</${tagName}>` }
}
