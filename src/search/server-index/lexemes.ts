import { createHash } from 'node:crypto'
import { StudioError } from '../../kernel/errors'
import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import { normalizeText } from '../../kernel/text/normalize-text'
import { IMPACT_STEPS } from '../rules/bm25'
import { type Filter, levelNameOf, progressOf, QUALIFIERS, type Qualifier, trackerOf } from '../rules/filters'
import { stem } from '../rules/stem'
import { STOP_WORDS } from '../rules/stop-words'
import type { Entity } from '../services/entity'

/**
 * The lexemes of an entity in the engine's full text index. Studio creates them itself, so that both engines treat words alike:
 *
 * | lexeme | of |
 * |---|---|
 * | `w` step term | a term anywhere, with the step of its impact; `x` for stop words |
 * | `t` step term | a term of the title; `u` for stop words |
 * | `l` terms, each followed by a space | the title |
 * | `s` `y` `g` `a` `r` `o` `i` and `=` value | a state or progress, type or level, tag, area, iteration, priority, ID |
 * | `k=` name | the name of a further tracker |
 * | `p` account, `d` name, `n` word of a name, each with `=` before it | a person |
 * | the same with `!` | the value is missing |
 *
 * The step precedes the term, so that one prefix lookup finds all terms with the same beginning.
 */
export function termLexeme(term: string, step: number, inTitle: boolean): string {
  return lexeme(classOf(term, inTitle) + encodeStep(step), term)
}

/** The prefix of all terms with this beginning, without stop words. */
export function prefixLexeme(beginning: string, step: number, inTitle: boolean): string {
  return (inTitle ? 't' : 'w') + encodeStep(step) + beginning
}

/** A query for entities that contain the term with any impact. */
export function buildTermQuery(term: string, inTitle: boolean): string {
  return anyOf(Array.from({ length: IMPACT_STEPS }, (_, step) => termLexeme(term, step, inTitle)))
}

/** @param line a title's terms, or those that it begins with. */
export function titleLineLexeme(line: string): string {
  return `l${line.slice(0, MAX_TITLE_LINE_LENGTH)}`
}

function classOf(term: string, inTitle: boolean): string {
  if (isStopTerm(term)) return inTitle ? 'u' : 'x'
  return inTitle ? 't' : 'w'
}

function encodeStep(step: number): string {
  return String.fromCharCode(48 + step)
}

/** In UTF-16 units. Longer titles are cut. */
const MAX_TITLE_LINE_LENGTH = 400
/** Well below the engine's limit of 2,046 bytes. */
const MAX_VALUE_LENGTH = 400

/** Replaces values that are too long or contain control characters by a checksum. */
export function lexeme(kind: string, value: string): string {
  const fits = value.length <= MAX_VALUE_LENGTH && !HAS_CONTROL.test(value)
  return kind + (fits ? value : `#${createHash('sha1').update(value).digest('hex')}`)
}

const HAS_CONTROL = /\p{Cc}/u

/** Terms of a `tsquery`. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

export function anyOf(lexemes: readonly string[]): string {
  return lexemes.map(quoted).join('|')
}

const STOP_TERMS = new Set([...STOP_WORDS].map(stem))

/** Whether a stop word has this term. */
export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term)
}

const KINDS = {
  state: 's',
  type: 'y',
  assignee: 'p',
  tag: 'g',
  area: 'a',
  iteration: 'r',
  priority: 'o',
  tracker: 'k',
  id: 'i',
} as const satisfies Record<Qualifier, string>
const WHOLE_NAME = 'd'
const NAME_WORD = 'n'

/** The lexemes by which filters find an entity. Must match the rule `fits`. */
export function listFilterLexemes(entity: Entity): string[] {
  const { type, itemType, state, assignedTo, tags, areaPath, iterationPath } = entity
  const [progress, levelName, tracker] = [progressOf(entity), levelNameOf(entity), trackerOf(entity)]
  const lexemes = [
    ...(state === null ? [] : [valueLexeme('state', normalizeText(state))]),
    ...(progress === null ? [] : [valueLexeme('state', progress)]),
    valueLexeme('type', normalizeText(type)),
    ...(itemType === null ? [] : [valueLexeme('type', normalizeText(itemType))]),
    ...(levelName === null ? [] : [valueLexeme('type', levelName)]),
    // Items of the default tracker have none, as those that were indexed by versions with one tracker.
    ...(tracker === null || tracker === DEFAULT_TRACKER_NAME ? [] : [valueLexeme('tracker', tracker)]),
    ...(entity.priority === null ? [] : [valueLexeme('priority', String(entity.priority))]),
    valueLexeme('id', String(entity.id)),
    ...tags.map((tag) => valueLexeme('tag', normalizeText(tag))),
    ...listPathParts(areaPath ?? '').map((part) => valueLexeme('area', part)),
    ...listPathParts(iterationPath ?? '').map((part) => valueLexeme('iteration', part)),
  ]
  if (assignedTo) {
    const { displayName, uniqueName } = assignedTo
    lexemes.push(lexeme(`${WHOLE_NAME}=`, normalizeText(displayName)))
    for (const word of normalizeText(displayName).split(/\s+/)) lexemes.push(lexeme(`${NAME_WORD}=`, word))
    if (uniqueName !== null)
      lexemes.push(
        valueLexeme('assignee', normalizeText(uniqueName)),
        valueLexeme('assignee', normalizeText(uniqueName.split('@')[0]!)),
      )
  }
  const absent: Record<Qualifier, boolean> = {
    state: !state,
    type: !itemType,
    assignee: assignedTo === null,
    tag: tags.length === 0,
    area: !areaPath,
    iteration: !iterationPath,
    priority: entity.priority === null,
    // Found by the type.
    tracker: false,
    id: false,
  }
  for (const qualifier of QUALIFIERS) if (absent[qualifier]) lexemes.push(absenceLexeme(qualifier))
  return [...new Set(lexemes)]
}

