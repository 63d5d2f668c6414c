import type { IncomingHttpHeaders } from 'node:http'
import { StudioError } from '../../kernel'

export interface WireRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** The body of an upload, whose bytes are no text. */
  bytes?: Buffer
}

export interface WireResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** Sent in place of `body`: the content of a file. */
  content?: Buffer
}

/** An HTML page. Its policy blocks scripts and external resources. */
export class Page {
  constructor(readonly html: string) {}
}

/** The answer to a request that stored something. */
export class Created {
  constructor(readonly value: unknown) {}
}

/** An answer without a body. */
export class NoContent {}

/** The content of a file. Browsers save it and never show it as a page. */
export class FileContent {
  constructor(
    readonly bytes: Buffer,
    readonly headers: Record<string, string>,
  ) {}
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** The response with the result of a handler. */
export function createResponse(result: unknown): WireResponse {
  if (result instanceof Page) return { status: 200, headers: PAGE_HEADERS, body: result.html }
  if (result instanceof FileContent) return { status: 200, headers: result.headers, body: '', content: result.bytes }
  if (result instanceof NoContent) return { status: 204, headers: {}, body: '' }
  if (result instanceof Created) return createJsonResponse(result.value, 201)
  return createJsonResponse(Array.isArray(result) ? { count: result.length, value: result } : result)
}

function createJsonResponse(value: unknown, status = 200): WireResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

/** An error with the tracker's own message. Clients distinguish errors by `typeKey`. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    readonly typeKey: string,
    message: string,
    /** Further members of the error body. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

export function createErrorResponse(error: unknown): WireResponse {
  const { status, message, typeKey, more } = error instanceof WireError ? error : describeFailure(error)
  const body = {
    $id: '1',
    innerException: null,
    message,
    typeName: `Sandbox.WorkItemTracking.${typeKey}, Sandbox.WorkItemTracking`,
    typeKey,
    errorCode: 0,
    eventId: 3200,
    ...more,
  }
  return createJsonResponse(body, status)
}

/** An internal error of the sandbox, without details. */
function describeFailure(error: unknown): WireError {
  if (error instanceof StudioError) return new WireError(503, 'SandboxUnavailableException', error.message)
  return new WireError(500, 'SandboxFailureException', 'The sandbox itself failed.')
}

/** The answer is the same for a missing and an unreadable item. */
export function createItemNotFoundError(id: number): WireError {
  return new WireError(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`,
  )
}

export function createBadRequestError(message: string): WireError {
  return new WireError(400, 'VssPropertyValidationException', message)
}

/** 404 if the field is what the address asks for. */
export function createFieldNotFoundError(name: string, status: 400 | 404 = 400): WireError {
  const message = `TF51535: Cannot find field ${name}.`
  return new WireError(status, 'WorkItemTrackingFieldDefinitionNotFoundException', message)
}

export function createReadOnlyFieldError(referenceName: string): WireError {
  return new WireError(
    400,
    'WorkItemFieldInvalidException',
    `TF401326: Invalid field status 'ReadOnly' for field '${referenceName}'.`,
  )
}

/** A rule of the process; `flags` as the tracker lists them: `Required, InvalidEmpty`. */
export function createRuleError(
  field: { referenceName: string; name: string },
  flags: string,
  message?: string,
): WireError {
  const text = message ?? `TF401320: Rule Error for field ${field.name}. Error code: ${flags}.`
  const error = {
    fieldReferenceName: field.referenceName,
    fieldStatusFlags: flags.replace(/\b[A-Z]/g, (letter) => letter.toLowerCase()),
    errorMessage: text,
    ruleValidationErrors: null,
  }
  return new WireError(400, 'RuleValidationException', text, {
    customProperties: { ...error, RuleValidationErrors: [error] },
  })
}

export function createFailedTestError(path: string, found: unknown, expected: unknown): WireError {
  return new WireError(
    412,
    'TestPatchOperationFailedException',
    `VS403351: Test Operation for path ${path} failed, value ${String(found)} was not equal to test value ${String(expected)}.`,
  )
}

export function createPatchError(message: string): WireError {
  return new WireError(400, 'PatchOperationFailedException', message)
}
