import type { ListItem, RootContent, Text } from 'mdast'
import { isShown } from '../tree/nodes'
import { attribute, type Element, findAttribute, isElement, sourceText } from './parse'

declare module 'mdast' {
  interface TextData {
    /** The text is a checkbox with this state. */
    checked?: boolean
  }
}

/** A checkbox. Outside of the start of a list item, it is text. */
export function checkbox(checked: boolean): Text {
  return { type: 'text', value: checked ? '[x]' : '[ ]', data: { checked } }
}

export function isCheckbox(node: Element): boolean {
  return node.tagName === 'input' && attribute(node, 'type').toLowerCase() === 'checkbox'
}

/**
 * Reads the checkbox of a task. Some editors mark a task only by the role of its list item. Confluence marks it by an id and its state
 * by a class, or has an element for it.
 */
export function readTaskCheckbox(item: Element): Text[] {
  if (item.tagName === 'ac:task') {
    const status = item.childNodes.filter((child) => isElement(child, 'ac:task-status'))
    return [checkbox(sourceText(status).trim() === 'complete')]
  }
  if (attribute(item, 'role') === 'checkbox') return [checkbox(attribute(item, 'aria-checked') === 'true')]
  const isTask = findAttribute(item, 'data-inline-task-id') !== undefined
  return isTask ? [checkbox(/(?:^|\s)checked(?:\s|$)/.test(attribute(item, 'class')))] : []
}

/** Matches a character of a checkbox, because the tracker removes `input` elements. */
const BOX_CHARACTER = /^\s*([☐☑☒✅])\s+/u

/** Takes the checkbox from the start of a list item. */
export function takeCheckbox(children: RootContent[]): { checked: boolean | null; rest: RootContent[] } {
  const at = children.findIndex(isShown)
  const first = children[at]
  if (first?.type === 'text') {
    const { data, value } = first
    if (data?.checked !== undefined) return { checked: data.checked, rest: children.slice(at + 1) }
    const [found, box] = BOX_CHARACTER.exec(value) ?? []
    if (found === undefined) return { checked: null, rest: children }
    const rest = [{ ...first, value: value.slice(found.length) }, ...children.slice(at + 1)]
    return { checked: box !== '☐', rest }
  }
  if (first?.type !== 'paragraph') return { checked: null, rest: children }
  const { checked, rest } = takeCheckbox(first.children)
  if (checked === null) return { checked, rest: children }
  return { checked, rest: [{ ...first, children: rest } as RootContent, ...children.slice(at + 1)] }
}

/** Makes a list item of the content of an element. */
export function toListItem(content: RootContent[], data: ListItem['data'] = {}): ListItem {
  const { checked, rest } = takeCheckbox(content)
  return { type: 'listItem', checked, data, children: rest as ListItem['children'] }
}
