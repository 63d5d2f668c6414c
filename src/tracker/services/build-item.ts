import type { ItemProperty, ProcessField, TrackerItem } from '../tracker'

/** What few trackers have. */
const ABSENT = {
  areaPath: '',
  priority: null,
  relatedIds: [],
  blockedField: false,
  acceptanceCriteria: null,
  attachments: [],
} as const satisfies Partial<Record<keyof TrackerItem, unknown>>

type Optional = keyof typeof ABSENT

/**
 * Completes an item with what its tracker does not have, with its description, and with its fields: `values` has those that are no property of
 * their own under the same name. Empty values are left out.
 */
export function buildItem(
  item: Omit<TrackerItem, Optional | 'description' | 'markdownFields' | 'fields'> &
    Partial<Pick<TrackerItem, Optional>>,
  { text, field, values }: { text: string; field: string; values: Record<string, unknown> },
): TrackerItem {
  const present = Object.entries({ ...values, [field]: text }).filter(([, value]) => value != null && value !== '')
  return {
    ...ABSENT,
    relatedIds: [],
    attachments: [],
    ...item,
    description: text.trim() === '' ? null : { format: 'markdown', text },
    markdownFields: [field],
    fields: Object.fromEntries(present),
  }
}

/** The fields of the properties. */
export function mapPropertyFields(fields: readonly ProcessField[]): Map<ItemProperty, ProcessField> {
  return new Map(fields.flatMap((field) => (field.property === null ? [] : [[field.property, field]])))
}
