import type { ErrorDetail } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { TagChanges, TrackerItem } from '../../tracker'
import type { FieldChange } from '../schemas'

/** Reads changes such as `+ready` and `-blocked`. Returns what is wrong with them, if anything is. */
export function parseTagChanges(changes: readonly string[]): TagChanges | { problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = []
  const found = { add: new Map<string, string>(), remove: new Map<string, string>() }
  for (const [index, change] of changes.entries()) {
    const path = `tags.${index}`
    const [sign, tag] = [change.trim()[0], change.trim().slice(1).trim()]
    if (sign !== '+' && sign !== '-')
      problems.push({ path, message: `"${change}" must begin with + to add a tag, or with - to remove it` })
    else if (tag === '') problems.push({ path, message: `"${change}" names no tag` })
    else if (tag.includes(';')) problems.push({ path, message: `"${tag}" has a semicolon, which no tag can have` })
    else if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(tag))
      problems.push({ path, message: `${JSON.stringify(tag)} has a line break or another control character` })
    else found[sign === '+' ? 'add' : 'remove'].set(tag.toLowerCase(), tag)
  }
  for (const [key, tag] of found.add)
    if (found.remove.has(key)) problems.push({ path: 'tags', message: `adds and removes "${tag}"` })
  if (problems.length > 0) return { problems }
  return { add: [...found.add.values()], remove: [...found.remove.values()] }
}

type Tagged = Partial<Pick<TrackerItem, 'tags'>>

/** Those of the changes that the item needs. A tag to remove is spelled as the item has it. */
export function planTags({ tags = [] }: Tagged, { add, remove }: TagChanges): TagChanges {
  const find = (tag: string) => tags.find((one) => equalsIgnoringCase(one, tag))
  return {
    add: add.filter((tag) => find(tag) === undefined),
    remove: remove.flatMap((tag) => find(tag) ?? []),
  }
}

/** The change as people read it: all tags before and after. */
export function listTagChanges(item: Tagged, changes: TagChanges): FieldChange[] {
  const { add, remove } = planTags(item, changes)
  if (add.length + remove.length === 0) return []
  const { tags = [] } = item
  const join = (list: readonly string[]) => (list.length === 0 ? null : list.join('; '))
  const after = [...tags.filter((tag) => !remove.includes(tag)), ...add]
  return [{ field: 'Tags', from: join(tags), to: join(after), storedAs: null }]
}
