import type { Nodes, Parents, Root } from 'mdast'

export interface PersonIdentity {
  displayName: string
  /** The account name, often an e-mail address; null if unknown. */
  uniqueName: string | null
  identity: string
}

const NAME_BEFORE = /[\p{L}\p{N}_]$/u
const NAME_AFTER = /^[\p{L}\p{N}_]/u

/** Makes each `@Jane Doe` or `@jane@example.com` of a known person a mention. A name that two people have remains text. */
export function nameMentions(root: Root, people: readonly PersonIdentity[]): void {
  const byName = new Map<string, PersonIdentity | null>()
  for (const person of people) {
    for (const name of [person.displayName, person.uniqueName]) {
      if (!name) continue
      const key = name.toLowerCase()
      const known = byName.get(key)
      byName.set(key, known === undefined || known?.identity === person.identity ? person : null)
    }
  }
  const names = [...byName].filter(([, person]) => person !== null).sort(([a], [b]) => b.length - a.length)
  if (names.length > 0) replaceNames(root, names as [string, PersonIdentity][])
}

function replaceNames(parent: Parents, names: readonly [string, PersonIdentity][]): void {
  const children: Nodes[] = []
  for (const child of parent.children) {
    if (child.type === 'text') children.push(...splitAtNames(child.value, names))
    else {
      if ('children' in child && child.type !== 'link') replaceNames(child, names)
      children.push(child)
    }
  }
  parent.children = children as typeof parent.children
}

function splitAtNames(text: string, names: readonly [string, PersonIdentity][]): Nodes[] {
  const lower = text.toLowerCase()
  const nodes: Nodes[] = []
  let end = 0
  for (let at = lower.indexOf('@'); at >= 0; at = lower.indexOf('@', Math.max(at + 1, end))) {
    if (NAME_BEFORE.test(text.slice(Math.max(0, at - 1), at))) continue
    const found = names.find(
      ([name]) =>
        lower.startsWith(name, at + 1) && !NAME_AFTER.test(text.slice(at + 1 + name.length, at + 2 + name.length)),
    )
    if (!found) continue
    const [name, person] = found
    if (at > end) nodes.push({ type: 'text', value: text.slice(end, at) })
    nodes.push({ type: 'mention', account: person.identity, name: person.displayName })
    end = at + 1 + name.length
  }
  if (end < text.length) nodes.push({ type: 'text', value: text.slice(end) })
  return nodes
}
