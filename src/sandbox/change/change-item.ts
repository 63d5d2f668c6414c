import type { FieldDefinition } from '../process/fields'
import { findType, type ItemType } from '../process/item-types'
import { appendRevision, getLastRevision, HISTORY, type Item } from '../state/item'
import type { FieldValue, Revision } from '../state/state'
import { mergeTags } from '../state/tags'
import type { ItemChange, TrackerModel } from '../state/tracker-model'
import { readFieldValue } from '../wire/field-values'
import type { AddressedModel } from '../wire/urls'
import {
  createDateOrderError,
  createFailedTestError,
  createReadOnlyFieldError,
  createRuleError,
} from '../wire/wire-error'
import { checkClearable, checkValue, type RuleContext } from './field-rules'
import type { PatchStep } from './parse-patch'
import { changeRelations } from './relations'
import { followStateChange } from './state-change'

export interface ChangeContext extends AddressedModel {
  now: number
  /** The rules of the process are not applied; dates and authors may be set. */
  bypassRules?: boolean
}

/**
 * What the patch makes of the item, not yet applied. A patch that changes nothing makes no revision; one that changes links
 * between items alone makes none either. Throws a refusal: 412 for a failed test, else 400 or 404.
 */
export function changeItem(item: Item, steps: readonly PatchStep[], context: ChangeContext): ItemChange {
  checkTests(item, steps, context.model)
  const type = findType(String(item.fields['System.WorkItemType']))!
  return buildChange(item, steps, type, context)
}

/** A new item of the type. */
export function createItem(type: ItemType, steps: readonly PatchStep[], context: ChangeContext): ItemChange {
  const { model } = context
  const blank: Item = { id: model.nextId, revisions: [], fields: {}, formats: {}, resources: [], isDeleted: false }
  if (!steps.some((step) => step.kind === 'set' && step.field.referenceName === 'System.Title')) {
    throw createRuleError({ referenceName: 'System.Title', name: 'Title' }, 'Required, InvalidEmpty')
  }
  return buildChange(blank, steps, type, context)
}

function buildChange(item: Item, steps: readonly PatchStep[], type: ItemType, context: ChangeContext): ItemChange {
  const { model, base, web, bypassRules = false } = context
  const isNew = item.revisions.length === 0
  const rules = { model, base, web, type, itemId: isNew ? -1 : item.id, bypassRules }
  const asked = collectFields(item, steps, rules)
  const { at, by } = extractStamp(asked, item, context)
  const set = isNew ? { ...createDefaults(type, model), ...asked } : asked
  const state = set['System.State']
  if (!bypassRules && typeof state === 'string' && state !== item.fields['System.State']) {
    const following = Object.entries(followStateChange(type, state, { at, by }))
    for (const [name, value] of following)
      if (!(name in set) && (value !== null || item.fields[name] !== undefined)) set[name] = value
  }
  dropUnchanged(set, item)

  const formats = collectFormats(item, steps)
  const { links, resources } = changeRelations(item, steps, context, { at, by })
  let watermark = model.nextWatermark
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
    changed = appendRevision(item, revision)
  }
  return { item: changed, links: links.map((link) => ({ watermark: watermark++, ...link })) }
}

/** When the save is made and by whom: now and by who is signed in, unless the patch bypasses the rules and sets it. */
function extractStamp(
  set: Record<string, FieldValue | null>,
  item: Item,
  { model, now }: ChangeContext,
): { at: string; by: string } {
  const isNew = item.revisions.length === 0
  const usual = isNew ? now : Math.max(now, Date.parse(getLastRevision(item).at) + 1)
  const { 'System.CreatedDate': madeAt, 'System.CreatedBy': madeBy } = set
  const { 'System.ChangedDate': at = madeAt, 'System.ChangedBy': by = madeBy } = set
  if (!isNew) {
    for (const name of ['System.CreatedDate', 'System.CreatedBy']) if (name in set) throw createReadOnlyFieldError(name)
  }
  for (const name of STAMP_FIELDS) delete set[name]
  if (at != null && (Date.parse(String(at)) > now || (!isNew && String(at) <= getLastRevision(item).at))) {
    throw createDateOrderError()
  }
  return { at: String(at ?? new Date(usual).toISOString()), by: String(by ?? model.people.signedIn.uniqueName) }
}

/** They are kept with the save, not among its fields. */
const STAMP_FIELDS = ['System.CreatedDate', 'System.CreatedBy', 'System.ChangedDate', 'System.ChangedBy']

function checkTests(item: Item, steps: readonly PatchStep[], model: TrackerModel): void {
  for (const step of steps) {
    if (step.kind === 'test-rev' && Number(step.value) !== item.revisions.length) {
      throw createFailedTestError('/rev', item.revisions.length, step.value)
    }
    if (step.kind !== 'test-field') continue
    const found = readFieldValue(item, step.field.referenceName, model)
    if (String(found ?? '') !== String(step.value ?? '')) {
      throw createFailedTestError(`/fields/${step.field.referenceName}`, found, step.value)
    }
  }
}

function createDefaults(type: ItemType, model: TrackerModel): Record<string, FieldValue | null> {
  return {
    'System.WorkItemType': type.name,
    'System.State': type.states[0]!.name,
    'System.AreaPath': model.areas.root.name,
    'System.IterationPath': model.iterations.root.name,
    ...type.defaults,
  }
}

function collectFields(item: Item, steps: readonly PatchStep[], rules: RuleContext): Record<string, FieldValue | null> {
  const set: Record<string, FieldValue | null> = {}
  for (const step of steps) {
    if (step.kind === 'clear') {
      checkClearable(step.field, rules)
      set[step.field.referenceName] = null
    } else if (step.kind === 'set') {
      set[step.field.referenceName] = collectValue(step.field, step, findCurrentTags(set, item), rules)
    }
  }
  return set
}

function collectValue(
  field: FieldDefinition,
  step: { value: unknown; merge: boolean },
  tags: string,
  rules: RuleContext,
): FieldValue | null {
  const value = checkValue(field, step.value, rules)
  if (field.referenceName !== 'System.Tags') return value
  return mergeTags(step.merge ? tags : '', String(value)) || null
}

function findCurrentTags(set: Record<string, FieldValue | null>, item: Item): string {
  return String(('System.Tags' in set ? set['System.Tags'] : item.fields['System.Tags']) ?? '')
}

function collectFormats(item: Item, steps: readonly PatchStep[]): Record<string, string> | null {
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
