import { parse } from 'parse5'

const attribute = (node: any, name: string): string | undefined =>
  node.attrs?.find((entry: any) => entry.name === name)?.value
const all = (node: any): any[] => (node.childNodes ?? []).flatMap((child: any) => [child, ...all(child)])
const textOf = (node: any): string =>
  all(node)
    .map(({ value }) => value ?? '')
    .join('')

export interface DrawnForm {
  /** What a browser sends if no one touches the form. */
  fields: Record<string, string | string[]>
  /** Its words, without its tags. */
  text: string
}

/** The forms of a page, or of a part of one, that run an operation. */
export function readForms(page: string, operation: string): DrawnForm[] {
  const forms = all(parse(page)).filter(
    (node) => node.tagName === 'form' && attribute(node, 'action')?.endsWith(`/run/${operation}`),
  )
  return forms.map((form) => ({ fields: sentBy(form), text: textOf(form) }))
}

function sentBy(form: any): DrawnForm['fields'] {
  const sent: Record<string, string[]> = Object.create(null)
  const add = (name: string, value: string) => {
    sent[name] = [...(sent[name] ?? []), value]
  }
  for (const node of all(form)) {
    const name = attribute(node, 'name')
    if (name === undefined || node.tagName === 'button') continue
    const type = attribute(node, 'type') ?? ''
    const isChecked = attribute(node, 'checked') !== undefined
    if (node.tagName === 'select') {
      const options = all(node).filter(({ tagName }) => tagName === 'option')
      const chosen = options.filter((option) => attribute(option, 'selected') !== undefined)
      const shown = chosen.length > 0 || attribute(node, 'multiple') !== undefined ? chosen : options.slice(0, 1)
      for (const option of shown) add(name, attribute(option, 'value') ?? textOf(option))
    } else if (node.tagName === 'textarea') add(name, textOf(node))
    else if (node.tagName === 'input' && (!['checkbox', 'radio'].includes(type) || isChecked)) {
      const value = attribute(node, 'value') ?? ''
      add(name, type === 'hidden' ? value : value.replace(/[\r\n]/g, ''))
    }
  }
  return Object.fromEntries(
    Object.entries(sent).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  )
}
