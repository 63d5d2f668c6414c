import { createJsonResponse, type WireResponse } from './response'

/** The answer to one request of a bulk. */
export interface BatchEntry {
  code: number
  headers: Record<string, string>
  /** JSON. */
  body: string
}

export function createBatchResponse(entries: readonly BatchEntry[]): WireResponse {
  return createJsonResponse({ count: entries.length, value: entries })
}

/** How a bulk tells of a part that was refused. */
export function createBatchError(code: number, message: string): BatchEntry {
  return {
    code,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ count: 1, value: { Message: message } }),
  }
}

/** A part of a bulk that failed because of another. */
export const FAILED_WITH_BATCH: BatchEntry = createBatchError(500, 'TF401321: Whole Bulk failed.')
