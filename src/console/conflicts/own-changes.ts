import type { Fields } from '../forms/form'
import { isSameText, onLines, onOneLine, sentText } from '../forms/hidden-fields'
import { shownText } from '../forms/shown-text'

/** What a form changes: its values now, those that the form shows, and the version that belongs to the values now. */
export interface Basis {
  /** An object with fields of the operation's input, as for the inputs of a form. */
  now: object
  /** The same that the form was drawn with; null if that is not known. Missing if the form sends them. */
  was?: object | null
  /** Fields of the operation that make it refuse the change if `now` is no longer true. */
  version?: Fields
  /** The fields that only make sense together: if one of them was changed, all of them are sent. */
  together?: readonly string[]
  /** Fields that are merged as texts, also where their texts are short. */
  longTexts?: readonly string[]
  /** Words for values that are IDs, by the name of the field. */
  texts?: Record<string, Record<string, string>>
}

/** A field that the user of a form has changed, and somebody else in another way since it was drawn. */
export interface FieldConflict {
  name: string
  /** The value that both began with. */
  was: string
  yours: string
  theirs: string
}

export interface OwnChanges {
  /** What the form changes. */
  own: Fields
  /** What it says besides that: which thing it changes, for example. */
  other: Fields
  conflicts: FieldConflict[]
  /** The fields that somebody else has changed. */
  changedByOthers: string[]
  /** The values now of all fields that the form shows, as texts; null if the form does not send with what it was drawn. */
  drawn: Record<string, string> | null
}

const DRAWN = 'drawn.'
const CHOICE = 'choice.'
const YOURS = 'yours.'

/** Whether a form sends the values that it was drawn with. */
export function hasDrawnValues(fields: Fields): boolean {
  return Object.keys(fields).some((name) => name.startsWith(DRAWN))
}

/** The fields that a form shows and sends, without those that say how it was drawn. */
export function withoutDrawnValues(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(DRAWN)))
}

/**
 * What the user of a form has changed, and what somebody else has changed meanwhile in the same fields. `sendsAll` is for a form whose button
 * asks for something else than its fields: those that belong together are sent as they are.
 */
export function findOwnChanges(
  sent: Fields,
  { now, was, together = [] }: Basis,
  { sendsAll = false }: { sendsAll?: boolean } = {},
): OwnChanges {
  const fields = was === undefined ? fillUnchecked(takeChoices(sent)) : takeChoices(sent)
  const drawn = (name: string) => (was === undefined ? String(fields[`${DRAWN}${name}`] ?? '') : shownText(name, was))
  const isField = (name: string) =>
    was === undefined ? `${DRAWN}${name}` in fields : Object.hasOwn({ ...was, ...now }, name)
  const changes: OwnChanges = {
    own: Object.create(null),
    other: Object.create(null),
    conflicts: [],
    changedByOthers: [],
    drawn: null,
  }
  const { own, other, conflicts, changedByOthers } = changes
  for (const [name, value] of Object.entries(withoutDrawnValues(fields))) {
    if (!isField(name)) {
      other[name] = value
      continue
    }
    const [yours, before, theirs] = [sentText(value), drawn(name), shownText(name, now)]
    // An input of one line was drawn without the line breaks of its text.
    const isChanged = !isSameText(theirs, before) && onOneLine(theirs) !== before
    if (isChanged) changedByOthers.push(name)
    if (isSameText(yours, before) || isSameText(yours, theirs)) continue
    own[name] = value
    if (isChanged) conflicts.push({ name, was: onLines(before), yours: onLines(yours), theirs: onLines(theirs) })
  }
  if (was === undefined) changes.drawn = showNow(fields, now)
  return together.length === 0 ? changes : { ...changes, own: completeOwn(changes, { now, together, sendsAll }) }
}

/** Fields that belong together are sent all, with the others, or not at all. */
function completeOwn(
  { own, drawn }: OwnChanges,
  { now, together, sendsAll }: { now: object; together: readonly string[]; sendsAll: boolean },
): Fields {
  if (!sendsAll && !together.some((name) => name in own)) return {}
  const untouched = together.filter((name) => !(name in own) && name in drawn!)
  return { ...own, ...Object.fromEntries(untouched.map((name) => [name, shownText(name, now)])) }
}

function showNow(fields: Fields, now: object): Record<string, string> {
  const names = Object.keys(fields).filter((name) => name.startsWith(DRAWN))
  return Object.fromEntries(names.map((name) => name.slice(DRAWN.length)).map((name) => [name, shownText(name, now)]))
}

/** Browsers do not send a box that is not checked. */
function fillUnchecked(fields: Fields): Fields {
  const isUnchecked = ([name, drawn]: [string, unknown]) =>
    name.startsWith(DRAWN) && drawn === 'true' && !(name.slice(DRAWN.length) in fields)
  const unchecked = Object.entries(fields).filter(isUnchecked)
  return { ...fields, ...Object.fromEntries(unchecked.map(([name]) => [name.slice(DRAWN.length), 'false'])) }
}

/** The fields after the choices of a form that shows conflicts. */
function takeChoices(fields: Fields): Fields {
  const taken = { ...fields }
  for (const [key, choice] of Object.entries(fields)) {
    if (key.startsWith(YOURS)) delete taken[key]
    if (!key.startsWith(CHOICE)) continue
    const name = key.slice(CHOICE.length)
    delete taken[key]
    if (choice === 'yours' && `${YOURS}${name}` in fields) taken[name] = fields[`${YOURS}${name}`]
    if (choice !== 'theirs') continue
    delete taken[name]
    delete taken[`${DRAWN}${name}`]
  }
  return taken
}