/** Queries that an entity must match, and must not match; null if there is no such condition. */
export function buildFilterQueries(filters: readonly Filter[]): { wanted: string | null; banned: string | null } {
  const wanted = QUALIFIERS.flatMap((qualifier) => {
    const own = filters.filter((filter) => filter.qualifier === qualifier && !filter.negated).map(buildFilterQuery)
    if (own.length === 0) return []
    return [`(${own.join(qualifier === 'tag' ? '&' : '|')})`]
  })
  const banned = filters.filter(({ negated }) => negated).map(buildFilterQuery)
  return {
    wanted: wanted.length > 0 ? wanted.join('&') : null,
    banned: banned.length > 0 ? banned.join('|') : null,
  }
}

function buildFilterQuery({ qualifier, value, whole, ids }: Filter): string {
  if (ids) return buildIdsQuery(ids)
  if (qualifier === 'tracker') return buildTrackerQuery(value)
  if (value === null) return quoted(absenceLexeme(qualifier))
  if (qualifier === 'area' || qualifier === 'iteration') return quoted(valueLexeme(qualifier, normalizePath(value)))
  if (qualifier === 'priority') return quoted(valueLexeme(qualifier, String(Number(value.replace(/^p(?=\d)/i, '')))))
  if (qualifier === 'id') return quoted(valueLexeme(qualifier, String(Number(value.replace('#', '')))))
  if (qualifier !== 'assignee') return quoted(valueLexeme(qualifier, normalizeText(value)))
  const names = whole
    ? quoted(lexeme(`${WHOLE_NAME}=`, normalizeText(value)))
    : normalizeText(value)
        .split(/\s+/)
        .map((word) => quoted(lexeme(`${NAME_WORD}=`, word)))
        .join('&')
  return `(${quoted(valueLexeme('assignee', normalizeText(value)))}|(${names}))`
}

/** PostgreSQL takes so many terms in a query at most. */
const MAX_TERMS = 15_000

function buildIdsQuery(ids: ReadonlySet<number>): string {
  if (ids.size > MAX_TERMS)
    throw new StudioError(
      'too_complex',
      `${ids.size} work items meet a condition on a field. At most ${MAX_TERMS} can be searched.`,
      {
        hint: 'Search for a rarer value of the field.',
      },
    )
  // No entity has the ID 0.
  const named = ids.size === 0 ? [0] : [...ids]
  return `(${anyOf(named.map((id) => valueLexeme('id', String(id))))})`
}

function buildTrackerQuery(value: string | null): string {
  const isItem = quoted(valueLexeme('type', 'devops'))
  if (value === null) return `!${isItem}`
  if (normalizeText(value) !== DEFAULT_TRACKER_NAME) return quoted(valueLexeme('tracker', normalizeText(value)))
  return `(${isItem}&!${quoted(`${KINDS.tracker}=`)}:*)`
}

function valueLexeme(qualifier: Qualifier, value: string): string {
  return lexeme(`${KINDS[qualifier]}=`, value)
}

function absenceLexeme(qualifier: Qualifier): string {
  return `${KINDS[qualifier]}!`
}

/** `Docks`, `Docks\North`, … of `Warehouse\Docks\North`. */
function listPathParts(path: string): string[] {
  const names = normalizePath(path).split('\\')
  const parts: string[] = []
  for (let first = 0; first < names.length; first++) {
    for (let end = first + 1; end <= names.length; end++) parts.push(names.slice(first, end).join('\\'))
  }
  return parts
}

function normalizePath(path: string): string {
  return normalizeText(path)
    .replaceAll('/', '\\')
    .replace(/^\\|\\$/g, '')
}
