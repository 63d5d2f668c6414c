import { equalsIgnoringCase } from '../../kernel/text/text'
import type { StateCategory } from '../../tracker'
import { findState, findType, type ItemType } from '../process/item-types'
import { appendRevision, getLastRevision, HISTORY, type Item, mergeTags } from '../state/item'
import type { FieldValue } from '../state/state'
import type { ItemChange, TrackerModel } from '../state/tracker-model'
import { readFieldValue } from '../wire/item-json'
import { createFailedTestError, createReadOnlyFieldError, createRuleError, WireError } from '../wire/response'
import type { AddressedModel } from '../wire/urls'
import { checkClearable, checkValue, type RuleContext } from './field-rules'
import type { PatchStep } from './parse-patch'
import { changeRelations } from './relations'

export interface ChangeContext extends AddressedModel {
  now: number
  /** Skips the rules of the process; dates and authors can be set. */
  bypassRules?: boolean
}

/**
 * Applies the patch to a copy of the item. A patch that changes nothing, or only links between items, creates no revision.
 * Throws 412 for a failed test, and 400 or 404 for other errors.
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
  const requested = collectFields(item, steps, { model, base, web, type, itemId: isNew ? -1 : item.id, bypassRules })
  const stamp = extractStamp(requested, item, context)
  const set = isNew ? { ...createDefaults(type, model), ...requested } : requested
  const state = set['System.State']
  if (!bypassRules && typeof state === 'string' && state !== item.fields['System.State']) {
    for (const [name, value] of Object.entries(followStateChange(type, state, stamp)))
      if (!(name in set) && (value !== null || item.fields[name] !== undefined)) set[name] = value
  }
  dropUnchanged(set, item)

  const formats = collectFormats(item, steps)
  const { links, resources } = changeRelations(item, steps, context, stamp)
  let watermark = model.nextWatermark
  let changed = item
  if (Object.keys(set).length > 0 || formats || resources) {
    const more = { ...(formats ? { formats } : {}), ...(resources ? { resources } : {}) }
    changed = appendRevision(item, { watermark: watermark++, ...stamp, set, ...more })
  }
  return { item: changed, links: links.map((link) => ({ watermark: watermark++, ...link })) }
}

/** The time and author of the save: now and the signed-in user, unless the patch bypasses the rules and sets them. */
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
    throw new WireError(
      400,
      'WorkItemDatesNotIncreasingException',
      'VS402625: Dates must be increasing with each revision.',
    )
  }
  return { at: String(at ?? new Date(usual).toISOString()), by: String(by ?? model.people.signedIn.uniqueName) }
}

/** Stored as properties of the save instead of fields. */
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
      const { referenceName } = step.field
      const value = checkValue(step.field, step.value, rules)
      const current = (referenceName in set ? set[referenceName] : item.fields[referenceName]) ?? ''
      set[referenceName] =
        referenceName === 'System.Tags' ? mergeTags(step.merge ? String(current) : '', String(value)) || null : value
    }
  }
  return set
}

function collectFormats(item: Item, steps: readonly PatchStep[]): Record<string, string> | null {
  const changed = steps.flatMap((step) => {
    if (step.kind !== 'format') return []
    const name = step.field.referenceName
    return equalsIgnoringCase(item.formats[name] ?? 'Html', step.format) ? [] : [[name, step.format] as const]
  })
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

/** A comment is always a change, even if its text is the same as before. */
function dropUnchanged(set: Record<string, FieldValue | null>, item: Item): void {
  for (const [name, value] of Object.entries(set)) {
    if (name !== HISTORY && (item.fields[name] ?? null) === value) delete set[name]
  }
}

/** Moves the item to the recycle bin: adds a last revision and removes all links to it. */
export function removeItem(item: Item, { model, now }: ChangeContext): ItemChange {
  const by = model.people.signedIn.uniqueName
  const at = new Date(now).toISOString()
  let watermark = model.nextWatermark
  const removed = appendRevision(item, { watermark: watermark++, at, by, set: {}, deleted: true })
  const links = model.links.listEnds(item.id).map(({ change: { type, source, target } }) => ({
    watermark: watermark++,
    at,
    by,
    type,
    source,
    target,
    active: false,
  }))
  return { item: removed, links }
}

/** Brings the item back from the recycle bin, with the links that went with it and can be there again. */
export function restoreItem(item: Item, { model, now }: ChangeContext): ItemChange {
  const by = model.people.signedIn.uniqueName
  const deletedAt = getLastRevision(item).at
  const at = new Date(Math.max(now, Date.parse(deletedAt) + 1)).toISOString()
  let watermark = model.nextWatermark
  const restored = appendRevision(item, { watermark: watermark++, at, by, set: {} })
  const links = model.linkChanges
    .filter((link) => !link.active && link.at === deletedAt && [link.source, link.target].includes(item.id))
    .filter(({ type, source, target }) => {
      const other = source === item.id ? target : source
      const hasParent = type === 'System.LinkTypes.Hierarchy' && model.links.findParent(target) !== null
      return model.item(other) !== null && !hasParent
    })
    .map(({ type, source, target }) => ({ watermark: watermark++, at, by, type, source, target, active: true }))
  return { item: restored, links }
}

/** The stamps that an item gets on its way, each with a date and an author. */
const STAMPS = ['Activated', 'Resolved', 'Closed']

/** How many stamps an item of the category can have; it gets the last of them when it enters the state. */
const STAMP_COUNTS: Record<Exclude<StateCategory, 'Removed'>, number> = {
  Proposed: 0,
  InProgress: 1,
  Resolved: 2,
  Completed: 3,
}

/** The fields that change together with the state: the reason, and the date and author of the change. A removed item keeps its stamps. */
export function followStateChange(
  type: ItemType,
  stateName: string,
  { at, by }: { at: string; by: string },
): Record<string, FieldValue | null> {
  const { reason, category } = findState(type, stateName)!
  const set: Record<string, FieldValue | null> = {
    'System.Reason': reason,
    'Microsoft.VSTS.Common.StateChangeDate': at,
  }
  if (category === 'Removed') return set
  // A closed item has its resolved date still, a reopened one does not.
  for (const [index, stamp] of STAMPS.entries()) {
    const count = STAMP_COUNTS[category]
    if (index < count - 1) continue
    set[`Microsoft.VSTS.Common.${stamp}Date`] = index < count ? at : null
    set[`Microsoft.VSTS.Common.${stamp}By`] = index < count ? by : null
  }
  return set
}
