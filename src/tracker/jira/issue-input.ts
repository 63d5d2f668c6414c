import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { AtlassianTexts, StoredEdit } from '../../rich-text/atlassian-texts'
import { choosePerson } from '../services/choose-person'
import { type FieldValue, splitTags } from '../services/update-after-reading'
import { toWireValue } from './further-fields'
import type { ReadParts } from './issue-reader'
import { WireUser } from './map-issue'
import { createPointsInput, orderPointsFields } from './points-field'
import { fieldNames, type SiteFields } from './site-fields'

/** The values of an issue in the form of a request, or why Jira could not take them. */
export type ResolvedInput = { fields: Record<string, unknown>; note?: string } | { problem: string }

/** What an edit takes away from a description, in a sentence that is true before and after it is sent; null if it is nothing. */
export function describeTextLoss({ isRewritten, losses }: StoredEdit<unknown>): string | null {
  if (isRewritten)
    return 'The edit of the description cannot be made in the text that Jira stores, so the whole text is replaced. Formatting that Markdown does not show, such as panels and colors, is lost; the history of the issue has it.'
  return losses.length === 0 ? null : `The description loses ${losses.join(', ')}.`
}

/** The description of an issue with the edit that makes it another text; null if one of them has no text. */
export function editDescription(
  before: unknown,
  value: FieldValue | undefined,
  texts: AtlassianTexts,
): StoredEdit<unknown> | null {
  const isBlank = !before || (typeof before === 'string' && before.trim() === '')
  return isBlank || String(value ?? '').trim() === '' ? null : texts.edit(before, String(value))
}

/** What is to be set on an issue. */
interface InputTarget {
  /** The description as Jira stores it. */
  before?: unknown
  /** The IDs of the fields that can be set; null if the token cannot read them. */
  listScreen(): Promise<ReadonlySet<string> | null>
}

export async function resolveInput(
  values: Readonly<Record<string, FieldValue>>,
  { before, listScreen }: InputTarget,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<ResolvedInput> {
  const metadata = await parts.metadata.forReading(signal)
  const { custom } = metadata
  const texts = await parts.client.loadTexts(signal)
  const fields: Record<string, unknown> = {}
  const problems: string[] = []
  let note: string | undefined
  const further = new Map(metadata.further.map((field) => [field.id, field]))
  const key = metadata.deployment === 'cloud' ? 'accountId' : 'name'
  const findAccount = async (text: string) => {
    const id = (await findUser(text, metadata, parts, signal))?.[key]
    return id === undefined ? null : { [key]: id }
  }
  for (const [name, value] of Object.entries(values)) {
    const text = String(value ?? '').trim()
    const isEmpty = text === ''
    const set = (found: unknown, problem: string, id = name) => {
      if (found === null) problems.push(problem)
      else fields[id] = found
    }
    if (name === fieldNames.description) {
      const edit = editDescription(before, value, texts)
      fields[name] = edit ? edit.stored : texts.fromMarkdown(String(value ?? ''))
      note = (edit && describeTextLoss(edit)) ?? undefined
    } else if (name === fieldNames.labels) {
      const labels = splitTags(text)
      const invalid = labels.find((label) => /\s/.test(label))
      set(invalid === undefined ? labels : null, describeInvalidLabel(invalid ?? ''))
    } else if (name === fieldNames.priority) {
      const found = await parts.metadata.findPriority((priorities) => findPriority(text, { priorities }), signal)
      const { priorities } = await parts.metadata.forReading(signal)
      set(found && { id: found.id }, `The site has no priority "${text}". It has ${listNames(priorities)}.`)
    } else if (name === fieldNames.assignee) {
      set(
        isEmpty ? { [key]: null } : await findAccount(text),
        `Jira has no account "${text}" that issues can be assigned to.`,
      )
    } else if (name === fieldNames.sprint && custom.sprint !== null) {
      if (isEmpty) fields[custom.sprint] = null
      else {
        const open = await parts.metadata.findSprint((sprints) => {
          const named = sprints.filter((sprint) => equalsIgnoringCase(sprint.name, text))
          return named.find(({ state }) => state !== 'closed') ?? named[0]
        }, signal)
        set(open?.id ?? null, `The boards of the project have no sprint "${text}".`, custom.sprint)
      }
    } else if (name === fieldNames.points && custom.points.length > 0) {
      const ids = orderPointsFields(custom.points, (await parts.metadata.get(signal)).isTeamManaged)
      const screen = ids.length > 1 ? await listScreen() : null
      Object.assign(fields, createPointsInput(isEmpty ? null : Number(text), ids, screen))
    } else if (further.has(name)) {
      const sent = await toWireValue(further.get(name)!, value, { texts, findUser: findAccount })
      if ('problem' in sent) problems.push(sent.problem)
      else fields[name] = sent.value
    } else fields[name] = name === fieldNames.title ? String(value ?? '') : value
  }
  return problems.length > 0 ? { problem: problems.join(' ') } : { fields, ...(note && { note }) }
}

export function describeInvalidLabel(label: string): string {
  return `A label of Jira has no spaces: "${label}".`
}

/** A priority by its name, or by its position among the priorities of the site, from 1. */
export function findPriority(
  text: string,
  { priorities }: Pick<SiteFields, 'priorities'>,
): SiteFields['priorities'][number] | null {
  return priorities.find(({ name }) => equalsIgnoringCase(name, text)) ?? priorities[Number(text) - 1] ?? null
}

export function listNames(named: readonly { name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

/** A person by the account name, the e-mail address or the display name; null if there is none, or several. */
async function findUser(
  text: string,
  { deployment }: SiteFields,
  { client }: ReadParts,
  signal: AbortSignal,
): Promise<z.output<typeof WireUser> | null> {
  const wanted = text.replace(/^@/, '')
  const query = { project: client.project.key, [deployment === 'cloud' ? 'query' : 'username']: wanted, maxResults: 50 }
  const found = await client.get('/user/assignable/search', query, z.array(WireUser), signal)
  return choosePerson(found, wanted, (user) => [user.accountId, user.name, user.emailAddress, user.displayName])
}
