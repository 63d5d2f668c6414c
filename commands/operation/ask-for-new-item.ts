import type { ResultOf } from '../../src/catalog'
import { isRecord } from '../../src/kernel/json'
import { equalsIgnoringCase } from '../../src/kernel/text/text'
import type { Invocation } from '../start/invocation'
import { ask } from '../terminal/ask'
import { printableLine } from '../terminal/printable'
import type { RunOther } from './command-parts'

type WorkItemType = ResultOf<'items.metadata'>['workItemTypes'][number]

/** Asks for the type, the title and the fields that the type requires, as far as they are not given. */
export async function askForNewItem(
  given: Record<string, unknown>,
  invocation: Invocation,
  run: RunOther,
): Promise<Record<string, unknown>> {
  if (invocation.flags.yes && given['type'] !== undefined && given['title'] !== undefined) return given
  const tracker = given['tracker'] === undefined ? {} : { tracker: given['tracker'] }
  const { workItemTypes } = (await run('items.metadata', tracker)) as ResultOf<'items.metadata'>
  const named = await ask([...typeQuestion(given, workItemTypes), ...titleQuestion(given)], NOTHING_CREATED)
  const input: Record<string, unknown> = { ...given, ...named }
  const type = workItemTypes.find(({ name }) => equalsIgnoringCase(name, String(input['type'])))
  const missing = (type?.requiredFields ?? []).filter((name) => !isGiven(name, input))
  if (missing.length === 0) return input
  const questions: object[] = []
  for (const [index, name] of missing.entries()) {
    const asked = { ...tracker, type: type!.name, field: name }
    const { allowedValues } = (await run('items.metadata', asked)) as ResultOf<'items.metadata'>
    // A name with a dot would become a nested answer.
    questions.push(valueQuestion(`field${index}`, name, allowedValues ?? []))
  }
  const answers = await ask(questions, NOTHING_CREATED)
  const fields = Object.fromEntries(missing.map((name, index) => [name, answers[`field${index}`]]))
  return { ...input, fields: { ...(isRecord(input['fields']) ? input['fields'] : {}), ...fields } }
}

const NOTHING_CREATED = 'Nothing was created.'
const isNotEmpty = (text: string) => text.trim() !== '' || 'A value is required.'

/** A choice of the values that the tracker allows, if it lists them. */
function valueQuestion(key: string, name: string, choices: readonly string[]): object {
  const message = `${printableLine(name)}:`
  return choices.length === 0
    ? { type: 'input', name: key, message, validate: isNotEmpty }
    : { type: 'select', name: key, message, choices: choices.map((value) => ({ name: printableLine(value), value })) }
}

function typeQuestion({ type, parentId }: Record<string, unknown>, types: readonly WorkItemType[]): object[] {
  if (type !== undefined) return []
  const onBacklog = types.filter(({ level }) => level !== null)
  const choices = (onBacklog.length > 0 ? onBacklog : types).map(({ name }) => name)
  const story = types.find(({ level }) => level === (parentId === undefined ? 1 : 0))?.name
  return [{ type: 'select', name: 'type', message: 'Type:', choices, default: story }]
}

function titleQuestion({ title }: Record<string, unknown>): object[] {
  return title === undefined ? [{ type: 'input', name: 'title', message: 'Title:', validate: isNotEmpty }] : []
}

function isGiven(name: string, { title, updates, fields }: Record<string, unknown>): boolean {
  const names = [updates, fields].flatMap((given) => (isRecord(given) ? Object.keys(given) : []))
  return (name === 'Title' && title !== undefined) || names.some((given) => normalize(given) === normalize(name))
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}
