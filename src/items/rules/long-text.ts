import { equalsIgnoringCase } from '../../kernel/text/text'
import { htmlToMarkdown, htmlToPlainText, markdownToHtml, type PersonIdentity } from '../../rich-text'
import type { LongText, ProcessField, TrackerComment, TrackerItem } from '../../tracker'
import type { Comment, FieldValue } from '../schemas'
import type { FieldUpdate } from './update-fields'

/** The values of an item at a revision. */
export type ItemVersion = Pick<TrackerItem, 'id' | 'rev' | 'fields' | 'markdownFields'>

/** How an item stores a long text; null for a field of another kind. */
export function findTextFormat(item: ItemVersion, field: ProcessField): LongText['format'] | null {
  if (field.kind !== 'text') return null
  if (field.isMarkdown) return 'markdown'
  return item.markdownFields.some((name) => equalsIgnoringCase(name, field.referenceName)) ? 'markdown' : 'html'
}

/** Adds the HTML of long texts, which are given in Markdown, unless the tracker stores Markdown. Names of people in the items become mentions. */
export function addHtml(updates: readonly FieldUpdate[], items: readonly ItemVersion[]): FieldUpdate[] {
  const isLongText = ({ field, value, html }: FieldUpdate) =>
    field.kind === 'text' && !field.isMarkdown && typeof value === 'string' && html === undefined
  if (!updates.some(isLongText)) return [...updates]
  const people = items.flatMap(({ fields }) => listIdentities(fields))
  return updates.map((update) =>
    isLongText(update) ? { ...update, html: markdownToHtml(String(update.value), { people }) } : update,
  )
}

/** The value to send to this item. */
export function valueToStore(item: ItemVersion, { field, value, html }: FieldUpdate): FieldValue {
  return html !== undefined && findTextFormat(item, field) === 'html' ? html : value
}

/** A stored value as people read it: a long text as Markdown. */
export function valueToShow(item: ItemVersion, field: ProcessField, stored: FieldValue): FieldValue {
  return typeof stored === 'string' && findTextFormat(item, field) === 'html' ? htmlToMarkdown(stored) : stored
}

/** Whether two stored texts have the same content. Editors write the same content as different HTML. */
export function isSameLongText(item: ItemVersion, field: ProcessField, a: string, b: string): boolean {
  // Nearly all different texts differ in their words, which are found much faster than their Markdown.
  if (findTextFormat(item, field) !== 'html' || wordsOf(a) !== wordsOf(b)) return false
  return htmlToMarkdown(a) === htmlToMarkdown(b)
}

function wordsOf(html: string): string {
  return htmlToPlainText(html).replace(/[\s☐☑]+/g, '')
}

/** The people in the fields of an item whose identity the tracker has given. */
export function listIdentities(fields: Readonly<Record<string, unknown>>): PersonIdentity[] {
  return Object.values(fields).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    const { id, displayName, uniqueName } = value as Record<string, unknown>
    if (typeof id !== 'string' || typeof displayName !== 'string') return []
    return [{ identity: id, displayName, uniqueName: typeof uniqueName === 'string' ? uniqueName : null }]
  })
}

/** Comments as people read them. */
export function toComments(comments: readonly TrackerComment[]): Comment[] {
  return comments.map(({ text, ...comment }) => ({
    ...comment,
    text: text.format === 'html' ? htmlToMarkdown(text.text) : text.text,
  }))
}

/** The HTML of a comment in Markdown, and what people will read. */
export function previewComment(text: string, people: readonly PersonIdentity[]): { html: string; shown: string } {
  const html = markdownToHtml(text, { people })
  return { html, shown: htmlToMarkdown(html) }
}
