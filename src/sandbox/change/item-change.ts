import type { FieldDefinition } from '../process/fields'
import { findType, type ItemType } from '../process/types'
import { HISTORY, type Item, lastRevision, withRevision } from '../state/item'
import type { FieldValue, Revision } from '../state/state'
import { mergeTags } from '../state/tags'
import type { Change, World } from '../state/world'
import type { Scene } from '../wire/addresses'
import { brokenRule, datesNotIncreasing, readOnlyField, staleTest } from '../wire/refusal'
import { fieldValue } from '../wire/values'
import { checkClearable, checkedValue, type RuleContext } from './field-rules'
import type { PatchStep } from './patch'
import { changeRelations } from './relations'
import { followStateChange } from './state-change'

export interface ChangeContext extends Scene {
  now: number
  /** The rules of the process are not applied; dates and authors may be set. */
  bypassRules?: boolean
}

/**
 * What the patch makes of the item, not yet applied. A patch that changes nothing makes no revision; one that changes links
 * between items alone makes none either. Throws a refusal: 412 for a failed test, else 400 or 404.
 */
export function changeItem(item: Item, steps: readonly PatchStep[], context: ChangeContext): Change {
  checkTests(item, steps, context.world)
  const type = findType(String(item.fields['System.WorkItemType']))!
  return save(item, steps, type, context)
}

/** A new item of the type. */
export function makeItem(type: ItemType, steps: readonly PatchStep[], context: ChangeContext): Change {
  const { world } = context
  const blank: Item = { id: world.nextId, revisions: [], fields: {}, formats: {}, resources: [], deleted: false }
  if (!steps.some((step) => step.kind === 'set' && step.field.referenceName === 'System.Title')) {
    throw brokenRule({ referenceName: 'System.Title', name: 'Title' }, 'Required, InvalidEmpty')
  }
  return save(blank, steps, type, context)
}

function save(item: Item, steps: readonly PatchStep[], type: ItemType, context: ChangeContext): Change {
  const { world, base, web, bypassRules = false } = context
  const isNew = item.revisions.length === 0
  const rules = { world, base, web, type, itemId: isNew ? -1 : item.id, bypassRules }
  const asked = askedFields(item, steps, rules)
  const { at, by } = takeStamp(asked, item, context)
  const set = isNew ? { ...beginnings(type, world), ...asked } : asked
  const state = set['System.State']
  if (!bypassRules && typeof state === 'string' && state !== item.fields['System.State']) {
    const following = Object.entries(followStateChange(type, state, { at, by }))
    for (const [name, value] of following)
      if (!(name in set) && (value !== null || item.fields[name] !== undefined)) set[name] = value
  }
  dropUnchanged(set, item)

  const formats = askedFormats(item, steps)
  const { links, resources } = changeRelations(item, steps, context, { at, by })
  let watermark = world.nextWatermark
  let changed = item
  if (Object.keys(set).length > 0 || formats || resources) {
    const revision: Revision = {
      watermark: watermark++,
      at,
      by,
      set,
      ...(formats ? { formats } : {}),
      ...(resources ? { resources } : {}),
    }
    changed = withRevision(item, revision)
  }
  return { item: changed, links: links.map((link) => ({ watermark: watermark++, ...link })) }
}

/** When the save is made and by whom: now and by who is signed in, unless the patch bypasses the rules and sets it. */
function takeStamp(
  set: Record<string, FieldValue | null>,
  item: Item,
  { world, now }: ChangeContext,
): { at: string; by: string } {
  const isNew = item.revisions.length === 0
  const usual = isNew ? now : Math.max(now, Date.parse(lastRevision(item).at) + 1)
  const { 'System.CreatedDate': madeAt, 'System.CreatedBy': madeBy } = set
  const { 'System.ChangedDate': at = madeAt, 'System.ChangedBy': by = madeBy } = set
  if (!isNew) {
    for (const name of ['System.CreatedDate', 'System.CreatedBy']) if (name in set) throw readOnlyField(name)
  }
  for (const name of STAMPS) delete set[name]
  if (at != null && (Date.parse(String(at)) > now || (!isNew && String(at) <= lastRevision(item).at))) {
    throw datesNotIncreasing()
  }
  return { at: String(at ?? new Date(usual).toISOString()), by: String(by ?? world.people.signedIn.uniqueName) }
}

/** They are kept with the save, not among its fields. */
const STAMPS = ['System.CreatedDate', 'System.CreatedBy', 'System.ChangedDate', 'System.ChangedBy']

function checkTests(item: Item, steps: readonly PatchStep[], world: World): void {
  for (const step of steps) {
    if (step.kind === 'test-rev' && Number(step.value) !== item.revisions.length) {
      throw staleTest('/rev', item.revisions.length, step.value)
    }
    if (step.kind !== 'test-field') continue
    const found = fieldValue(item, step.field.referenceName, world)
    if (String(found ?? '') !== String(step.value ?? '')) {
      throw staleTest(`/fields/${step.field.referenceName}`, found, step.value)
    }
  }
}

function beginnings(type: ItemType, world: World): Record<string, FieldValue | null> {
  return {
    'System.WorkItemType': type.name,
    'System.State': type.states[0]!.name,
    'System.AreaPath': world.areas.root.name,
    'System.IterationPath': world.iterations.root.name,
    ...type.defaults,
  }
}

function askedFields(item: Item, steps: readonly PatchStep[], rules: RuleContext): Record<string, FieldValue | null> {
  const set: Record<string, FieldValue | null> = {}
  for (const step of steps) {
    if (step.kind === 'clear') {
      checkClearable(step.field, rules)
      set[step.field.referenceName] = null
    } else if (step.kind === 'set') {
      set[step.field.referenceName] = askedValue(step.field, step, tagsSoFar(set, item), rules)
    }
  }
  return set
}

function askedValue(
  field: FieldDefinition,
  step: { value: unknown; merge: boolean },
  tags: string,
  rules: RuleContext,
): FieldValue | null {
  const value = checkedValue(field, step.value, rules)
  if (field.referenceName !== 'System.Tags') return value
  return mergeTags(step.merge ? tags : '', String(value)) || null
}

function tagsSoFar(set: Record<string, FieldValue | null>, item: Item): string {
  return String(('System.Tags' in set ? set['System.Tags'] : item.fields['System.Tags']) ?? '')
}

function askedFormats(item: Item, steps: readonly PatchStep[]): Record<string, string> | null {
  const asked = steps.flatMap((step) =>
    step.kind === 'format' ? [[step.field.referenceName, step.format] as const] : [],
  )
  const changed = asked.filter(
    ([name, format]) => (item.formats[name] ?? 'Html').toLowerCase() !== format.toLowerCase(),
  )
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

/** A comment is always news, even if it says the same again. */
function dropUnchanged(set: Record<string, FieldValue | null>, item: Item): void {
  for (const [name, value] of Object.entries(set)) {
    if (name !== HISTORY && (item.fields[name] ?? null) === value) delete set[name]
  }
}
