import { type Answer, jsonAnswer } from './answer'

/** The answer to one request of a bulk. */
export interface BulkEntry {
  code: number
  headers: Record<string, string>
  /** JSON. */
  body: string
}

export function bulkAnswer(entries: readonly BulkEntry[]): Answer {
  return jsonAnswer({ count: entries.length, value: entries })
}

/** How a bulk tells of a part that was refused. */
export function bulkRefusal(code: number, message: string): BulkEntry {
  return {
    code,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ count: 1, value: { Message: message } }),
  }
}

/** A part of a bulk that failed because of another. */
export const spoiled: BulkEntry = bulkRefusal(500, 'TF401321: Whole Bulk failed.')
