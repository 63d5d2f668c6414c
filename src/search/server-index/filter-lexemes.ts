import type { Entity } from '../entity'
import { type Filter, levelNameOf, progressOf, QUALIFIERS, type Qualifier } from '../rules/filters'
import { fold } from '../rules/fold'
import { lexeme, quoted } from './lexemes'

const KINDS = {
  state: 's',
  type: 'y',
  assignee: 'p',
  tag: 'g',
  area: 'a',
  iteration: 'r',
  priority: 'o',
  id: 'i',
} as const satisfies Record<Qualifier, string>
const WHOLE_NAME = 'd'
const NAME_WORD = 'n'

/** What filters find an entity by: `fits` says of each whether it is to be found by it. */
export function filterLexemes(entity: Entity): string[] {
  const { type, itemType, state, assignedTo, tags, areaPath, iterationPath } = entity
  const [progress, levelName] = [progressOf(entity), levelNameOf(entity)]
  const found = [
    ...(state === null ? [] : [has('state', fold(state))]),
    ...(progress === null ? [] : [has('state', progress)]),
    has('type', fold(type)),
    ...(itemType === null ? [] : [has('type', fold(itemType))]),
    ...(levelName === null ? [] : [has('type', levelName)]),
    ...(entity.priority === null ? [] : [has('priority', String(entity.priority))]),
    has('id', String(entity.id)),
    ...tags.map((tag) => has('tag', fold(tag))),
    ...partsOfPath(areaPath ?? '').map((part) => has('area', part)),
    ...partsOfPath(iterationPath ?? '').map((part) => has('iteration', part)),
  ]
  if (assignedTo) {
    const { displayName, uniqueName } = assignedTo
    found.push(lexeme(`${WHOLE_NAME}=`, fold(displayName)))
    for (const word of fold(displayName).split(/\s+/)) found.push(lexeme(`${NAME_WORD}=`, word))
    if (uniqueName !== null)
      found.push(has('assignee', fold(uniqueName)), has('assignee', fold(uniqueName.split('@')[0]!)))
  }
  const absent: Record<Qualifier, boolean> = {
    state: !state,
    type: !itemType,
    assignee: assignedTo === null,
    tag: tags.length === 0,
    area: !areaPath,
    iteration: !iterationPath,
    priority: entity.priority === null,
    id: false,
  }
  for (const qualifier of QUALIFIERS) if (absent[qualifier]) found.push(hasNone(qualifier))
  return [...new Set(found)]
}

/** Queries: what an entity must be found by, and what it must not; null for no such demand. */
export function filterQueries(filters: readonly Filter[]): { wanted: string | null; banned: string | null } {
  const wanted = QUALIFIERS.flatMap((qualifier) => {
    const own = filters.filter((filter) => filter.qualifier === qualifier && !filter.negated).map(queryOf)
    if (own.length === 0) return []
    return [`(${own.join(qualifier === 'tag' ? '&' : '|')})`]
  })
  const banned = filters.filter(({ negated }) => negated).map(queryOf)
  return {
    wanted: wanted.length > 0 ? wanted.join('&') : null,
    banned: banned.length > 0 ? banned.join('|') : null,
  }
}

function queryOf({ qualifier, value, whole }: Filter): string {
  if (value === null) return quoted(hasNone(qualifier))
  if (qualifier === 'area' || qualifier === 'iteration') return quoted(has(qualifier, pathOf(value)))
  if (qualifier === 'priority') return quoted(has(qualifier, String(Number(value.replace(/^p(?=\d)/i, '')))))
  if (qualifier === 'id') return quoted(has(qualifier, String(Number(value.replace('#', '')))))
  if (qualifier !== 'assignee') return quoted(has(qualifier, fold(value)))
  const names = whole
    ? quoted(lexeme(`${WHOLE_NAME}=`, fold(value)))
    : fold(value)
        .split(/\s+/)
        .map((word) => quoted(lexeme(`${NAME_WORD}=`, word)))
        .join('&')
  return `(${quoted(has('assignee', fold(value)))}|(${names}))`
}

function has(qualifier: Qualifier, value: string): string {
  return lexeme(`${KINDS[qualifier]}=`, value)
}

function hasNone(qualifier: Qualifier): string {
  return `${KINDS[qualifier]}!`
}

/** `Docks`, `Docks\North`, … of `Warehouse\Docks\North`. */
function partsOfPath(path: string): string[] {
  const names = pathOf(path).split('\\')
  const parts: string[] = []
  for (let first = 0; first < names.length; first++) {
    for (let end = first + 1; end <= names.length; end++) parts.push(names.slice(first, end).join('\\'))
  }
  return parts
}

function pathOf(path: string): string {
  return fold(path)
    .replaceAll('/', '\\')
    .replace(/^\\|\\$/g, '')
}
