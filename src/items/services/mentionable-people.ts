import type { PersonIdentity } from '../../rich-text'
import type { ReadTx } from '../../storage'
import { findLatestFields, listAssignees } from '../queries'
import { listIdentities } from '../rules/long-text'

/** Items whose fields are read to find the identities of the people in a text. */
const MAX_ITEMS = 50

/** The people whom a text may mention: those of the item, and every assignee of the workspace whose name follows an at sign. */
export async function findMentionablePeople(tx: ReadTx, itemId: number, text: string): Promise<PersonIdentity[]> {
  const lower = text.toLowerCase()
  if (!lower.includes('@')) return []
  const isNamed = (name: string | null) => name !== null && lower.includes(`@${name.toLowerCase()}`)
  const named = (await listAssignees(tx)).filter(({ name, account }) => isNamed(name) || isNamed(account))
  const fields = await findLatestFields(tx, [itemId, ...named.slice(0, MAX_ITEMS).map((person) => person.itemId)])
  return [...fields.values()].flatMap(listIdentities)
}

const AT_NAME = /(?<![\p{L}\p{N}_.@])@([\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,60}[\p{L}\p{N}])?)/gu

/** Words after an at sign that are not the name of a known person, so that they remain text. */
export function listUnknownNames(text: string, people: readonly PersonIdentity[]): string[] {
  const names = people
    .flatMap(({ displayName, uniqueName }) => [displayName, uniqueName])
    .flatMap((name) => (name === null ? [] : [name.toLowerCase()]))
  const lower = text.toLowerCase()
  const unknown = [...text.matchAll(AT_NAME)].filter(
    ({ index }) => !names.some((name) => lower.startsWith(name, index + 1)),
  )
  return [...new Set(unknown.map(([, name]) => name!))]
}
